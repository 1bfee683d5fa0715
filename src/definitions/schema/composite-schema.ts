// CompositeController, metacontroller.k8s.io/v1alpha1: every field of Metacontroller 4.17's CRD, and our own.

import { hookField } from './hook-schema.ts';
import { endpointConfigsField } from './transport-fields.ts';
import { type FieldSchema, flag, integer, list, object, text, textMap } from './types.ts';

export const API_VERSION = 'metacontroller.k8s.io/v1alpha1';

const apiVersionField = text('API group and version: `apps/v1`, or `v1` for the core group.', {
  examples: ['apps/v1'],
});
const resourceField = text('Plural name of the resource, in lower case.', { examples: ['deployments'] });

const labelSelectorField = object('Only parents with these labels. Empty: all.', {
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

const parentResourceField = object('The resource whose objects are reconciled.', {
  'apiVersion*': apiVersionField,
  'resource*': resourceField,
  revisionHistory: object('What makes a new revision of a parent in a rolling update.', {
    fieldPaths: list(
      'Dotted paths of the parent; a change below one of them starts a rolling update.',
      text('One path, such as `spec.template`.', { examples: ['spec.template'] }),
      { default: ['spec'] },
    ),
    namespace: text(
      'Where the revisions of a cluster-scoped parent are kept; those of a namespaced one are in its own namespace. ' +
        'metactl only: Metacontroller has no rolling updates for cluster-scoped parents.',
      { default: 'default', examples: ['my-namespace'] },
    ),
  }),
  labelSelector: labelSelectorField,
  ignoreStatusChanges: flag('Do not reconcile when only the status of a parent changed.'),
});

const updateStrategyField = object('What happens to a child that differs from what the hook wants.', {
  method: text(
    '`OnDelete`: nothing until somebody deletes it. `Recreate`: deleted and created again. `InPlace`: updated. ' +
      '`RollingRecreate`, `RollingInPlace`: the same, one child at a time.',
    {
      enum: ['OnDelete', 'Recreate', 'InPlace', 'RollingRecreate', 'RollingInPlace'],
      default: 'OnDelete',
    },
  ),
  statusChecks: object('When an updated child lets a rolling update go on.', {
    conditions: list(
      'Conditions of the child, all of which must hold.',
      object('One condition.', {
        'type*': text('Type of the condition.', { examples: ['Ready'] }),
        status: text('Its status. Absent: any.', { examples: ['True'] }),
        reason: text('Its reason. Absent: any.'),
      }),
    ),
  }),
});

const childResourcesField = list(
  'The resources whose objects a parent may own.',
  object('One resource.', {
    'apiVersion*': apiVersionField,
    'resource*': resourceField,
    updateStrategy: updateStrategyField,
  }),
  { default: [] },
);

const NEVER_USED = 'Metacontroller never calls it';

const hooksField = object('The functions that decide.', {
  'sync*': hookField('From the observed state of a parent and its children to the desired one.', {
    examples: [{ webhook: { url: 'http://my-hook.my-namespace/sync' } }],
  }),
  finalize: hookField(
    'Called instead of sync when a parent is being deleted, or no longer matches labelSelector, until it answers ' +
      '`finalized: true`. With it, parents get a finalizer.',
  ),
  customize: hookField('Names objects beside the children that the other hooks are shown, as `related`.'),
  preUpdateChild: hookField('Reserved.', { 'x-metactl-unused': NEVER_USED }),
  postUpdateChild: hookField('Reserved.', { 'x-metactl-unused': NEVER_USED }),
});

const applyField = object('How children are written. metactl only: Metacontroller does not know it.', {
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

/** A whole definition. metadata and status are the API server's business: any fields. */
export const compositeSchema: FieldSchema = object('A controller whose parents own children.', {
  'apiVersion*': text('Always this.', { const: API_VERSION }),
  'kind*': text('Always this.', { const: 'CompositeController' }),
  'metadata*': {
    type: 'object',
    description: 'Standard object metadata; the resource is cluster-scoped.',
    properties: {
      name: text('Name of the controller.', { examples: ['my-controller'] }),
      labels: textMap('Labels.'),
      annotations: textMap('Annotations.'),
    },
    required: ['name'],
    additionalProperties: true,
  },
  'spec*': object('What the controller does.', {
    'parentResource*': parentResourceField,
    childResources: childResourcesField,
    'hooks*': hooksField,
    resyncPeriodSeconds: integer('Reconcile each parent again after this time. 0: only when something changes.', {
      default: 0,
      minimum: 0,
      maximum: 2_147_483_647,
    }),
    generateSelector: flag(
      'Select children by a label `controller-uid` that is added to them, instead of `spec.selector` of the parent.',
    ),
    endpointConfigs: endpointConfigsField,
    apply: applyField,
  }),
  status: { type: 'object', description: 'Unused.', additionalProperties: true },
});
