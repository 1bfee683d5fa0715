import type { KubeObject } from '../model/object.ts';
import type { Answering, Desired, GroupsOf, ObjectOfKind, StatusOf } from './shapes.ts';

/** What sync and finalize of a DecoratorController get. */
export interface DecoratorRequest<
  Decorated extends ObjectOfKind = KubeObject,
  Attachments extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> {
  readonly controller: KubeObject;
  /** The object that is decorated. */
  readonly object: Decorated;
  /** What this decorator has attached to it. */
  readonly attachments: GroupsOf<Attachments>;
  /** What customize asked for. */
  readonly related: GroupsOf<Related>;
  /** True in finalize: the object is being deleted, or is no longer selected. */
  readonly finalizing: boolean;
}

export interface DecoratorResponse<
  Decorated extends ObjectOfKind = KubeObject,
  Attachments extends ObjectOfKind = KubeObject,
> {
  /** To be set on the object; null takes one off. What is not named stays as it is (but: `apply.omittedMetadata`). */
  readonly labels?: Readonly<Record<string, string | null>> | null;
  readonly annotations?: Readonly<Record<string, string | null>> | null;
  /** The whole status of the object. Absent or null: it stays as it is. */
  readonly status?: StatusOf<Decorated> | null;
  /** All attachments that shall exist. An observed one that is left out is deleted. */
  readonly attachments?: readonly Desired<Attachments>[] | null;
  /** Ask again after so many seconds, although nothing changed. */
  readonly resyncAfterSeconds?: number;
  /** From finalize: everything is gone, the object may be let go. */
  readonly finalized?: boolean;
}

export type DecoratorHook<
  Decorated extends ObjectOfKind = KubeObject,
  Attachments extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> = Answering<DecoratorRequest<Decorated, Attachments, Related>, DecoratorResponse<Decorated, Attachments>>;
