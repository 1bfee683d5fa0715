// A directory with the declarations of metactl in its node_modules, as an installation has them, in which tsc checks programs.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeTypes } from '../../tools/build.ts';

const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/.bin/tsc');

export interface TypedProject {
  readonly path: string;
  /** What tsc has to say of these files; nothing: they compile. `options` beside those that `metactl init` writes. */
  check(files: Readonly<Record<string, string>>, options?: Readonly<Record<string, unknown>>): string;
  /** The same of a directory below the project's that has a tsconfig.json of its own. */
  checkDirectory(path: string): string;
  remove(): Promise<void>;
}

const OPTIONS = { strict: true, noEmit: true, target: 'es2024', module: 'nodenext', skipLibCheck: true, types: [] };

/** tsc writes the declarations first, which takes some seconds: once for all tests of a file. */
export async function typedProject(): Promise<TypedProject> {
  const path = await mkdtemp(join(tmpdir(), 'metactl-types-'));
  const installed = join(path, 'node_modules', 'metactl');
  await mkdir(installed, { recursive: true });
  await cp(join(ROOT, 'package.json'), join(installed, 'package.json'));
  // For programs that say `types: ['node']`.
  for (const name of ['@types', 'undici-types'])
    await symlink(join(ROOT, 'node_modules', name), join(path, 'node_modules', name));
  try {
    writeTypes(join(installed, 'dist', 'types'));
  } catch (error) {
    await rm(path, { recursive: true, force: true });
    throw error;
  }
  const checkDirectory = (directory: string): string => {
    const { status, stdout, error } = spawnSync(TSC, ['--project', directory], { encoding: 'utf8' });
    if (error) throw error;
    if (status !== 0 && stdout === '') throw new Error(`tsc ended with ${status} and said nothing`);
    return stdout;
  };
  let number = 0;
  return {
    path,
    checkDirectory,
    check: (files, options = {}) => {
      const directory = join(path, `program-${number++}`);
      const all = {
        ...files,
        'package.json': '{"type": "module"}',
        'tsconfig.json': JSON.stringify({ compilerOptions: { ...OPTIONS, ...options } }),
      };
      for (const [name, text] of Object.entries(all)) {
        mkdirSync(dirname(join(directory, name)), { recursive: true });
        writeFileSync(join(directory, name), text);
      }
      return checkDirectory(directory);
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
