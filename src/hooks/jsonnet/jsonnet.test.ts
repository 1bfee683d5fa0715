import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import type { JsonnetHook } from '../../model/definition.ts';
import { HookBench } from '../../testing/hook-bench.ts';
import { directoryWith, hookCall, jsonnetHook, syncRequest } from '../../testing/hook-calls.ts';
import { workerEntry } from './worker-entry.ts';

function programIn(t: TestContext, files: Readonly<Record<string, string>>): string {
  return join(directoryWith(t, files), Object.keys(files)[0] ?? '');
}

async function answerOf(t: TestContext, files: Readonly<Record<string, string>>, request: JsonObject = syncRequest()) {
  return new HookBench(t).body(hookCall(jsonnetHook(programIn(t, files)), { request }));
}

const LABEL = `
  function(request) {
    local parent = request.parent,
    status: { observed: std.length(std.objectFields(request.children["Pod.v1"])) },
    children: [
      { apiVersion: "v1", kind: "Pod", metadata: { name: parent.metadata.name, labels: { from: parent.spec.from } } },
    ],
  }`;

interface Answer {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly request?: JsonObject;
  readonly body: JsonValue;
}

const ANSWERS: readonly Answer[] = [
  {
    name: 'a function of the request, as in the book',
    files: { 'sync.jsonnet': LABEL },
    request: syncRequest({ metadata: { name: 'web' }, spec: { from: 'here' } }, { 'Pod.v1': { a: {} } }),
    body: {
      status: { observed: 1 },
      children: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { from: 'here' } } }],
    },
  },
  { name: 'no function: the answer to every request', files: { 'a.jsonnet': '{ status: {} }' }, body: { status: {} } },
  { name: 'further parameters with defaults', files: { 'a.jsonnet': 'function(request, n=2) n' }, body: 2 },
  { name: 'null', files: { 'a.jsonnet': 'function(request) null' }, body: null },
  {
    name: 'imports: relative to the importing file, text, and bytes',
    files: {
      'sync.jsonnet': `local lib = import 'lib/names.libsonnet'; function(request) [lib.name(request), importstr 'lib/a.txt', importbin 'lib/a.txt']`,
      'lib/names.libsonnet': `local other = import 'other.libsonnet'; { name(request):: other + request.parent.metadata.name }`,
      'lib/other.libsonnet': `'my-'`,
      'lib/a.txt': 'hé',
    },
    body: ['my-web', 'hé', [104, 195, 169]],
  },
  {
    name: 'every kind of JSON value comes as it is',
    files: { 'a.jsonnet': 'function(request) request.v' },
    request: { v: ['é\u2028"\\\n', 0.1, -5, 1e-7, 2 ** 53 - 1, true, null, {}, [], { 'a b': [{}] }] },
    body: ['é\u2028"\\\n', 0.1, -5, 1e-7, 2 ** 53 - 1, true, null, {}, [], { 'a b': [{}] }],
  },
  {
    name: 'an integer beyond 2^53 that the program does not touch is no matter',
    files: { 'a.jsonnet': 'function(request) [std.length(request.v), std.objectHas(request.v[0], "n"), request.v[1]]' },
    request: { v: [{ n: 9007199254740993n }, 7] },
    body: [2, true, 7],
  },
  {
    name: 'keys that mean something in JavaScript',
    files: { 'a.jsonnet': 'function(request) { ["__proto__"]: request.v["__proto__"] }' },
    request: { v: JSON.parse('{"__proto__": {"a": 1}}') as JsonObject },
    body: JSON.parse('{"__proto__": {"a": 1}}') as JsonObject,
  },
];

describe('answers', () => {
  for (const { name, files, request, body } of ANSWERS)
    test(name, async (t) => assert.deepEqual(await answerOf(t, files, request), body));
});

test('imports are looked for beside the importing file, then the definition, then in importPaths in their order', async (t) => {
  const directory = directoryWith(t, {
    'hooks/sync.jsonnet': `function(request) [import 'a', import 'b', import 'c', import 'd']`,
    'hooks/a': '"file"',
    'definition/a': '"definition"',
    'definition/b': '"definition"',
    'one/b': '"one"',
    'one/c': '"one"',
    'two/c': '"two"',
    'two/d': '"two"',
  });
  const hook: JsonnetHook = jsonnetHook(join(directory, 'hooks/sync.jsonnet'), {
    directory: join(directory, 'definition'),
    importPaths: [join(directory, 'absent'), join(directory, 'one'), join(directory, 'two')],
  });
  assert.deepEqual(await new HookBench(t).body(hookCall(hook)), ['file', 'definition', 'one', 'two']);
});

