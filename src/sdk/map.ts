import type { KubeObject } from '../model/object.ts';
import type { Answering, Desired, GroupsOf, ObjectOfKind } from './shapes.ts';

/** What every hook of a MapController gets. */
interface AnyMapRequest<Parent extends ObjectOfKind, Outputs extends ObjectOfKind, Related extends ObjectOfKind> {
  readonly controller: KubeObject;
  readonly parent: Parent;
  /** What was made of the input. */
  readonly outputs: GroupsOf<Outputs>;
  /** What customize asked for. */
  readonly related: GroupsOf<Related>;
}

/** What tombstone gets: what is left of an input that is gone. */
export interface TombstoneRequest<
  Parent extends ObjectOfKind = KubeObject,
  Outputs extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> extends AnyMapRequest<Parent, Outputs, Related> {
  /** Names the input and what is made of it. Opaque. */
  readonly mapKey: string;
}

/** What map of a MapController gets. */
export interface MapRequest<
  Parent extends ObjectOfKind = KubeObject,
  Input extends ObjectOfKind = KubeObject,
  Outputs extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> extends TombstoneRequest<Parent, Outputs, Related> {
  readonly input: Input;
}

/** What finalize of a MapController gets: all outputs of the parent, whatever they were made of. */
export interface MapFinalizeRequest<
  Parent extends ObjectOfKind = KubeObject,
  Outputs extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> extends AnyMapRequest<Parent, Outputs, Related> {
  readonly finalizing: true;
}

export interface MapResponse<Outputs extends ObjectOfKind = KubeObject> {
  /** All that shall be made of this input. An observed output that is left out is deleted. */
  readonly outputs?: readonly Desired<Outputs>[] | null;
  /** Ask again after so many seconds, although nothing changed. */
  readonly resyncAfterSeconds?: number;
}

export interface TombstoneResponse<Outputs extends ObjectOfKind = KubeObject> {
  /** Those of the outputs that stay, as they are: nothing of them may be changed. The others are deleted. */
  readonly outputs?: readonly (Outputs | Desired<Outputs>)[] | null;
  /** Ask again after so many seconds, although nothing changed. */
  readonly resyncAfterSeconds?: number;
}

export interface MapFinalizeResponse<Outputs extends ObjectOfKind = KubeObject> extends TombstoneResponse<Outputs> {
  /** Everything is cleaned up, the parent may go. */
  readonly finalized?: boolean;
}

export type MapHook<
  Parent extends ObjectOfKind = KubeObject,
  Input extends ObjectOfKind = KubeObject,
  Outputs extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> = Answering<MapRequest<Parent, Input, Outputs, Related>, MapResponse<Outputs>>;

export type TombstoneHook<
  Parent extends ObjectOfKind = KubeObject,
  Outputs extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> = Answering<TombstoneRequest<Parent, Outputs, Related>, TombstoneResponse<Outputs>>;

export type MapFinalizeHook<
  Parent extends ObjectOfKind = KubeObject,
  Outputs extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> = Answering<MapFinalizeRequest<Parent, Outputs, Related>, MapFinalizeResponse<Outputs>>;
