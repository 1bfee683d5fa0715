// The three standard streams, as far as commands use them; tests pass their own.
// stdout is for data only. Progress, questions, warnings and errors go to stderr.

/** A stream for text. `write` resolves when the text is out of our hands. */
export interface TextSink {
  write(text: string): Promise<void>;
  readonly isTTY: boolean;
  /** Resolves when everything that anybody wrote is out. */
  flush(): Promise<void>;
  /** Width of the terminal; absent where there is none. */
  readonly columns?: number;
}

export interface Streams {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Asks for one line on the terminal; undefined at the end of the input. Only to be called when it is a TTY. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly stdinIsTTY: boolean;
}

/** What could not be written, and why, as one line: the stream is named as shells name it. */
export class OutputError extends Error {
  constructor(name: string, { code, message }: NodeJS.ErrnoException) {
    super(`can't write to ${name}: ${code === 'ENOSPC' ? 'no space is left on the device (ENOSPC)' : message}`);
    this.name = 'Error';
  }
}

/**
 * Writes go to the stream one after the other. A reader that left (`| head`) is not an error of ours: what is left to
 * write is dropped without a word. Any other failure rejects the write that met it; what is written later is dropped.
 */
export function sinkOf(stream: NodeJS.WriteStream, name: string): TextSink {
  let readerLeft = false;
  let broken = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    readerLeft ||= error.code === 'EPIPE';
  };
  stream.on('error', onError);
  // oclif adds a listener that throws, past everything that could say what happened: ours is to be the only one.
  const silenceOthers = (): void => {
    for (const listener of stream.listeners('error'))
      if (listener !== onError) stream.removeListener('error', listener as () => void);
  };
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (readerLeft || broken) return resolve();
      const fail = (error: NodeJS.ErrnoException): void => {
        broken = true;
        reject(new OutputError(name, error));
      };
      silenceOthers();
      try {
        stream.write(text, (error) => {
          const code = (error as NodeJS.ErrnoException | null | undefined)?.code;
          if (error && code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') fail(error);
          else resolve();
        });
      } catch (error) {
        // A file is written at once, and its stream throws.
        fail(error as NodeJS.ErrnoException);
      }
    });
  return {
    write,
    flush: () => write(''),
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns;
    },
  } as TextSink;
}

let shared: Streams | undefined;

/** The process's own streams. One set only: listeners are added once. */
export function processStreams(): Streams {
  shared ??= {
    stdout: sinkOf(process.stdout, 'standard output'),
    stderr: sinkOf(process.stderr, 'standard error'),
    ask: askOnTerminal,
    stdinIsTTY: process.stdin.isTTY === true,
  };
  return shared;
}

async function askOnTerminal(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      prompt.once('close', () => resolve(undefined));
      // readline takes Ctrl-C for itself while it reads: pass it on to the handler of src/cli/signals.ts.
      prompt.once('SIGINT', () => {
        process.kill(process.pid, 'SIGINT');
        resolve(undefined);
      });
      prompt.question(question).then(resolve, reject);
    });
  } finally {
    prompt.close();
  }
}
