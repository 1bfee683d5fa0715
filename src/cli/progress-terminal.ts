// Progress on a terminal: one listr2 task for each phase (plan, apply, wait), never one for each object: listr2's
// renderer takes time quadratic in the number of tasks. Everything is drawn on stderr.

import { Listr, ListrLogger, type ListrTaskWrapper, ProcessOutput } from 'listr2';
import type { Progress } from '../model/progress.ts';
import type { ProgressView } from './progress-view.ts';
import { describeOutcome, describeWaiting } from './progress-words.ts';

type Phase = 'Plan' | 'Apply' | 'Wait';
type Task = ListrTaskWrapper<unknown, never, never>;

/** A task that is being drawn, from the outside: listr2 wants a promise that ends it. */
interface Running {
  readonly phase: Phase;
  readonly task: Promise<Task>;
  readonly finish: () => void;
  readonly drawn: Promise<unknown>;
}

export class TerminalProgress implements ProgressView {
  readonly #color: boolean;
  #running: Running | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  #planned = 0;
  #changes = 0;
  #failed = 0;

  constructor(color: boolean) {
    this.#color = color;
    this.#show('Plan', 'Plan');
  }

  take(progress: Progress): void {
    if (progress.kind === 'parent.planned') {
      this.#planned++;
      if (this.#running?.phase !== 'Apply') this.#show('Plan', `Plan: ${this.#planned} parents`);
    } else if (progress.kind === 'change.end') {
      if (progress.outcome.kind === 'failed') this.#failed++;
      else if (progress.outcome.kind === 'done') this.#changes++;
      this.#show('Apply', this.#applyTitle(), describeOutcome(progress.change, progress.outcome));
    } else if (progress.kind === 'waiting') {
      this.#show('Wait', describeWaiting(progress.on, progress.elapsedMs));
    }
  }

  async pause(): Promise<void> {
    this.#finish();
    await this.#ending;
  }

  async end(): Promise<void> {
    await this.pause();
  }

  #applyTitle(): string {
    return `Apply: ${this.#changes} done${this.#failed > 0 ? `, ${this.#failed} failed` : ''}`;
  }

  /** Phases come in turns (apply, wait, apply …); a new one starts when the old one is off the screen. */
  #show(phase: Phase, title: string, output?: string): void {
    if (this.#running?.phase !== phase) {
      this.#finish();
      this.#running = this.#start(phase, title);
    }
    const { task } = this.#running as Running;
    this.#ending = Promise.all([this.#ending, task.then((wrapper) => update(wrapper, title, output))]);
  }

  #start(phase: Phase, title: string): Running {
    const before = this.#ending;
    const started = Promise.withResolvers<Task>();
    const finished = Promise.withResolvers<void>();
    const run = async (task: Task): Promise<void> => {
      started.resolve(task);
      await finished.promise;
    };
    // Not before the last one has ended: what is made here takes stderr's write as it is now, and while another list is on
    // the screen that is a buffer of listr2's, which nobody empties any more.
    const drawn = before.then(() => this.#list(title, run).run());
    return { phase, task: started.promise, finish: () => finished.resolve(), drawn };
  }

  #list(title: string, run: (task: Task) => Promise<void>): Listr {
    return new Listr([{ title, task: (_context, task) => run(task as unknown as Task) }], {
      renderer: 'default',
      fallbackRendererCondition: false,
      registerSignalListeners: false,
      rendererOptions: {
        logger: new ListrLogger({ processOutput: new ProcessOutput(process.stderr, process.stderr) }),
        ...(this.#color ? {} : { color: {} }),
      },
    });
  }

  #finish(): void {
    if (!this.#running) return;
    const { finish, drawn } = this.#running;
    const { phase, task } = this.#running;
    this.#running = undefined;
    // listr2 ticks off what ends: that is no promise that the objects are there now.
    if (phase === 'Wait')
      this.#ending = Promise.all([this.#ending, task.then((wrapper) => update(wrapper, 'Waited', undefined))]);
    // Its last update first, then its end, then whoever comes next.
    this.#ending = this.#ending.then(finish).then(() => drawn);
  }
}

function update(task: Task, title: string, output: string | undefined): void {
  task.title = title;
  if (output !== undefined) task.output = output;
}
