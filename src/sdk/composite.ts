import type { KubeObject } from '../model/object.ts';
import type { Answering, Desired, GroupsOf, ObjectOfKind, StatusOf } from './shapes.ts';

/** What sync and finalize of a CompositeController get. */
export interface CompositeRequest<
  Parent extends ObjectOfKind = KubeObject,
  Children extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> {
  readonly controller: KubeObject;
  readonly parent: Parent;
  /** Observed children. */
  readonly children: GroupsOf<Children>;
  /** What customize asked for. */
  readonly related: GroupsOf<Related>;
  /** True in finalize: the parent is being deleted, or is no longer selected. */
  readonly finalizing: boolean;
}

export interface CompositeResponse<
  Parent extends ObjectOfKind = KubeObject,
  Children extends ObjectOfKind = KubeObject,
> {
  /** The whole status of the parent; metactl adds observedGeneration. */
  readonly status?: StatusOf<Parent> | null;
  /** All children that shall exist. An observed child that is left out is deleted. */
  readonly children?: readonly Desired<Children>[] | null;
  /** Ask again after so many seconds, although nothing changed. */
  readonly resyncAfterSeconds?: number;
  /** From finalize: everything is gone, the parent may go too. */
  readonly finalized?: boolean;
}

export type CompositeHook<
  Parent extends ObjectOfKind = KubeObject,
  Children extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> = Answering<CompositeRequest<Parent, Children, Related>, CompositeResponse<Parent, Children>>;
