// A script of ours as one file, bundled as the program is: so that a peer does not lose time to stripping types.

import { join } from 'node:path';
import { build } from 'esbuild';
import { COMMONJS_NAMES, UNDICI_BY_NAME } from '../tools/build.ts';
import { COMPILED_CHECKS } from '../tools/compiled-checks.ts';
import { temporaryDirectory } from './servers.ts';

export async function bundled(name: string): Promise<string> {
  const outfile = join(temporaryDirectory('bundle'), `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: COMMONJS_NAMES },
    plugins: [UNDICI_BY_NAME, COMPILED_CHECKS],
    logLevel: 'error',
  });
  return outfile;
}
