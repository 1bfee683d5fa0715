// `-o FMT[=PATH]`, which may be repeated: text on the screen and JSON in a file in one run.

import { randomUUID } from 'node:crypto';
import { lstat, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { nearest } from '../kit/suggest.ts';
import type { TextSink } from './streams.ts';

export const OUTPUT_FORMATS = ['text', 'json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface Output {
  readonly format: OutputFormat;
  /** Absent: stdout. */
  readonly path?: string;
}

/** Makes the text of one format; called only for the formats that were asked for. */
export type Rendering = Readonly<Record<OutputFormat, () => string>>;

/** Throws an Error whose message is for the user. */
export function parseOutput(text: string): Output {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const format = OUTPUT_FORMATS.find((candidate) => candidate === name);
  if (!format) {
    const meant = nearest(name, OUTPUT_FORMATS);
    throw new Error(
      `there is no output format "${name}"${meant ? `: did you mean "${meant}"?` : ` (${OUTPUT_FORMATS.join(', ')})`}`,
    );
  }
  if (equals < 0) return { format };
  const path = text.slice(equals + 1);
  if (path === '') throw new Error(`"${text}" names no file after the "="`);
  return { format, path };
}

/**
 * What goes where. Text goes to stdout unless another format does, so that a plan which is saved with -o json=FILE is
 * still seen. Throws an Error for the user when two would share one stdout: nobody could tell them apart.
 */
export function resolveOutputs(given: readonly Output[]): readonly Output[] {
  const onStdout = given.filter((output) => output.path === undefined);
  if (new Set(onStdout.map((output) => output.format)).size > 1)
    throw new Error('only one output can go to stdout: give the others a file, as in -o json=plan.json');
  const files = given.filter((output) => output.path !== undefined);
  return [onStdout[0] ?? { format: 'text' }, ...files];
}

export async function writeOutputs(outputs: readonly Output[], rendering: Rendering, stdout: TextSink): Promise<void> {
  for (const output of outputs) {
    const text = rendering[output.format]();
    if (output.path === undefined) await stdout.write(text);
    else await writeFileAtomically(output.path, text);
  }
}

/** Readers see the old file or the whole new one. A pipe or a device is written to: nothing may take its place. */
export async function writeFileAtomically(path: string, text: string, mode = 0o666): Promise<void> {
  const existing = await lstat(path).catch(absent);
  const target = existing?.isSymbolicLink() ? await realpath(path) : path;
  if (existing && !existing.isFile() && !existing.isSymbolicLink()) return writeFile(path, text);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { mode, flag: 'wx' });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
