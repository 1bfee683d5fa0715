// A few lines at the foot of a terminal that are drawn anew in place, and step aside when something is printed above them:
// one listr2 task whose output they are. Drawn on stderr.

import { Listr, ListrLogger, type ListrTaskWrapper, ProcessOutput } from 'listr2';

type Task = ListrTaskWrapper<unknown, never, never>;

interface Drawn {
  readonly task: Promise<Task>;
  readonly finish: () => void;
  readonly ended: Promise<unknown>;
}

export class LiveLines {
  readonly #color: boolean;
  #drawn: Drawn | undefined;

  constructor(color: boolean) {
    this.#color = color;
  }

  show(title: string, lines: readonly string[]): void {
    this.#drawn ??= this.#start(title);
    void this.#drawn.task.then((task) => {
      task.title = title;
      task.output = lines.join('\n');
    });
  }

  /** Off the screen, until the next show(). */
  async pause(): Promise<void> {
    const drawn = this.#drawn;
    this.#drawn = undefined;
    if (!drawn) return;
    await drawn.task;
    drawn.finish();
    await drawn.ended;
  }

  #start(title: string): Drawn {
    const started = Promise.withResolvers<Task>();
    const finished = Promise.withResolvers<void>();
    const run = async (_context: unknown, task: Task): Promise<void> => {
      started.resolve(task);
      await finished.promise;
    };
    const list = new Listr([{ title, task: (context, task) => run(context, task as unknown as Task) }], {
      renderer: 'default',
      fallbackRendererCondition: false,
      registerSignalListeners: false,
      rendererOptions: {
        clearOutput: true,
        logger: new ListrLogger({ processOutput: new ProcessOutput(process.stderr, process.stderr) }),
        ...(this.#color ? {} : { color: {} }),
      },
    });
    return { task: started.promise, finish: () => finished.resolve(), ended: list.run() };
  }
}
