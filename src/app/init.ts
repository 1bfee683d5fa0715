// `metactl init`: the directory of a new controller. It is there whole or not at all: the files are written beside it and then take its
// place in one step.

import { mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { groupProblem, nameProblem, type ScaffoldOptions, scaffoldFiles } from '../scaffold/index.ts';

export interface InitOptions extends ScaffoldOptions {
  /** Must not be there, or be empty. */
  readonly directory: string;
}

export interface InitOutcome {
  /** In the order in which they are to be read; absent: nothing was written. */
  readonly files?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function initController(options: InitOptions): Promise<InitOutcome> {
  const wrong = problemsOf(options);
  if (wrong.length > 0) return { diagnostics: wrong };
  const files = scaffoldFiles(options);
  const target = resolve(options.directory);
  // It would be another directory of that name, and the shell would stay in the old one.
  if (target === resolve('.')) return { diagnostics: [cannot(options.directory, 'it is the working directory')] };
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeTogether(target, files);
  } catch (error) {
    const refused = await refusal(error, options.directory);
    if (!refused) throw error;
    return { diagnostics: [refused] };
  }
  return { files: [...files.keys()], diagnostics: [] };
}

async function writeTogether(target: string, files: ReadonlyMap<string, string>): Promise<void> {
  // A rename takes the place of an empty directory, but not on every system: it goes first. What is in use is not removed.
  await rmdir(target).catch(unlessAbsent);
  const beside = await mkdtemp(join(dirname(target), '.metactl-init-'));
  try {
    const made = join(beside, 'made');
    await mkdir(made);
    for (const [path, text] of files) await writeFile(join(made, path), text, { flag: 'wx' });
    await rename(made, target);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

function unlessAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

function problemsOf({ name, group }: InitOptions): Diagnostic[] {
  const of = (what: string, value: string, problem: string | undefined): Diagnostic[] =>
    problem === undefined
      ? []
      : [{ severity: 'error', code: 'usage', summary: `The ${what} ${JSON.stringify(value)} ${problem}` }];
  return [...of('name', name, nameProblem(name)), ...of('group', group, groupProblem(group))];
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTDIR: 'it, or something above it, is a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no space left',
  ENAMETOOLONG: 'its path is too long',
};

async function refusal(error: unknown, directory: string): Promise<Diagnostic | undefined> {
  const code = String((error as NodeJS.ErrnoException).code);
  if (code === 'ENOTEMPTY' || code === 'EEXIST')
    return cannot(directory, `it is there, and has ${await content(directory)}`);
  const reason = REASONS[code];
  return reason === undefined ? undefined : cannot(directory, reason);
}

/** "README.md, crd.yaml and 5 more" */
async function content(directory: string): Promise<string> {
  const names = (await readdir(directory)).sort();
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

function cannot(directory: string, reason: string): Diagnostic {
  const hint = 'Nothing was written. Say another directory with --dir, or another name.';
  return { severity: 'error', code: 'usage', summary: `Can not make ${directory}: ${reason}`, hint };
}
