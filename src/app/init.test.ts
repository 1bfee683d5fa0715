// Every kind of controller in every language, as `metactl init` makes it: planned, applied and planned again on the sandbox; its own
// tests. What tsc says of it is in tools/packed-types.test.ts, the commands of its README are run in commands/init.test.ts.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { changesOf } from '../model/plan.ts';
import { CONTROLLER_KINDS, LANGUAGES, type Language } from '../scaffold/index.ts';
import { missingProgram } from '../testing/example-project.ts';
import { useCases } from '../testing/use-cases.ts';
import { initController } from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'metactl-init-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const MADE = {
  composite: ['create CompositeTs my-composite-ts', 'create Deployment my-composite-ts'],
  decorator: ['create Deployment my-decorator-ts', 'create Service my-decorator-ts'],
  map: ['create Ingress my-map-ts-input', 'create MapTs my-map-ts', 'create Service my-map-ts-input'],
};

/** Runs the tests that came with it; false: there are none. */
function ownTests(language: Language, path: string): false | { readonly status: number | null; readonly said: string } {
  if (language === 'jsonnet') return false;
  const command = language === 'python' ? ['python3', '-m', 'unittest'] : [process.execPath, '--test'];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(command[0] ?? '', command.slice(1), {
    cwd: path,
    env,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

for (const kind of CONTROLLER_KINDS)
  for (const language of LANGUAGES)
    test(`${kind}, ${language}`, { skip: language === 'python' && missingProgram('python3') }, async () => {
      const path = join(directory, `${kind}-${language}`);
      const name = `${kind}-${language}`;
      const made = await initController({ kind, name, language, group: 'example.com', directory: path });
      assert.deepEqual(made.diagnostics, []);
      assert.deepEqual(readdirSync(path).sort(), [...(made.files ?? [])].sort());

      const { plan, apply } = useCases({ cluster: { sandboxDirectory: join(path, '.sandbox') }, paths: [path] });
      const first = await plan();
      assert.ok(first.plan, JSON.stringify(first.diagnostics));
      assert.deepEqual(first.diagnostics, []);
      const changes = [...first.plan.inputs, ...changesOf(first.plan)].map(
        ({ action, object }) => `${action} ${object.kind} ${object.name}`,
      );
      const expected = MADE[kind].map((line) =>
        line.replace('Ts ', `${language[0]?.toUpperCase()}${language.slice(1)} `).replaceAll('-ts', `-${language}`),
      );
      for (const line of expected) assert.ok(changes.includes(line), `${line}: ${changes}`);
      const applied = await apply();
      assert.equal(applied.status, 'settled', JSON.stringify([applied.diagnostics, applied.waitingOn]));
      const again = await plan();
      assert.ok(again.plan, JSON.stringify(again.diagnostics));
      assert.deepEqual([...again.plan.inputs, ...changesOf(again.plan)], []);

      const tested = ownTests(language, path);
      assert.ok(tested === false || tested.status === 0, JSON.stringify(tested));
    });

describe('what can not be made', () => {
  const base = { kind: 'composite', name: 'web', language: 'ts', group: 'example.com' } as const;
  const names: readonly [name: string, says: RegExp][] = [
    ['', /is empty/],
    ['Web', /small letters/],
    ['web_app', /small letters/],
    ['1web', /a letter first/],
    ['-web', /a letter first/],
    ['web-', /no "-" last/],
    ['../web', /small letters/],
    ['web\n', /small letters/],
    ['wéb', /small letters/],
    ['a'.repeat(51), /51 characters; 50 are allowed/],
  ];
  for (const [name, says] of names)
    test(`a name: ${JSON.stringify(name)}`, async () => {
      const { files, diagnostics } = await initController({ ...base, name, directory: join(directory, 'bad-name') });
      assert.equal(files, undefined);
      assert.match(diagnostics.map(({ summary }) => summary).join(), says);
      assert.ok(!existsSync(join(directory, 'bad-name')));
    });

  for (const group of [
    '',
    'example',
    'Example.com',
    'a..b',
    'apps.k8s.io',
    'k8s.io',
    'example.com/v1',
    `${'a'.repeat(150)}.b`,
  ])
    test(`a group: ${group.slice(0, 20)}`, async () => {
      const { files, diagnostics } = await initController({ ...base, group, directory: join(directory, 'bad-group') });
      assert.equal(files, undefined);
      assert.match(diagnostics[0]?.summary ?? '', /^The group /);
    });

  const taken: readonly [what: string, prepare: (path: string) => void, says: RegExp][] = [
    [
      'a directory with something in it',
      (path) => {
        mkdirSync(path);
        writeFileSync(join(path, 'hook.ts'), 'mine');
      },
      /it is there, and has hook\.ts$/,
    ],
    ['a file', (path) => writeFileSync(path, 'mine'), /is a file/],
    ['a link', (path) => symlinkSync(directory, path), /is a file/],
    ['the working directory', () => {}, /it is the working directory/],
  ];
  for (const [what, prepare, says] of taken)
    test(what, async () => {
      const path = what === 'the working directory' ? '.' : join(directory, what.replaceAll(' ', '-'));
      prepare(path);
      const { files, diagnostics } = await initController({ ...base, directory: path });
      assert.equal(files, undefined);
      assert.match(diagnostics[0]?.summary ?? '', says);
      if (what.startsWith('a directory')) assert.equal(readFileSync(join(path, 'hook.ts'), 'utf8'), 'mine');
      assert.deepEqual(
        readdirSync(directory).filter((name) => name.startsWith('.metactl-init')),
        [],
        'nothing is left',
      );
    });

  test('an empty directory, and one below directories that are not there, are taken', async () => {
    const empty = join(directory, 'empty');
    mkdirSync(empty);
    for (const path of [empty, join(directory, 'new', 'deep')])
      assert.deepEqual((await initController({ ...base, directory: path })).diagnostics, [], path);
  });
});

test('names that mean something to TypeScript or to Kubernetes make controllers all the same', async () => {
  for (const name of ['deployment', 'metadata', 'kube-object', 'parent', 'class', 'status', 'policy', 'box']) {
    const path = join(directory, 'names', name);
    const made = await initController({
      kind: 'composite',
      name,
      language: 'ts',
      group: 'example.com',
      directory: path,
    });
    assert.deepEqual(made.diagnostics, []);
    const { plan, diagnostics } = await useCases({ cluster: { sandbox: true }, paths: [path] }).plan();
    assert.deepEqual(diagnostics, []);
    assert.ok(plan && changesOf(plan).length > 0);
  }
  assert.match(readFileSync(join(directory, 'names', 'policy', 'crd.yaml'), 'utf8'), /plural: policies/);
  assert.match(readFileSync(join(directory, 'names', 'box', 'crd.yaml'), 'utf8'), /plural: boxes/);
});
