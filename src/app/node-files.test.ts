// The file system and its fake keep the same promises.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { type Files, FileTooLarge } from '../ports/files.ts';
import { createMemoryFiles } from '../testing/memory-files.ts';
import { createNodeFiles } from './node-files.ts';

const CONTENTS = {
  'b.yaml': 'b',
  'a.yaml': 'ä',
  'dir/c.json': '{}',
  'dir/Z.yaml': '',
  'dir/.hidden/x.yaml': '',
  'dir/.secret.yaml': '',
  'node_modules/p/x.yaml': '',
};
const root = mkdtempSync(join(tmpdir(), 'metactl-files-'));
after(() => rmSync(root, { recursive: true }));
for (const [path, text] of Object.entries(CONTENTS)) write(path, text);

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const nodeFiles = (stdin: string | Buffer = 'stdin'): Files =>
  createNodeFiles({ stdin: Readable.from([stdin]), workingDirectory: root });

const IMPLEMENTATIONS: readonly (readonly [string, () => Files])[] = [
  ['node', () => nodeFiles()],
  ['memory', () => createMemoryFiles(CONTENTS, { stdin: 'stdin', workingDirectory: '/work' })],
];
for (const [name, create] of IMPLEMENTATIONS) {
  test(`${name}: reads text, up to a limit in bytes`, async () => {
    assert.equal(await create().readText('a.yaml', 2), 'ä');
    await assert.rejects(create().readText('a.yaml', 1), FileTooLarge);
    await assert.rejects(create().readText('nowhere', 1), { code: 'ENOENT' });
    assert.equal(await create().readStdin(5), 'stdin');
    await assert.rejects(create().readStdin(4), FileTooLarge);
  });

  test(`${name}: tells files from directories`, async () => {
    const kinds = ['a.yaml', 'dir', 'nowhere', 'a.yaml/x'].map((path) => create().kind(path));
    assert.deepEqual(await Promise.all(kinds), ['file', 'directory', 'missing', 'missing']);
  });

  test(`${name}: walks in the order of the names, without hidden entries and node_modules`, async () => {
    const files = create();
    assert.deepEqual(await files.walk('.'), ['a.yaml', 'b.yaml', 'dir/Z.yaml', 'dir/c.json']);
    assert.deepEqual(await files.walk('dir'), ['dir/Z.yaml', 'dir/c.json']);
    assert.deepEqual(await files.walk(files.resolve('dir')), [
      files.resolve('dir/Z.yaml'),
      files.resolve('dir/c.json'),
    ]);
  });

  test(`${name}: globs`, async () => {
    const files = create();
    assert.deepEqual(await files.glob('*.yaml'), ['a.yaml', 'b.yaml']);
    assert.deepEqual(await files.glob('**/*.{json,yml}'), ['dir/c.json']);
    assert.deepEqual(await files.glob('d*/?.yaml'), ['dir/Z.yaml']);
    assert.deepEqual(await files.glob('x*'), []);
    assert.deepEqual(await files.glob(`${files.resolve('dir')}/*.json`), [files.resolve('dir/c.json')]);
  });
}

test('a file of 100 MiB is refused by its size, without being read', async () => {
  const path = join(root, 'big.yaml');
  // Sparse: it takes no room on the disk.
  writeFileSync(path, '');
  truncateSync(path, 100 * 2 ** 20);
  await assert.rejects(nodeFiles().readText('big.yaml', 16 * 2 ** 20), /104857600 bytes; the limit is 16777216/);
  rmSync(path);
});

test('text that is not UTF-8 is an error', async () => {
  write('latin1.yaml', Buffer.from('name: caf\xe9', 'latin1'));
  await assert.rejects(nodeFiles().readText('latin1.yaml', 100), { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
  rmSync(join(root, 'latin1.yaml'));
});

test('a directory is not text', async () => {
  await assert.rejects(nodeFiles().readText('dir', 100), { code: 'EISDIR' });
});

test('loops of links end, links that lead nowhere are passed over', async () => {
  write('loop/a.yaml', '');
  symlinkSync('..', join(root, 'loop/up'));
  symlinkSync('.', join(root, 'loop/self'));
  symlinkSync('nowhere', join(root, 'loop/broken.yaml'));
  symlinkSync('../b.yaml', join(root, 'loop/link.yaml'));
  const found = await nodeFiles().walk('loop');
  assert.deepEqual(
    found.filter((path) => !path.startsWith('loop/up/')),
    ['loop/a.yaml', 'loop/link.yaml'],
  );
  assert.equal(new Set(found).size, found.length);
  rmSync(join(root, 'loop'), { recursive: true });
});
