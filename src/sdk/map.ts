import type { KubeObject } from '../model/object.ts';
import type { DesiredObject, HookContext, ObjectGroups } from './shapes.ts';

/** What map of a MapController gets. */
export interface MapRequest<Parent extends KubeObject = KubeObject, Input extends KubeObject = KubeObject> {
  readonly controller: KubeObject;
  readonly parent: Parent;
  /** Names the input and what is made of it. Opaque. */
  readonly mapKey: string;
  readonly input: Input;
  /** What was made of this input. */
  readonly outputs: ObjectGroups;
  /** What customize asked for. */
  readonly related: ObjectGroups;
}

export interface MapResponse {
  /** All that shall be made of this input. An observed output that is left out is deleted. */
  readonly outputs?: readonly DesiredObject[] | null;
  /** Ask again after so many seconds, although nothing changed. */
  readonly resyncAfterSeconds?: number;
}

/** What tombstone gets: what is left of an input that is gone. */
export type TombstoneRequest<Parent extends KubeObject = KubeObject> = Omit<MapRequest<Parent>, 'input'>;

export interface TombstoneResponse {
  /** Those of the outputs that stay, as they are: nothing of them may be changed. The others are deleted. */
  readonly outputs?: readonly (KubeObject | DesiredObject)[] | null;
  /** Ask again after so many seconds, although nothing changed. */
  readonly resyncAfterSeconds?: number;
}

/** What finalize of a MapController gets: all outputs of the parent, whatever they were made of. */
export interface MapFinalizeRequest<Parent extends KubeObject = KubeObject>
  extends Omit<MapRequest<Parent>, 'mapKey' | 'input'> {
  readonly finalizing: true;
}

export interface MapFinalizeResponse extends TombstoneResponse {
  /** Everything is cleaned up, the parent may go. */
  readonly finalized?: boolean;
}

type Answering<Request, Response> = (request: Request, context: HookContext) => Response | Promise<Response>;

export type MapHook<Parent extends KubeObject = KubeObject, Input extends KubeObject = KubeObject> = Answering<
  MapRequest<Parent, Input>,
  MapResponse
>;
export type TombstoneHook<Parent extends KubeObject = KubeObject> = Answering<
  TombstoneRequest<Parent>,
  TombstoneResponse
>;
export type MapFinalizeHook<Parent extends KubeObject = KubeObject> = Answering<
  MapFinalizeRequest<Parent>,
  MapFinalizeResponse
>;
