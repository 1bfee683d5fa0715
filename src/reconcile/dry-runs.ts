// Dry runs of server-side apply for one run: each pair of what is applied and what it is applied to is asked once, whoever
// plans it, and how often. Who may not ask is told so once for each resource, and not again for a while.

import type { Clock } from '../kit/clock.ts';
import type { Limiter } from '../kit/concurrency.ts';
import type { DryRunAnswer, DryRunNeed } from '../model/need.ts';
import { groupResourceOf } from '../model/resource.ts';
import type { Predictor } from '../ports/predict.ts';
import { dryRun } from './dry-run.ts';

/** What a driver of the planner needs of it. */
export interface DryRunner {
  ask(need: DryRunNeed): Promise<DryRunAnswer>;
}

export interface DryRunsOptions {
  readonly predictor: Predictor;
  readonly clock: Clock;
  /** Bounds the requests in flight. */
  readonly limit: Limiter;
}

type Outcome = DryRunAnswer['outcome'];
type Refused = Extract<DryRunAnswer, { outcome: 'refused' }>;

/** "unchanged" and conflicts, a hundred bytes each; objects, a few kilobytes. What is forgotten costs a call. */
const MOST_SMALL = 50_000;
const MOST_OBJECTS = 1_000;
/** Rights may be given meanwhile. */
const REFUSED_FOR_MS = 60_000;

export class DryRuns implements DryRunner {
  readonly #options: DryRunsOptions;
  readonly #small = new Recent<DryRunAnswer>(MOST_SMALL);
  readonly #objects = new Recent<DryRunAnswer>(MOST_OBJECTS);
  readonly #inFlight = new Map<string, Promise<DryRunAnswer>>();
  /** Resource in a namespace → the first dry run there: the others wait for what becomes of it. */
  readonly #first = new Map<string, Promise<unknown>>();
  readonly #refused = new Map<string, { readonly answer: Refused; readonly until: number }>();

  constructor(options: DryRunsOptions) {
    this.#options = options;
  }

  async ask(need: DryRunNeed): Promise<DryRunAnswer> {
    const { id } = need;
    const known = this.#small.get(id) ?? this.#objects.get(id);
    if (known) return known;
    const asking = this.#inFlight.get(id) ?? this.#askNow(need).finally(() => this.#inFlight.delete(id));
    this.#inFlight.set(id, asking);
    return asking;
  }

  async #askNow(need: DryRunNeed): Promise<DryRunAnswer> {
    const place = `${groupResourceOf(need.type)} ${need.object.metadata.namespace ?? ''}`;
    const first = this.#first.get(place);
    if (first) await first.catch(() => undefined); // Whoever asked it is told of the error.
    const refused = this.#refused.get(place);
    if (refused && this.#options.clock.steady() < refused.until) return { ...refused.answer, id: need.id };
    const asking = this.#options.limit(() => dryRun(need, this.#options.predictor));
    if (!first) this.#first.set(place, asking);
    const answer = await asking;
    this.#keep(answer, place);
    return answer;
  }

  /** What the server refuses, or what has moved, may be another thing soon. */
  #keep(answer: DryRunAnswer, place: string): void {
    const keep: Partial<Record<Outcome, Recent<DryRunAnswer>>> = {
      unchanged: this.#small,
      conflicts: this.#small,
      applied: this.#objects,
    };
    keep[answer.outcome]?.set(answer.id, answer);
    if (answer.outcome !== 'refused') return;
    this.#refused.set(place, { answer, until: this.#options.clock.steady() + REFUSED_FOR_MS });
  }
}

/** The last so many, by when they were asked for. */
class Recent<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest);
  }
}
