// `npm run build:jsonnet`: compiles the Jsonnet engine (Go, tools/engines/jsonnet) to WebAssembly and puts it compressed into
// engines/, with its digests and the licences of what it is made of. The same Go gives the same bytes on every machine;
// `--check` compares with what is checked in, and changes nothing. Needs Go (it fetches the one named below if it is
// another) and the Go module proxy, unless its cache holds the modules.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const GO = 'go1.26.8';
const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(import.meta.dirname, 'jsonnet');
const ENGINES = join(ROOT, 'engines');
const ARTEFACT = join(ENGINES, 'jsonnet.wasm.br');
const FACTS = join(ENGINES, 'jsonnet.json');
const LICENSES = join(ENGINES, 'jsonnet.LICENSES.txt');

export interface EngineFacts {
  readonly go: string;
  /** "github.com/google/go-jsonnet v0.22.0" and what it needs. */
  readonly modules: readonly string[];
  /** Of the files that it is compiled from, and of this script's version of Go. */
  readonly sourceSha256: string;
  readonly wasmSha256: string;
  readonly compressedSha256: string;
}

export function engineFacts(): EngineFacts {
  return JSON.parse(readFileSync(FACTS, 'utf8')) as EngineFacts;
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Line ends count as Git keeps them. */
export function sourceDigest(): string {
  const files = globSync('*', { cwd: SOURCE }).filter((file) => /[.](go|mod|sum)$/.test(file));
  const texts = files
    .sort()
    .map((file) => `${file}\0${readFileSync(join(SOURCE, file), 'utf8').replaceAll('\r\n', '\n')}\0`);
  return sha256([GO, ...texts].join('\n'));
}

function go(...args: string[]): string {
  const fixed = { GOOS: 'wasip1', GOARCH: 'wasm', CGO_ENABLED: '0', GOTOOLCHAIN: GO, GOFLAGS: '', GOWORK: 'off' };
  const { status, error, stdout, stderr } = spawnSync('go', args, {
    cwd: SOURCE,
    env: { ...process.env, ...fixed },
    encoding: 'utf8',
  });
  if (error) throw new Error(`go can't be started: ${error.message}`);
  if (status !== 0) throw new Error(`go ${args[0]} failed:\n${stderr}`);
  return stdout;
}

function compile(): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'metactl-engine-'));
  const output = join(directory, 'jsonnet.wasm');
  // A library: its one function is called again and again. Neither paths nor times nor the state of Git get into it.
  const clean = ['-trimpath', '-buildvcs=false', '-mod=readonly', '-ldflags=-s -w -buildid='];
  try {
    go('build', '-buildmode=c-shared', ...clean, '-o', output, '.');
    return readFileSync(output);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Module {
  readonly name: string;
  readonly directory: string;
}

/** What is linked in, without our own. */
function modules(): Module[] {
  const lines = go(
    'list',
    '-deps',
    '-f',
    '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}',
    '.',
  );
  const named = [...new Set(lines.split('\n').filter((line) => line !== ''))].sort().map((line) => line.split('\t'));
  return named.map(([name = '', directory = '']) => ({ name, directory }));
}

function licenses(linked: readonly Module[]): string {
  const all = [...linked, { name: `${GO}, its standard library`, directory: go('env', 'GOROOT').trim() }];
  const texts = all.map(({ name, directory }) => {
    const [file] = globSync('LICEN[CS]E*', { cwd: directory }).sort();
    if (file === undefined) throw new Error(`${name} has no licence in ${directory}`);
    return `==== ${name}\n\n${readFileSync(join(directory, file), 'utf8').trim()}\n`;
  });
  return texts.join('\n');
}

function check(wasm: Buffer): void {
  const built = sha256(wasm);
  const { wasmSha256 } = engineFacts();
  if (built !== wasmSha256)
    throw new Error(`engines/jsonnet.wasm.br holds ${wasmSha256}, its sources give ${built}: npm run build:jsonnet`);
  console.log('engines/jsonnet.wasm.br is what its sources give');
}

function write(wasm: Buffer): void {
  const linked = modules();
  const compressed = brotliCompressSync(wasm, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: wasm.length,
    },
  });
  const facts: EngineFacts = {
    go: GO,
    modules: linked.map(({ name }) => name),
    sourceSha256: sourceDigest(),
    wasmSha256: sha256(wasm),
    compressedSha256: sha256(compressed),
  };
  mkdirSync(ENGINES, { recursive: true });
  writeFileSync(ARTEFACT, compressed);
  writeFileSync(LICENSES, licenses(linked));
  writeFileSync(FACTS, `${JSON.stringify(facts, undefined, 2)}\n`);
  console.log(`engines/jsonnet.wasm.br: ${compressed.length} bytes, ${wasm.length} unpacked`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const wasm = compile();
  if (process.argv.includes('--check')) check(wasm);
  else write(wasm);
}
