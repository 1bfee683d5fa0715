// Progress is one stream of one union; text on stderr, listr2 and (later) NDJSON are consumers of it.

import type { Diagnostic } from './diagnostic.ts';
import type { Change, WaitingOn } from './plan.ts';
import type { Ref } from './ref.ts';

export type ChangeOutcome =
  | { readonly kind: 'done' }
  /** Nothing had to be sent any more: the object already was as wanted, or already gone. */
  | { readonly kind: 'unneeded' }
  /** The object moved since the plan: plan again. Not an error. */
  | { readonly kind: 'stale'; readonly why: string }
  /** permanent: the same request can't go through until somebody changes something. */
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic; readonly permanent: boolean }
  /** Not tried, as an earlier wave failed or the run was interrupted. */
  | { readonly kind: 'not-tried'; readonly why: string };

export type Progress =
  | { readonly kind: 'round.begin'; readonly round: number; readonly parents: number }
  | { readonly kind: 'parent.planned'; readonly parent: Ref; readonly controller: string; readonly changes: number }
  | { readonly kind: 'change.begin'; readonly change: Change }
  | { readonly kind: 'change.end'; readonly change: Change; readonly outcome: ChangeOutcome }
  | { readonly kind: 'waiting'; readonly on: readonly WaitingOn[]; readonly elapsedMs: number }
  | { readonly kind: 'diagnostic'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'settled'; readonly changes: number };

/** A change that was carried out, or was not, with how it ended. */
export interface AppliedChange {
  readonly change: Change;
  readonly outcome: ChangeOutcome;
}
