// What is remembered of a parent from round to round, to tell what moves by itself from what goes round in circles.

import type { Clock } from '../kit/clock.ts';
import type { KubeObject } from '../model/object.ts';
import { type Change, changesOfParent, isWrite, type ParentPlan } from '../model/plan.ts';
import { refKey } from '../model/ref.ts';
import type { CacheChange } from '../ports/cache.ts';
import { DesiredChanges } from './desired-changes.ts';
import { ShortLived } from './short-lived.ts';
import type { RoundFacts, Verdict } from './stability.ts';

export class Course {
  /** Its status was put off in the last round. */
  statusOwed = false;
  readonly #clock: Clock;
  readonly #desired: DesiredChanges;
  readonly #shortLived = new ShortLived();
  /** In this round: not by the parent's own rounds, since the last one. */
  #moved: readonly CacheChange[] = [];
  /** In the last round something came, went or rolled on: what is said of that in the next one is news. */
  #movedOn = false;
  /** What was to do so in the last round, and did not: no news when it is planned again. */
  #stuck: ReadonlySet<string> = new Set();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#desired = new DesiredChanges(clock);
  }

  /** A round begins. `moved`: not by the parent's own rounds, since the last one. */
  begin(moved: readonly CacheChange[], parent: KubeObject): void {
    this.#moved = moved;
    this.#desired.see(moved, parent);
    this.#shortLived.see(moved, { now: this.#clock.steady(), desiredAt: this.#desired.at });
  }

  /** Of the round, once it is planned. News: more than what follows from its own updates. */
  factsOf(plan: ParentPlan): RoundFacts {
    const moving = movesIn(plan).some((change) => !this.#stuck.has(moveOf(change)));
    const news = this.#moved.length > 0 || this.#movedOn || moving;
    return { news, now: this.#clock.steady(), desiredAt: this.#desired.at };
  }

  /** undefined: nothing is wrong with it. */
  judge(change: Change, { now }: RoundFacts): Verdict | undefined {
    return this.#shortLived.judge(change, now);
  }

  /** The round has ended, and these have gone through. */
  end(plan: ParentPlan, done: readonly Change[]): void {
    this.#shortLived.end(movesIn(plan), done, { now: this.#clock.steady(), foreign: this.#moved.length > 0 });
    this.#moved = [];
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
