// Writes .oclif.manifest.json: the commands and flags as data, so that oclif loads no command but the one that runs.
// From the built commands, by oclif's own Plugin class (the `oclif` tool, which does the same, brings a hundred packages).

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Plugin } from '@oclif/core/config';
import { build } from '../build.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const MANIFEST_PATH = join(ROOT, '.oclif.manifest.json');

/** The text that the file should have. */
export async function manifestText(): Promise<string> {
  await build();
  const plugin = new Plugin({
    root: ROOT,
    type: 'core',
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  } as ConstructorParameters<typeof Plugin>[0]);
  await plugin.load();
  return `${JSON.stringify(sorted(plugin.manifest), null, 2)}\n`;
}

/** Commands in the order of their names, whatever the order of the directory; flags stay as their file has them. */
function sorted(manifest: Plugin['manifest']): Plugin['manifest'] {
  const commands = Object.entries(manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...manifest, commands: Object.fromEntries(commands) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = await manifestText();
  if (readFileSync(MANIFEST_PATH, { encoding: 'utf8', flag: 'a+' }) !== text) writeFileSync(MANIFEST_PATH, text);
}
