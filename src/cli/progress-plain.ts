// Progress where there is no terminal: a line on stderr for each change that ended, and while it waits, a sign of life
// every ten seconds. A quiet plan prints nothing.

import type { Clock } from '../kit/clock.ts';
import type { WaitingOn } from '../model/plan.ts';
import type { Progress } from '../model/progress.ts';
import type { ProgressView } from './progress-view.ts';
import { describeOutcome, describeWaiting } from './progress-words.ts';

const HEARTBEAT_MS = 10_000;

export class PlainProgress implements ProgressView {
  readonly #write: (line: string) => void;
  readonly #clock: Clock;
  #lastLineAt: number;
  /** What the next sign of life says. */
  #doing: () => string = () => 'planning';
  #waiting = false;
  #planned = 0;
  #cancelBeat: (() => void) | undefined;

  constructor(write: (line: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
    this.#lastLineAt = clock.steady();
    this.#scheduleBeat();
  }

  take(progress: Progress): void {
    if (progress.kind === 'waiting') {
      this.#wait(progress.on, this.#clock.steady() - progress.elapsedMs);
    } else if (progress.kind === 'parent.planned') {
      const planned = ++this.#planned;
      this.#now(() => `planning: ${planned} done`);
    } else if (progress.kind === 'change.begin') {
      this.#now(() => 'applying');
    } else if (progress.kind === 'change.end') {
      this.#now(() => 'applying');
      this.#line(describeOutcome(progress.change, progress.outcome));
    }
    if (!this.#cancelBeat) this.#scheduleBeat();
  }

  async pause(): Promise<void> {
    this.#cancelBeat?.();
    this.#cancelBeat = undefined;
  }

  async end(): Promise<void> {
    await this.pause();
  }

  #now(doing: () => string): void {
    this.#doing = doing;
    this.#waiting = false;
  }

  /** The first word about waiting comes at once, the rest in the rhythm of the heartbeat. */
  #wait(on: readonly WaitingOn[], since: number): void {
    const first = !this.#waiting;
    this.#now(() => describeWaiting(on, this.#clock.steady() - since));
    this.#waiting = true;
    if (first) this.#line(this.#doing());
  }

  #line(text: string): void {
    this.#lastLineAt = this.#clock.steady();
    this.#write(text);
  }

  #scheduleBeat(): void {
    const dueIn = this.#lastLineAt + HEARTBEAT_MS - this.#clock.steady();
    // A line that came meanwhile has moved the time: look again then.
    this.#cancelBeat = this.#clock.schedule(Math.max(1, dueIn), () => {
      if (this.#clock.steady() - this.#lastLineAt >= HEARTBEAT_MS) this.#line(this.#doing());
      this.#scheduleBeat();
    });
  }
}
