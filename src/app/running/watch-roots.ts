// Which files a watch looks at: what -f names, and beside that the directories of local hooks, with what they import.

import { dirname } from 'node:path';
import type { Definition, Hook } from '../../model/definition.ts';
import type { Files } from '../../ports/files.ts';

const GLOB = /[*?[\]{}]/;

/** Absolute, each once, sorted. */
export function watchRoots(
  paths: readonly string[],
  definitions: readonly Definition[],
  files: Pick<Files, 'resolve'>,
): readonly string[] {
  const given = paths.map((path) => files.resolve(GLOB.test(path) ? baseOf(path) : path));
  const hooks = definitions.flatMap(({ hooks }) => Object.values(hooks) as readonly Hook[]).flatMap(placesOf);
  return [...new Set([...given, ...hooks])].sort();
}

/** What stands before the first part with a pattern in it. */
function baseOf(glob: string): string {
  const parts = glob.split('/');
  const fixed = parts.slice(
    0,
    parts.findIndex((part) => GLOB.test(part)),
  );
  return fixed.length === 0 ? '.' : fixed.join('/') || '/';
}

function placesOf(hook: Hook): readonly string[] {
  if (hook.kind === 'module') return [dirname(hook.path)];
  if (hook.kind === 'jsonnet') return [dirname(hook.path), ...hook.importPaths];
  return hook.kind === 'exec' ? [hook.directory] : [];
}
