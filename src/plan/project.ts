// What the API server will hold after a write, foretold: generation, finalizers, subresources, deletion. Values that only
// the server can give are UNKNOWN. src/plan/project.property.test.ts holds it to both servers.

import { jsonEqual } from '../kit/json.ts';
import { UNKNOWN } from '../kit/unknown.ts';
import { isDeleting, type KubeObject, type ObjectMeta } from '../model/object.ts';
import type { Change } from '../model/plan.ts';
import { keyOf, refKey } from '../model/ref.ts';
import type { ResourceType } from '../model/resource.ts';
import type { ChildGroup, ParentView } from '../model/view.ts';

/** The view after the change. A change that sends nothing changes nothing. */
export function project(view: ParentView, change: Change): ParentView {
  if (change.verb === undefined) return view;
  const key = refKey(change.object);
  if (key === keyOf(view.parent)) {
    const parent = projectObject(view.parent, change);
    return parent ? { ...view, parent } : view;
  }
  const projected = (group: ChildGroup): ChildGroup => (isOf(group, change) ? projectGroup(group, change, key) : group);
  const children = view.children.map(projected);
  return view.revisions ? { ...view, children, revisions: projected(view.revisions) } : { ...view, children };
}

const isOf = ({ type }: ChildGroup, change: Change): boolean =>
  type.group === change.type.group && type.resource === change.type.resource;

function projectGroup(group: ChildGroup, change: Change, key: string): ChildGroup {
  const before = group.objects.find((object) => keyOf(object) === key);
  const after = projectObject(before, change);
  const others = group.objects.filter((object) => object !== before);
  return { ...group, objects: after ? [...others, after] : others };
}

/** One object after the change: undefined when it is gone. */
export function projectObject(before: KubeObject | undefined, change: Change): KubeObject | undefined {
  const { verb, after, type, subresource } = change;
  if (verb === undefined) return before;
  if (verb === 'delete') return before && deleted(before, type);
  if (!after) return before;
  if (verb === 'create') return created(after, type);
  return before && (subresource === 'status' ? statusUpdated(before, after) : updated(before, after, type));
}

function created(object: KubeObject, type: ResourceType): KubeObject {
  const { generation: _none, resourceVersion: _rv, ...given } = object.metadata;
  const metadata: ObjectMeta = {
    ...given,
    uid: UNKNOWN,
    resourceVersion: UNKNOWN,
    creationTimestamp: UNKNOWN,
    ...(hasGeneration(type) ? { generation: 1 } : {}),
  };
  if (!hasStatusSubresource(type)) return { ...object, metadata };
  // A status sent with a create is dropped by a kind that has the subresource.
  const { status: _dropped, ...rest } = object;
  return { ...rest, metadata } as KubeObject;
}

function updated(before: KubeObject, after: KubeObject, type: ResourceType): KubeObject | undefined {
  const kept = hasStatusSubresource(type) ? withStatusOf(after, before) : after;
  const bump = hasGeneration(type) && !jsonEqual(countedPart(before, type), countedPart(kept, type));
  const generation = before.metadata.generation;
  const metadata: ObjectMeta = {
    ...kept.metadata,
    ...systemMetadata(before.metadata),
    ...(generation === undefined ? {} : { generation: bump ? generation + 1 : generation }),
  };
  const result = { ...kept, metadata };
  if (jsonEqual(result, before)) return before;
  if (isDeleting(before) && (metadata.finalizers ?? []).length === 0) return undefined;
  return { ...result, metadata: { ...metadata, resourceVersion: UNKNOWN } };
}

function systemMetadata(metadata: ObjectMeta): ObjectMeta {
  const { uid, resourceVersion, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
  };
}

function statusUpdated(before: KubeObject, after: KubeObject): KubeObject {
  const result = withStatusOf(before, after);
  if (jsonEqual(result, before)) return before;
  return { ...result, metadata: { ...before.metadata, resourceVersion: UNKNOWN } };
}

function withStatusOf(object: KubeObject, source: KubeObject): KubeObject {
  const { status: _own, ...rest } = object;
  return (source['status'] === undefined ? rest : { ...rest, status: source['status'] }) as KubeObject;
}

function deleted(before: KubeObject, type: ResourceType): KubeObject | undefined {
  if ((before.metadata.finalizers ?? []).length === 0) return undefined;
  if (isDeleting(before)) return before;
  const { generation } = before.metadata;
  const metadata: ObjectMeta = {
    ...before.metadata,
    deletionTimestamp: UNKNOWN,
    deletionGracePeriodSeconds: 0,
    resourceVersion: UNKNOWN,
    ...(generation !== undefined && hasGeneration(type) ? { generation: generation + 1 } : {}),
  };
  return { ...before, metadata };
}

/** What counts for the generation: everything but metadata, and but status where that is a subresource. */
function countedPart(object: KubeObject, type: ResourceType): KubeObject {
  const { metadata: _metadata, status, ...rest } = object;
  return (hasStatusSubresource(type) || status === undefined ? rest : { ...rest, status }) as unknown as KubeObject;
}

const hasStatusSubresource = (type: ResourceType): boolean => type.subresources.includes('status');

// Custom resources always have a generation; of the built-in ones those with a spec that a controller follows.
const WITHOUT_GENERATION: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'services',
  'namespaces',
  'serviceaccounts',
  'persistentvolumeclaims',
  'persistentvolumes',
  'endpoints',
  'events',
  'nodes',
  'limitranges',
  'resourcequotas',
]);

function hasGeneration(type: ResourceType): boolean {
  if (type.group === '') return !WITHOUT_GENERATION.has(type.resource);
  return !/^(rbac\.authorization|storage|coordination|events|scheduling|node)(\.k8s\.io)$/.test(type.group);
}
