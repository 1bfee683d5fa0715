// What is remembered of a parent from round to round, to tell what moves by itself from what goes round in circles.

import type { Clock } from '../kit/clock.ts';
import type { KubeObject } from '../model/object.ts';
import { type Change, changesOfParent, isWrite, type ParentPlan } from '../model/plan.ts';
import { refKey } from '../model/ref.ts';
import type { CacheChange } from '../ports/cache.ts';
import { DesiredChanges } from './desired-changes.ts';

export class Course {
  /** Its status was put off in the last round. */
  statusOwed = false;
  readonly #desired: DesiredChanges;
  /** In the last round something came, went or rolled on: what is said of that in the next one is news. */
  #movedOn = false;
  /** What was to do so in the last round, and did not: no news when it is planned again. */
  #stuck: ReadonlySet<string> = new Set();

  constructor(clock: Clock) {
    this.#desired = new DesiredChanges(clock);
  }

  /** Steady time at which somebody else last changed what is desired. */
  get desiredAt(): number {
    return this.#desired.at;
  }

  /** A round begins. `moved`: not by the parent's own rounds, since the last one. */
  begin(moved: readonly CacheChange[], parent: KubeObject): void {
    this.#desired.see(moved, parent);
  }

  /** Is this more than what follows from its own updates? */
  isNews(moved: readonly CacheChange[], plan: ParentPlan): boolean {
    return moved.length > 0 || this.#movedOn || movesIn(plan).some((change) => !this.#stuck.has(moveOf(change)));
  }

  /** The round has ended, and these have gone through. */
  end(plan: ParentPlan, done: readonly Change[]): void {
    this.#movedOn = done.some(movesOn);
    const through = new Set(done.map(moveOf));
    this.#stuck = new Set(
      movesIn(plan)
        .map(moveOf)
        .filter((move) => !through.has(move)),
    );
  }
}

const movesIn = (plan: ParentPlan): Change[] => changesOfParent(plan).filter(movesOn);

/** Creations and deletions move things on, whoever they are by; so does a rollout, which can not go on for ever. */
const movesOn = (change: Change): boolean =>
  isWrite(change) &&
  (change.action === 'create' || change.action === 'delete' || change.reasons.includes('revision_change'));

const moveOf = ({ action, object }: Change): string => `${action} ${refKey(object)}`;
