// `npm run build`: bundles the program into dist/. One bundle with code splitting: every command, the library's face and
// the hook worker are entry points, what they share becomes chunks, so that a command loads what it uses and no more.
//
// The new dist/ is built beside the old one and takes its place at the end: a build that fails leaves the old one, and
// two builds at once (tests in parallel) can't mix their files. dist/build.json holds a digest of the sources; when it
// still matches there is nothing to do. `--types` also writes dist/types (slower; a release needs them, a run does not).

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle, type Plugin } from 'esbuild';
import { COMPILED_CHECKS } from './compiled-checks.ts';
import { vendorTypes } from './vendor-types.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const OLDEST_NODE = 'node22.22';
const SOURCES = [
  'src/**/*',
  'commands/**/*',
  'package.json',
  'package-lock.json',
  'tools/{build,compiled-checks,vendor-types}.ts',
];

/** CommonJS packages inside the bundle (oclif's core) look for these. */
export const COMMONJS_NAMES = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = import.meta.dirname;',
].join('\n');

/** Asked for by packages when they are there; they are not. */
const OPTIONAL_PACKAGES = ['typescript', 'ts-node', 'tsx', 'bufferutil', 'utf-8-validate', 'pnpapi'];

const NOT_TESTS = (file: string): boolean => !file.endsWith('.test.ts') && !file.includes('/testing/');

/** Looked for beside the code that starts them (`startedBy`), which becomes part of a chunk. */
const WORKERS = [
  { in: 'src/hooks/module/worker.ts', out: 'chunks/hook-worker', startedBy: 'src/hooks/module/worker-entry.ts' },
  { in: 'src/hooks/jsonnet/worker.ts', out: 'chunks/jsonnet-worker', startedBy: 'src/hooks/jsonnet/worker-entry.ts' },
];

function entryPoints(): { in: string; out: string }[] {
  const faces = ['src/cli/main.ts', 'src/index.ts', 'src/sdk/index.ts'];
  const commands = globSync('commands/**/*.ts', { cwd: ROOT }).filter(NOT_TESTS).sort();
  const named = [...commands, ...faces].map((file) => ({ in: file, out: file.replace(/[.]ts$/, '') }));
  const workers = WORKERS.map((worker) => ({ in: worker.in, out: worker.out }));
  return [...named, ...workers].filter((entry) => existsSync(join(ROOT, entry.in)));
}

/** Equal for equal sources: tests and documents do not count. */
function digestOfSources(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(NOT_TESTS)
    .sort();
  for (const file of files)
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

function builtDigest(): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(DIST, 'build.json'), 'utf8')) as { digest?: string }).digest;
  } catch {
    return undefined; // no build yet, or half of one: build
  }
}

/** Makes dist/ current. Returns false when it was already. */
export async function build(options: { readonly types?: boolean } = {}): Promise<boolean> {
  const digest = digestOfSources();
  const current = builtDigest() === digest && (!options.types || existsSync(join(DIST, 'types')));
  if (current) return false;
  const fresh = join(ROOT, `dist.${process.pid}.tmp`);
  try {
    await bundleInto(fresh);
    if (options.types) writeTypes(join(fresh, 'types'));
    writeFileSync(join(fresh, 'build.json'), `${JSON.stringify({ digest })}\n`);
    putInPlace(fresh, digest);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return true;
}

/**
 * undici is CommonJS, and `await import()` of such a package gives a bundle its default export only. Inside the bundle it is
 * entered through a module that names its exports.
 */
export const UNDICI_BY_NAME: Plugin = {
  name: 'undici-by-name',
  setup(bundler) {
    const file = createRequire(import.meta.url).resolve('undici');
    bundler.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'by-name' }));
    bundler.onLoad({ filter: /.*/, namespace: 'by-name' }, async () => {
      const names = Object.keys(await import('undici')).filter(
        (name) => name !== 'default' && name !== 'module.exports',
      );
      return { contents: `export { ${names.join(', ')} } from ${JSON.stringify(file)};`, resolveDir: ROOT };
    });
  },
};

async function bundleInto(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const { metafile } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: entryPoints(),
    outdir: directory,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: OLDEST_NODE,
    chunkNames: 'chunks/[name]-[hash]',
    banner: { js: COMMONJS_NAMES },
    external: OPTIONAL_PACKAGES,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    logLevel: 'warning',
    metafile: true,
    plugins: [UNDICI_BY_NAME, COMPILED_CHECKS],
  });
  const starters = WORKERS.map(({ startedBy }) => startedBy);
  const holders = Object.entries(metafile.outputs).filter(([, output]) =>
    starters.some((file) => file in output.inputs),
  );
  const stray = holders.find(([file]) => !file.includes('/chunks/'));
  if (stray) throw new Error(`${stray[0]} starts a worker of hooks, and would not find it: it must be a chunk`);
}

/** Declarations of what `exports` in package.json lead to. */
export function writeTypes(directory: string): void {
  const result = spawnSync(
    join(ROOT, 'node_modules/.bin/tsc'),
    ['--project', 'tsconfig.types.json', '--outDir', directory],
    {
      cwd: ROOT,
      stdio: 'inherit',
    },
  );
  if (result.status !== 0) throw new Error('tsc could not write the type declarations');
  vendorTypes(directory);
}

/** A rename can't replace a full directory: the old one steps aside first. */
function putInPlace(fresh: string, digest: string): void {
  const old = join(ROOT, `dist.${process.pid}.old.tmp`);
  try {
    if (existsSync(DIST)) renameSync(DIST, old);
    renameSync(fresh, DIST);
  } catch (error) {
    // Another build of the same sources was quicker.
    if (builtDigest() !== digest) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const types = process.argv.includes('--types');
  console.log((await build({ types })) ? 'dist/ built' : 'dist/ is current');
}
