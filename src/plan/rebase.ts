// Carries an intent over to a fresher object: apply uses it after a conflict, the planners to compute `after`.

import { applyDynamic } from '../merge/index.ts';
import { isDeleting, type KubeObject } from '../model/object.ts';
import type { Intent } from '../model/plan.ts';
import { asIfDynamic } from './apply-mode/former-apply.ts';
import { decorated } from './decorator/decorated.ts';

/** The object to be written. undefined: a delete, or it can't be done any more. A create does not look at `fresh`. */
export function rebase(intent: Intent, fresh: KubeObject): KubeObject | undefined {
  switch (intent.kind) {
    case 'create':
      return intent.object;
    case 'merge':
      return applyDynamic(baseOf(intent, fresh), intent.desired, intent.annotation);
    case 'delete':
      return undefined;
    case 'apply':
      return intent.desired;
    case 'migrate':
      // What is whose was worked out on another state.
      return undefined;
    case 'adopt':
      return withOwners(fresh, [...others(fresh, intent.owner.uid), intent.owner]);
    case 'release':
      return withOwners(fresh, others(fresh, intent.ownerUid));
    case 'status':
      return { ...fresh, status: intent.status };
    case 'decorate':
      return decorated(intent, fresh);
    case 'finalizer-add':
      return withFinalizer(fresh, intent.finalizer);
    case 'finalizer-remove':
      return withoutFinalizer(fresh, intent.finalizer);
  }
}

function baseOf({ annotation, from }: Extract<Intent, { kind: 'merge' }>, fresh: KubeObject): KubeObject {
  return from ? asIfDynamic(fresh, annotation, from) : fresh;
}

type Owners = NonNullable<KubeObject['metadata']['ownerReferences']>;

const others = (object: KubeObject, uid: string): Owners =>
  (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid);

function withOwners(object: KubeObject, owners: Owners): KubeObject {
  const { ownerReferences: _before, ...metadata } = object.metadata;
  return { ...object, metadata: owners.length > 0 ? { ...metadata, ownerReferences: owners } : metadata };
}

function withFinalizer(object: KubeObject, finalizer: string): KubeObject | undefined {
  const before = object.metadata.finalizers ?? [];
  if (before.includes(finalizer)) return object;
  // The server takes no new finalizer on an object that is being deleted.
  if (isDeleting(object)) return undefined;
  return { ...object, metadata: { ...object.metadata, finalizers: [...before, finalizer] } };
}

function withoutFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const { finalizers: before = [], ...metadata } = object.metadata;
  if (!before.includes(finalizer)) return object;
  const left = before.filter((name) => name !== finalizer);
  return { ...object, metadata: left.length > 0 ? { ...metadata, finalizers: left } : metadata };
}
