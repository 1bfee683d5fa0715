// Fields that every kind of controller definition has, in the same words.

import { type FieldSchema, flag, integer, list, object, text, textMap } from './types.ts';

export const API_VERSION = 'metacontroller.k8s.io/v1alpha1';

const apiVersionField = text('API group and version: `apps/v1`, or `v1` for the core group.', {
  examples: ['apps/v1'],
});
const resourceField = text('Plural name of the resource, in lower case.', { examples: ['deployments'] });

export const labelSelectorField = object('Only parents with these labels. Empty: all.', {
  matchLabels: textMap('Labels that must be there with this value.'),
  matchExpressions: list(
    'Requirements, all of which must hold.',
    object('One requirement.', {
      'key*': text('Label key.', { examples: ['app'] }),
      'operator*': text('What is asked of the label.', {
        enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
        examples: ['Exists'],
      }),
      values: list('For In and NotIn: the values, at least one. Empty otherwise.', {
        type: 'string',
        description: 'One value.',
      }),
    }),
  ),
});

/** A resource by its group, version and plural. */
export const resourceFields = { 'apiVersion*': apiVersionField, 'resource*': resourceField } as const;

export const ignoreStatusChangesField = flag('Do not reconcile when only the status of a parent changed.');

export const applyField = object('How children are written. metactl only: Metacontroller does not know it.', {
  mode: text(
    '`dynamic`: a three-way merge with the last applied state in an annotation. `server-side`: server-side apply.',
    { enum: ['dynamic', 'server-side'], default: 'dynamic' },
  ),
  fieldManager: text('The field manager that writes are recorded under.', { default: 'metactl', maxLength: 128 }),
  conflicts: list(
    'What to do about fields that belong to other managers, in mode `server-side`. The first rule that fits counts; without one: `fail`.',
    object('One rule.', {
      'path*': text('The field, as conflicts name it; what is below it is meant too.', { examples: ['spec.replicas'] }),
      manager: text('The other manager. Absent: any.'),
      'action*': text(
        '`ignore`: the field is left to its owner. `force`: it is taken. `fail`: the child is not written.',
        { enum: ['ignore', 'force', 'fail'] },
      ),
    }),
  ),
});

/** metadata and status are the API server's business: any fields. */
export const metadataField: FieldSchema = {
  type: 'object',
  description: 'Standard object metadata; the resource is cluster-scoped.',
  properties: {
    name: text('Name of the controller.', { examples: ['my-controller'] }),
    labels: textMap('Labels.'),
    annotations: textMap('Annotations.'),
  },
  required: ['name'],
  additionalProperties: true,
};

export const statusField: FieldSchema = { type: 'object', description: 'Unused.', additionalProperties: true };

export const resyncPeriodField = integer(
  'Reconcile each parent again after this time. 0: only when something changes.',
  {
    default: 0,
    minimum: 0,
    maximum: 2_147_483_647,
  },
);
