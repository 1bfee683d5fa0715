import type { Streams, TextSink } from '../cli/index.ts';

export interface MemoryStreams extends Streams {
  readonly written: { stdout: string; stderr: string };
  /** The questions that were asked, in order. */
  readonly asked: string[];
}

/** Streams that keep what is written; `answers` are what somebody types, the end of the input after the last. */
export function memoryStreams(options: {
  readonly terminal: boolean;
  readonly answers?: readonly string[];
}): MemoryStreams {
  const written = { stdout: '', stderr: '' };
  const asked: string[] = [];
  const answers = [...(options.answers ?? [])];
  const sink = (name: 'stdout' | 'stderr'): TextSink => ({
    write: async (text) => {
      written[name] += text;
    },
    flush: async () => undefined,
    isTTY: options.terminal,
  });
  const ask = async (question: string): Promise<string | undefined> => {
    asked.push(question);
    return answers.shift();
  };
  return { written, asked, ask, stdout: sink('stdout'), stderr: sink('stderr'), stdinIsTTY: options.terminal };
}
