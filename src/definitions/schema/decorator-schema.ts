// DecoratorController, metacontroller.k8s.io/v1alpha1: every field of Metacontroller 4.17's CRD, and our own.

import { hookField } from './hook-schema.ts';
import {
  API_VERSION,
  applyField,
  ignoreStatusChangesField,
  labelSelectorField,
  metadataField,
  resourceFields,
  resyncPeriodField,
  statusField,
} from './shared-fields.ts';
import { endpointConfigsField } from './transport-fields.ts';
import { type FieldSchema, list, object, text, textMap } from './types.ts';

const annotationSelectorField = object('Only objects with these annotations. Empty: all.', {
  matchAnnotations: textMap('Annotations that must be there with this value.'),
  matchExpressions: list(
    'Requirements, all of which must hold.',
    object('One requirement.', {
      'key*': text('Annotation key.', { examples: ['my.example.com/decorate'] }),
      'operator*': text('What is asked of the annotation.', {
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

const resourcesField = list(
  'The objects that are decorated.',
  object('One resource.', {
    ...resourceFields,
    labelSelector: { ...labelSelectorField, description: 'Only objects with these labels. Empty: all.' },
    annotationSelector: annotationSelectorField,
    ignoreStatusChanges: ignoreStatusChangesField,
  }),
  { minItems: 1 },
);

const attachmentsField = list(
  'The resources whose objects may be attached.',
  object('One resource.', {
    ...resourceFields,
    updateStrategy: object('What happens to an attachment that differs from what the hook wants.', {
      method: text(
        '`OnDelete`: nothing until somebody deletes it. `Recreate`: deleted and created again. `InPlace`: updated.',
        { enum: ['OnDelete', 'Recreate', 'InPlace'], default: 'OnDelete' },
      ),
    }),
  }),
  { default: [] },
);

const hooksField = object('The functions that decide.', {
  'sync*': hookField('From the observed state of an object and its attachments to what shall be attached and set.', {
    examples: [{ webhook: { url: 'http://my-hook.my-namespace/sync' } }],
  }),
  finalize: hookField(
    'Called instead of sync when an object is being deleted, or is no longer selected, until it answers ' +
      '`finalized: true`. With it, decorated objects get a finalizer.',
  ),
  customize: hookField('Names objects beside the attachments that the other hooks are shown, as `related`.'),
});

const decoratorApplyField: FieldSchema = {
  ...applyField,
  description: 'How objects are written. metactl only: Metacontroller does not know it.',
  properties: {
    ...applyField.properties,
    omittedMetadata: text(
      'What becomes of a label or an annotation of a decorated object that this controller set and that the hook returns no ' +
        'more. `keep`: it stays until the hook returns null for it, as in Metacontroller. `remove`: it is taken off; what was ' +
        'set is remembered in an annotation of the object.',
      { enum: ['keep', 'remove'], default: 'keep' },
    ),
  },
};

/** A whole definition. */
export const decoratorSchema: FieldSchema = object('A controller that adds to objects of others.', {
  'apiVersion*': text('Always this.', { const: API_VERSION }),
  'kind*': text('Always this.', { const: 'DecoratorController' }),
  'metadata*': metadataField,
  'spec*': object('What the controller does.', {
    'resources*': resourcesField,
    attachments: attachmentsField,
    'hooks*': hooksField,
    resyncPeriodSeconds: resyncPeriodField,
    endpointConfigs: endpointConfigsField,
    apply: decoratorApplyField,
  }),
  status: statusField,
});
