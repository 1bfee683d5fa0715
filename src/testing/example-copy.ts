// A directory of examples/ for one test: a copy with an API group and a namespace of its own, as a server is shared by all
// tests, and with files that the test may change.

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestTarget } from './targets.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');

export interface ExampleCopy {
  readonly path: string;
  /** In place of the one in the files. */
  readonly group: string;
  readonly namespace: string;
  /** In one of its files, every occurrence; that there is none is an error. */
  replace(file: string, from: string, to: string): Promise<void>;
  remove(): Promise<void>;
}

export interface ExampleSource {
  /** Its directory. */
  readonly name: string;
  /** Its API group in the files. */
  readonly group: string;
  /** Tells apart the copies of one example. */
  readonly prefix?: string;
}

export async function copyExample(
  { name, group, prefix = name }: ExampleSource,
  target: TestTarget,
): Promise<ExampleCopy> {
  const path = await mkdtemp(join(tmpdir(), `metactl-${name}-`));
  const own = { group: `${prefix}-${target.kind}.${group}`, namespace: await target.namespace() };
  await cp(join(EXAMPLES, name), path, { recursive: true });
  for (const file of await readdir(path)) {
    if (!file.endsWith('.yaml')) continue;
    const text = await readFile(join(path, file), 'utf8');
    const moved = text.replaceAll(group, own.group).replaceAll('namespace: default', `namespace: ${own.namespace}`);
    await writeFile(join(path, file), moved);
  }
  return {
    path,
    ...own,
    replace: async (file, from, to) => {
      const text = await readFile(join(path, file), 'utf8');
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      await writeFile(join(path, file), text.replaceAll(from, to));
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