const OUTSIDE = [
  { name: 'a relative path', text: `importstr '../secret'` },
  { name: 'an absolute path', text: `importstr '/etc/hostname'` },
  { name: 'a link that leads out', text: `importstr 'link'` },
];

describe('files elsewhere are not read', () => {
  for (const { name, text } of OUTSIDE)
    test(name, async (t) => {
      const directory = directoryWith(t, { 'own/sync.jsonnet': `function(request) ${text}`, secret: 'hidden' });
      symlinkSync(join(directory, 'secret'), join(directory, 'own/link'));
      const failure = await new HookBench(t).failure(hookCall(jsonnetHook(join(directory, 'own/sync.jsonnet'))));
      assert.match(failure.summary, /is outside of the definition's directory and of importPaths/);
      assert.equal(failure.hint, 'name its directory in importPaths');
      assert.doesNotMatch(JSON.stringify(failure), /hidden/);
    });

  test('a link within an import path is followed', async (t) => {
    const directory = directoryWith(t, {
      'own/sync.jsonnet': `import 'lib.libsonnet'`,
      'vendor/deep/lib.libsonnet': '7',
    });
    symlinkSync('deep/lib.libsonnet', join(directory, 'vendor/lib.libsonnet'));
    const hook = jsonnetHook(join(directory, 'own/sync.jsonnet'), { importPaths: [join(directory, 'vendor')] });
    assert.equal(await new HookBench(t).body(hookCall(hook)), 7);
  });

  test('what is no plain file', async (t) => {
    const path = programIn(t, { 'sync.jsonnet': `import 'lib'` });
    mkdirSync(join(dirname(path), 'lib'));
    const failure = await new HookBench(t).failure(hookCall(jsonnetHook(path)));
    assert.match(failure.summary, /lib is a directory/);
  });
});

test('a changed file counts at the next call: the program, an import, and a file that now comes first', async (t) => {
  const directory = directoryWith(t, { 'a.jsonnet': `import 'file'`, 'lib/file': '1' });
  const bench = new HookBench(t, { jsonnetWorkers: 1 });
  const call = hookCall(jsonnetHook(join(directory, 'a.jsonnet'), { importPaths: [join(directory, 'lib')] }));
  rmSync(join(directory, 'lib/file'));
  assert.match((await bench.failure(call)).summary, /there is no /);
  writeFileSync(join(directory, 'lib/file'), '2');
  assert.equal(await bench.body(call), 2);
  writeFileSync(join(directory, 'file'), '33');
  assert.equal(await bench.body(call), 33);
  writeFileSync(join(directory, 'a.jsonnet'), `[import 'file']`);
  assert.deepEqual(await bench.body(call), [33]);
});

test('one program with other import paths is another program', async (t) => {
  const directory = directoryWith(t, { 'a.jsonnet': `import 'lib'`, 'one/lib': '1', 'two/lib': '2' });
  const bench = new HookBench(t, { jsonnetWorkers: 1 });
  const answers: JsonValue[] = [];
  for (const place of ['one', 'two', 'one']) {
    const hook = jsonnetHook(join(directory, 'a.jsonnet'), { importPaths: [join(directory, place)] });
    answers.push(await bench.body(hookCall(hook)));
  }
  assert.deepEqual(answers, [1, 2, 1]);
});

test('std.trace goes to the output, under the name of the hook', async (t) => {
  const path = programIn(t, { 'sync.jsonnet': 'function(request) std.trace("seen " + request.finalizing, {})' });
  const bench = new HookBench(t);
  assert.deepEqual(await bench.body(hookCall(jsonnetHook(path))), {});
  assert.deepEqual(bench.output, [`[catset sync] TRACE: ${path}:1 seen false`]);
});

test('a hundred calls of two programs at once, on two workers', async (t) => {
  const directory = directoryWith(t, {
    'a.jsonnet': 'function(request) "a" + request.n',
    'b.jsonnet': 'function(request) "b" + request.n',
  });
  const bench = new HookBench(t);
  const calls = Array.from({ length: 100 }, (_, n) => ({ n, name: n % 3 === 0 ? 'a' : 'b' }));
  const answers = await Promise.all(
    calls.map(({ n, name }) =>
      bench.body(hookCall(jsonnetHook(join(directory, `${name}.jsonnet`)), { request: { n } })),
    ),
  );
  assert.deepEqual(
    answers,
    calls.map(({ n, name }) => `${name}${n}`),
  );
});

test("the worker's file and the engine's, from the sources and in a built program", () => {
  assert.equal(
    workerEntry('file:///x/src/hooks/jsonnet/worker-entry.ts').href,
    'file:///x/src/hooks/jsonnet/worker.ts',
  );
  assert.equal(workerEntry('file:///x/dist/chunks/a.js').href, 'file:///x/dist/chunks/jsonnet-worker.js');
});
