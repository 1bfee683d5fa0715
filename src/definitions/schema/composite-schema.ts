// CompositeController, metacontroller.k8s.io/v1alpha1: every field of Metacontroller 4.17's CRD, and our own.

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
import { type FieldSchema, flag, list, object, text } from './types.ts';

const parentResourceField = object('The resource whose objects are reconciled.', {
  ...resourceFields,
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
  ignoreStatusChanges: ignoreStatusChangesField,
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
    ...resourceFields,
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

/** A whole definition. */
export const compositeSchema: FieldSchema = object('A controller whose parents own children.', {
  'apiVersion*': text('Always this.', { const: API_VERSION }),
  'kind*': text('Always this.', { const: 'CompositeController' }),
  'metadata*': metadataField,
  'spec*': object('What the controller does.', {
    'parentResource*': parentResourceField,
    childResources: childResourcesField,
    'hooks*': hooksField,
    resyncPeriodSeconds: resyncPeriodField,
    generateSelector: flag(
      'Select children by a label `controller-uid` that is added to them, instead of `spec.selector` of the parent.',
    ),
    endpointConfigs: endpointConfigsField,
    apply: applyField,
  }),
  status: statusField,
});
