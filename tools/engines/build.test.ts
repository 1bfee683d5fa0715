// That the sources give these bytes is checked where Go is (`npm run build:jsonnet -- --check`, in CI); here, everywhere, that
// nobody changed one of them and forgot the other.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { engineFacts, sha256, sourceDigest } from './build.ts';

const ENGINES = join(import.meta.dirname, '../../engines');

test('the Jsonnet engine was built from these sources', () => {
  assert.equal(engineFacts().sourceSha256, sourceDigest(), 'npm run build:jsonnet');
});

test('its file has the bytes that were built', () => {
  const compressed = readFileSync(join(ENGINES, 'jsonnet.wasm.br'));
  const { compressedSha256, wasmSha256, modules } = engineFacts();
  assert.equal(sha256(compressed), compressedSha256);
  assert.equal(sha256(brotliDecompressSync(compressed)), wasmSha256);
  const licenses = readFileSync(join(ENGINES, 'jsonnet.LICENSES.txt'), 'utf8');
  for (const name of modules) assert.ok(licenses.includes(`==== ${name}\n`), `the licence of ${name}`);
});

test('the engine asks for nothing but WASI and our four functions', async () => {
  const { wasm } = await import('../../src/hooks/jsonnet/webassembly.ts');
  const module = await wasm.compile(brotliDecompressSync(readFileSync(join(ENGINES, 'jsonnet.wasm.br'))));
  const asked = wasm.Module.imports(module).filter((item) => item.module !== 'wasi_snapshot_preview1');
  assert.deepEqual(asked.map((item) => `${item.module}.${item.name}`).sort(), [
    'metactl.find',
    'metactl.give',
    'metactl.length',
    'metactl.take',
  ]);
});
