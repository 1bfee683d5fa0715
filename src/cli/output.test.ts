import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { memoryStreams } from '../testing/memory-streams.ts';
import { parseOutput, resolveOutputs, writeFileAtomically, writeOutputs } from './output.ts';

const directory = await mkdtemp(join(tmpdir(), 'metactl-output-'));
after(() => rm(directory, { recursive: true }));

test('-o FMT[=PATH]', () => {
  assert.deepEqual(parseOutput('json'), { format: 'json' });
  assert.deepEqual(parseOutput('json=a=b.json'), { format: 'json', path: 'a=b.json' });
  assert.throws(() => parseOutput('jsno'), /no output format "jsno": did you mean "json"\?/);
  assert.throws(() => parseOutput('markdown'), /no output format "markdown" \(text, json\)/);
  assert.throws(() => parseOutput('json='), /names no file/);
});

test('text goes to stdout unless another format does', () => {
  const text = { format: 'text' } as const;
  const json = { format: 'json' } as const;
  const file = { format: 'json', path: 'p.json' } as const;
  assert.deepEqual(resolveOutputs([]), [text]);
  assert.deepEqual(resolveOutputs([file]), [text, file]);
  assert.deepEqual(resolveOutputs([json]), [json]);
  assert.deepEqual(resolveOutputs([json, file]), [json, file]);
  assert.throws(() => resolveOutputs([text, json]), /only one output can go to stdout/);
});

test('a format that nobody asked for is not rendered', async () => {
  const streams = memoryStreams({ terminal: false });
  const path = join(directory, 'plan.json');
  const rendering = { text: () => assert.fail('text was not asked for'), json: () => '{}\n' };
  await writeOutputs([{ format: 'json' }, { format: 'json', path }], rendering, streams.stdout);
  assert.equal(streams.written.stdout, '{}\n');
  assert.equal(await readFile(path, 'utf8'), '{}\n');
});

test('a file is replaced as a whole, through a link too, and nothing is left beside it', async () => {
  const path = join(directory, 'real.json');
  const link = join(directory, 'link.json');
  await writeFile(path, 'old');
  await symlink(path, link);
  const before = await stat(path);
  await writeFileAtomically(link, 'new');
  assert.equal(await readFile(path, 'utf8'), 'new');
  assert.notEqual((await stat(path)).ino, before.ino, 'a rename, not a rewrite');
  assert.equal(
    (await readdir(directory)).some((name) => name.endsWith('.tmp')),
    false,
  );
});

test('a device is written to, not replaced', async () => {
  await writeFileAtomically('/dev/null', 'text');
  assert.ok((await stat('/dev/null')).isCharacterDevice());
});

test('a directory that is not there is the error', async () => {
  await assert.rejects(writeFileAtomically(join(directory, 'none', 'a'), ''), { code: 'ENOENT' });
});
