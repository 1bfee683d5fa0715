// Out of what the watches show: which of it is a write that a controller like ours would make, of which parent.

import { diffObjects } from '../diff/index.ts';
import { getOwn, jsonEqual } from '../kit/json.ts';
import type { Path } from '../kit/path.ts';
import { LAST_APPLIED_ANNOTATION } from '../merge/index.ts';
import { controllerOf, isDeleting, type KubeObject, type OwnerReference } from '../model/object.ts';
import { type Ref, refOf } from '../model/ref.ts';
import { groupResourceOf, type ResourceType } from '../model/resource.ts';
import { DECORATOR_ANNOTATION, finalizerOf } from '../plan/index.ts';
import type { CacheChange } from '../ports/cache.ts';
import type { Controller } from '../reconcile/index.ts';
import { authorAmong } from './authors.ts';

export interface SeenWrite {
  readonly controller: Controller;
  /** Its name and UID, as the object tells them. */
  readonly parent: Ref;
  readonly change: CacheChange;
  readonly object: Ref;
  /** status: of the parent, where that is a subresource. */
  readonly part: 'object' | 'status';
  readonly verb: 'create' | 'update' | 'delete';
  /** One of those who are watched wrote it: by managedFields, or as nobody else would. */
  readonly attributed: boolean;
  /** By name, where managedFields say so. */
  readonly manager?: string;
}

/** A change may be two writes, of the status and of the rest. */
export function seenWrites(change: CacheChange, controller: Controller, managers: readonly string[]): SeenWrite[] {
  const resource = groupResourceOf(change.type);
  const { parentType, childTypes, revisions } = controller;
  const ofChildren = [...childTypes, ...(revisions ? [revisions.type] : [])].some(
    (type) => groupResourceOf(type) === resource,
  );
  return [
    ...(groupResourceOf(parentType) === resource ? ofParent(change, controller, managers) : []),
    ...(ofChildren ? ofChild(change, controller, managers) : []),
  ];
}

function ofParent(change: CacheChange, controller: Controller, managers: readonly string[]): SeenWrite[] {
  const { before, after, type } = change;
  if (!before) return [];
  const ref = refOf(before);
  const told = { controller, parent: ref, change, object: ref };
  const finalizer = finalizerOf(controller.definition);
  const had = before.metadata.finalizers?.includes(finalizer) === true;
  // With the last finalizer the object is gone.
  if (!after) return had && isDeleting(before) ? [{ ...told, part: 'object', verb: 'delete', attributed: true }] : [];
  const paths = diffObjects(before, after).map(({ path }) => path);
  const isStatus = (path: Path): boolean => path[0] === 'status';
  const statusApart = type.subresources.includes('status');
  const writes: SeenWrite[] = [];
  const author = (of: readonly Path[]) => authored(authorAmong(after, of, managers));
  const ofStatus = paths.filter(isStatus);
  if (statusApart && ofStatus.length > 0) writes.push({ ...told, part: 'status', verb: 'update', ...author(ofStatus) });
  const rest = paths.filter((path) => (statusApart ? !isStatus(path) : true)).filter(isDecoration(controller));
  if (had !== (after.metadata.finalizers?.includes(finalizer) === true))
    writes.push({ ...told, part: 'object', verb: 'update', ...author([FINALIZERS]), attributed: true });
  else if (rest.length > 0) writes.push({ ...told, part: 'object', verb: 'update', ...author(rest) });
  return writes;
}

/** What a decorator may write of its target; a composite controller writes nothing but status and finalizers. */
const isDecoration =
  ({ definition }: Controller) =>
  ([top, second]: Path): boolean =>
    definition.kind === 'DecoratorController' &&
    (top === 'status' || (top === 'metadata' && (second === 'labels' || second === 'annotations')));

const FINALIZERS: Path = ['metadata', 'finalizers'];

const authored = (manager: string | undefined): Pick<SeenWrite, 'attributed' | 'manager'> =>
  manager === undefined ? { attributed: false } : { attributed: true, manager };

function ofChild(change: CacheChange, controller: Controller, managers: readonly string[]): SeenWrite[] {
  const { before, after } = change;
  const subject = after ?? before;
  const parent = [after, before].map((object) => object && ownerIn(object, controller)).find((owner) => owner);
  if (!subject || !parent) return [];
  const told = { controller, parent, change, object: refOf(subject), part: 'object' } as const;
  const wentBefore = before !== undefined && isDeleting(before);
  if (!after || (isDeleting(after) && !wentBefore))
    return wentBefore ? [] : [{ ...told, verb: 'delete', attributed: false }];
  if (!before) return [{ ...told, verb: 'create', ...authored(authorAmong(after, [[]], managers)) }];
  if (wentBefore) return [];
  const paths = diffObjects(before, after)
    .map(({ path }) => path)
    .filter(([top, second]) => top !== 'status' && !(top === 'metadata' && second === 'deletionTimestamp'));
  if (!jsonEqual(recordIn(before), recordIn(after))) paths.push(RECORD);
  if (paths.length === 0) return [];
  return [{ ...told, verb: 'update', ...authored(authorAmong(after, paths, managers)) }];
}

const RECORD: Path = ['metadata', 'annotations', LAST_APPLIED_ANNOTATION];
const recordIn = ({ metadata }: KubeObject) => getOwn(metadata.annotations ?? {}, LAST_APPLIED_ANNOTATION);

/** The parent whose child it is, for this controller. */
function ownerIn(child: KubeObject, { definition, parentType }: Controller): Ref | undefined {
  const owner = controllerOf(child);
  if (!owner || !isOfType(owner, parentType)) return undefined;
  if (
    definition.kind === 'DecoratorController' &&
    child.metadata.annotations?.[DECORATOR_ANNOTATION] !== definition.name
  )
    return undefined;
  const { namespace } = child.metadata;
  const { apiVersion, kind, name, uid } = owner;
  return { apiVersion, kind, name, uid, ...(parentType.namespaced && namespace ? { namespace } : {}) };
}

function isOfType({ apiVersion, kind }: OwnerReference, type: ResourceType): boolean {
  const slash = apiVersion.indexOf('/');
  return kind === type.kind && (slash < 0 ? '' : apiVersion.slice(0, slash)) === type.group;
}
