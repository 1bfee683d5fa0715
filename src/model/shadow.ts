// What `metactl daemon --shadow` found out: predicted writes against those of the one that is at work.

import type { JsonValue } from '../kit/json.ts';
import type { Ref } from './ref.ts';

/**
 * never-seen: predicted, and not written within the window. not-predicted: written, and nothing like it would have been
 * by us. different: both, with other fields.
 */
export type ShadowMissKind = 'never-seen' | 'not-predicted' | 'different';

/** Absent on one side: the field is not there, or not written, on that side. Secret values are masked. */
export interface ShadowField {
  /** "data.text"; "" where the object as a whole is meant. */
  readonly path: string;
  readonly predicted?: JsonValue;
  readonly seen?: JsonValue;
}

export interface ShadowMiss {
  readonly kind: ShadowMissKind;
  /** "CompositeController/catset" */
  readonly controller: string;
  readonly parent: Ref;
  readonly object: Ref;
  /** "status": of the parent. */
  readonly verb: 'create' | 'update' | 'delete' | 'status';
  /** RFC 3339: when it was seen, or, where it never was, predicted. */
  readonly time: string;
  /** Who wrote it, by managedFields. */
  readonly manager?: string;
  readonly fields: readonly ShadowField[];
  /** Why it could not be judged better. */
  readonly note?: string;
}

export interface ShadowCounts {
  /** Writes that were seen and are as predicted. */
  readonly hits: number;
  readonly misses: number;
  /** Writes that were not as predicted, of objects that were then written as predicted: the two were not at the same moment. */
  readonly passing: number;
  /** Not decided yet: the window is still open. */
  readonly open: number;
}

export interface ShadowReport extends ShadowCounts {
  /** RFC 3339. */
  readonly since: string;
  readonly until: string;
  readonly windowSeconds: number;
  readonly controllers: readonly ({ readonly controller: string } & ShadowCounts)[];
  /** In the order in which they were found. The oldest are left out where there are too many. */
  readonly found: readonly ShadowMiss[];
  readonly leftOut: number;
}

/** Of what is decided, as predicted: 0 to 1. undefined: nothing is decided. */
export function shadowScore({ hits, misses }: ShadowCounts): number | undefined {
  return hits + misses === 0 ? undefined : hits / (hits + misses);
}
