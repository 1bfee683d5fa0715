// MapController, metacontroller.k8s.io/v1alpha1: a design of Metacontroller's that it never had, and our own fields.

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
import { type FieldSchema, list, object, text } from './types.ts';

const parentResourceField = object('The resource whose objects own the outputs.', {
  ...resourceFields,
  labelSelector: labelSelectorField,
  ignoreStatusChanges: ignoreStatusChangesField,
});

const inputResourcesField = list(
  'The resources whose objects are the inputs: those that `spec.selector` of the parent matches, in its namespace.',
  object('One resource.', resourceFields),
  { minItems: 1 },
);

const outputResourcesField = list(
  'The resources whose objects a parent may own.',
  object('One resource.', {
    ...resourceFields,
    updateStrategy: object('What happens to an output that differs from what the hook wants.', {
      method: text(
        '`OnDelete`: nothing until somebody deletes it. `Recreate`: deleted and created again. `InPlace`: updated.',
        { enum: ['OnDelete', 'Recreate', 'InPlace'], default: 'OnDelete' },
      ),
    }),
  }),
  { default: [] },
);

const hooksField = object('The functions that decide.', {
  'map*': hookField('From one input, and the outputs that were made of it, to the outputs that shall be there.', {
    examples: [{ webhook: { url: 'http://my-hook.my-namespace/map' } }],
  }),
  tombstone: hookField(
    'Called for the outputs of an input that is gone: it answers which of them stay. Without it they are deleted.',
  ),
  finalize: hookField(
    'Called instead of map and tombstone when a parent is being deleted, or no longer matches labelSelector: it answers ' +
      'which of all outputs stay, until it answers `finalized: true`. With it, parents get a finalizer.',
  ),
  customize: hookField('Names objects beside input and outputs that the other hooks are shown, as `related`.'),
});

/** A whole definition. */
export const mapSchema: FieldSchema = object('A controller whose parents own what is made of objects of others.', {
  'apiVersion*': text('Always this.', { const: API_VERSION }),
  'kind*': text('Always this.', { const: 'MapController' }),
  'metadata*': metadataField,
  'spec*': object('What the controller does.', {
    'parentResource*': parentResourceField,
    'inputResources*': inputResourcesField,
    outputResources: outputResourcesField,
    'hooks*': hooksField,
    resyncPeriodSeconds: resyncPeriodField,
    endpointConfigs: endpointConfigsField,
    apply: applyField,
  }),
  status: statusField,
});
