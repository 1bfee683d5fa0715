import type { KubeObject } from '../model/object.ts';
import type { DesiredObject, HookContext, ObjectGroups } from './shapes.ts';

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

export type CompositeHook<Parent extends KubeObject = KubeObject> = (
  request: CompositeRequest<Parent>,
  context: HookContext,
) => CompositeResponse | Promise<CompositeResponse>;
