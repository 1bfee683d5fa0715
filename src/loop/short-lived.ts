// Children that a parent's rounds make and unmake again although nothing else has happened: with another name in every answer
// of the hook, for instance. No history of an object tells, as each of them is new. After the fifth time in a row, what comes
// and goes does so after a delay that doubles.

import { backoffDelay } from '../kit/backoff.ts';
import type { Change } from '../model/plan.ts';
import { refKey, refOf } from '../model/ref.ts';
import type { CacheChange } from '../ports/cache.ts';
import { notStable } from './not-stable.ts';
import { beginsAnew, HOLD, type RoundFacts, type Verdict } from './stability.ts';

const ALLOWED = 5;

/** Of one parent. Times are steady milliseconds. */
export class ShortLived {
  /** Made by the rounds that came one after the other until now, and touched by nobody else. Most parents have none. */
  #fresh: Set<string> | undefined;
  #times = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** A round begins. */
  see(moved: readonly CacheChange[], times: Pick<RoundFacts, 'now' | 'desiredAt'>): void {
    for (const { before, after } of moved) {
      const object = after ?? before;
      if (object) this.#fresh?.delete(refKey(refOf(object)));
    }
    if (beginsAnew(this.#lastAt, times)) this.#times = 0;
  }

  /** undefined: nothing is wrong with it. */
  judge(change: Change, now: number): Verdict | undefined {
    if (this.#times < ALLOWED || !comesOrGoes(change)) return undefined;
    const notBefore = this.#lastAt + backoffDelay(HOLD, this.#times - ALLOWED);
    const fields = [{ path: [], op: change.action === 'create' ? 'add' : 'remove' } as const];
    return { waitMs: Math.max(0, notBefore - now), diagnostic: notStable(change, { kind: 'short-lived', fields }) };
  }

  /** A round has ended, and these of its plan have gone through. `foreign`: something had moved that was not its own doing. */
  end(
    planned: readonly Change[],
    done: readonly Change[],
    { now, foreign }: { readonly now: number; readonly foreign: boolean },
  ): void {
    const moves = done.filter(comesOrGoes);
    const undone = moves.filter(({ action, object }) => action === 'delete' && this.#fresh?.delete(refKey(object)));
    if (undone.length > 0 && !foreign) {
      this.#times++;
      this.#lastAt = now;
    }
    // A round in which nothing is to come or go is the end of it.
    if (!planned.some(comesOrGoes)) this.#fresh = undefined;
    const made = moves.filter(({ action }) => action === 'create').map(({ object }) => refKey(object));
    if (made.length > 0) this.#fresh = new Set([...(this.#fresh ?? []), ...made]);
  }
}

const comesOrGoes = ({ action, wave }: Change): boolean =>
  wave === 'children' && (action === 'create' || action === 'delete');
