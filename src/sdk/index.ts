// What the author of a hook in TypeScript imports, as `metactl/sdk`: the shapes of requests and answers, and a few
// helpers. `import type` costs nothing at run time, so a hook that needs only the types runs without the package.
// Shapes are Metacontroller's, versions v1 and v2; only the keys of children differ between the two.

import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';

export type { JsonObject, JsonValue } from '../kit/json.ts';
export type { KubeObject, ObjectMeta, OwnerReference } from '../model/object.ts';

/**
 * Objects by group, then by key. Group: "Pod.v1", "StatefulSet.apps/v1"; every declared kind has its group, empty or
 * not. Key: in v1 the name (namespace/name under a cluster-scoped parent), in v2 namespace/name, and the name of what
 * is cluster-scoped.
 */
export type ObjectGroups = Readonly<Record<string, Readonly<Record<string, KubeObject>>>>;

/** What sync and finalize of a CompositeController get. */
export interface CompositeRequest<Parent extends KubeObject = KubeObject> {
  readonly controller: KubeObject;
  readonly parent: Parent;
  /** Observed children. */
  readonly children: ObjectGroups;
  /** What customize asked for. */
  readonly related: ObjectGroups;
  /** True in finalize: the parent is being deleted, or is no longer selected. */
  readonly finalizing: boolean;
}

/** A child as it shall be. Without a namespace it gets the parent's. Undefined properties count as absent. */
export interface DesiredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

export interface CompositeResponse {
  /** The whole status of the parent; metactl adds observedGeneration. */
  readonly status?: Readonly<Record<string, unknown>> | null;
  /** All children that shall exist. An observed child that is left out is deleted. */
  readonly children?: readonly DesiredObject[] | null;
  /** Ask again after so many seconds, although nothing changed. */
  readonly resyncAfterSeconds?: number;
  /** From finalize: everything is gone, the parent may go too. */
  readonly finalized?: boolean;
}

/** The second argument of a hook that is a module. */
export interface HookContext {
  /** True in `metactl plan`: nothing may be changed. */
  readonly dryRun: boolean;
}

export type CompositeHook<Parent extends KubeObject = KubeObject> = (
  request: CompositeRequest<Parent>,
  context: HookContext,
) => CompositeResponse | Promise<CompositeResponse>;

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

/** The observed children of one group, sorted by name ("web-2" before "web-10"): `childrenOf(request, 'Pod.v1')`. */
export function childrenOf(request: Pick<CompositeRequest, 'children'>, group: string): KubeObject[] {
  const objects = Object.values(request.children[group] ?? {});
  return objects.sort((a, b) => byNumbers(a.metadata.name ?? '', b.metadata.name ?? ''));
}

/** The status of a condition of the object: "True", "False", "Unknown"; undefined where there is no such condition. */
export function conditionStatus(object: KubeObject, type: string): string | undefined {
  const conditions = (object['status'] as JsonObject | undefined)?.['conditions'];
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as JsonObject[]).find((one) => one['type'] === type)?.['status'] as string | undefined;
}

/** An item for status.conditions. It has no lastTransitionTime: the same state must give the same answer. */
export function condition(type: string, isTrue: boolean, why: { reason?: string; message?: string } = {}): Condition {
  return { type, status: isTrue ? 'True' : 'False', ...why };
}

/** By runs of digits as numbers; independent of the locale. */
function byNumbers(a: string, b: string): number {
  const pad = (name: string): string => name.replaceAll(/\d+/g, (digits) => digits.padStart(20, '0'));
  return pad(a) < pad(b) ? -1 : 1;
}
