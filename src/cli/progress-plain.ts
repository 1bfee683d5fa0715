// Progress where there is no terminal: a line on stderr for each change that ended, and while it waits, a sign of life
// every ten seconds. A quiet plan prints nothing.

import type { Clock } from '../kit/clock.ts';
import type { Progress } from '../model/progress.ts';
import type { ProgressView } from './progress-view.ts';
import { describeOutcome, describeWaiting } from './progress-words.ts';

export const HEARTBEAT_MS = 10_000;

export class PlainProgress implements ProgressView {
  readonly #write: (line: string) => void;
  readonly #clock: Clock;
  #lastLineAt: number;
  #doing = 'planning';
  #planned = 0;
  #cancelBeat: (() => void) | undefined;

  constructor(write: (line: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
    this.#lastLineAt = clock.now();
    this.#scheduleBeat(HEARTBEAT_MS);
  }

  take(progress: Progress): void {
    if (progress.kind === 'change.end') this.#line(describeOutcome(progress.change, progress.outcome));
    else if (progress.kind === 'waiting') this.#wait(describeWaiting(progress.on, progress.elapsedMs));
    else if (progress.kind === 'parent.planned') this.#doing = `planning: ${++this.#planned} parents done`;
    else if (progress.kind === 'change.begin') this.#doing = 'applying';
  }

  async pause(): Promise<void> {
    this.#cancelBeat?.();
    this.#cancelBeat = undefined;
  }

  async end(): Promise<void> {
    await this.pause();
  }

  /** The first word about waiting comes at once, the rest in the rhythm of the heartbeat. */
  #wait(line: string): void {
    const first = !this.#doing.startsWith('waiting');
    this.#doing = line;
    if (first || this.#clock.now() - this.#lastLineAt >= HEARTBEAT_MS) this.#line(line);
  }

  #line(text: string): void {
    this.#lastLineAt = this.#clock.now();
    this.#write(text);
    if (!this.#cancelBeat) this.#scheduleBeat(HEARTBEAT_MS);
  }

  #scheduleBeat(ms: number): void {
    this.#cancelBeat = this.#clock.schedule(ms, () => {
      const quietFor = this.#clock.now() - this.#lastLineAt;
      if (quietFor >= HEARTBEAT_MS) {
        this.#lastLineAt = this.#clock.now();
        this.#write(this.#doing);
      }
      this.#scheduleBeat(Math.max(1, HEARTBEAT_MS - (this.#clock.now() - this.#lastLineAt)));
    });
  }
}
