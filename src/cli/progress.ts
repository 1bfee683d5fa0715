// Who shows the stream of Progress: tasks that are redrawn on a terminal, plain lines elsewhere, nobody with --quiet.
// All of it goes to stderr.

import type { Clock } from '../kit/clock.ts';
import { PlainProgress } from './progress-plain.ts';
import type { ProgressView } from './progress-view.ts';
import type { Streams } from './streams.ts';

const SILENT: ProgressView = { take: () => undefined, pause: async () => undefined, end: async () => undefined };

export interface ProgressChoice {
  readonly quiet: boolean;
  readonly color: boolean;
  readonly ascii: boolean;
  readonly clock: Clock;
  readonly streams: Streams;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export async function openProgress(choice: ProgressChoice): Promise<ProgressView> {
  const { stderr } = choice.streams;
  if (choice.quiet) return SILENT;
  if (!canRedraw(choice)) return new PlainProgress((line) => void stderr.write(`${line}\n`), choice.clock);
  const { TerminalProgress } = await import('./progress-terminal.ts');
  return new TerminalProgress(choice.color);
}

/**
 * A terminal without a width (a bare pty) can't be redrawn on. listr2 draws only where stdout is a terminal too; and what
 * reads stdout (a pager) may well write to the same screen.
 */
export function canRedraw({
  streams,
  variables,
  ascii,
}: Pick<ProgressChoice, 'streams' | 'variables' | 'ascii'>): boolean {
  const { stdout, stderr } = streams;
  const terminal = stdout.isTTY && stderr.isTTY && stderr.columns;
  return Boolean(terminal) && variables['TERM'] !== 'dumb' && !variables['CI'] && !ascii;
}
