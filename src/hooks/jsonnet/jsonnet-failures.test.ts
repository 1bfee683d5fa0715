// What a Jsonnet program can do wrong, each as the diagnostic that its author sees; and what it can not do to us.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { HookBench } from '../../testing/hook-bench.ts';
import { directoryWith, hookCall, jsonnetHook } from '../../testing/hook-calls.ts';

interface Failure {
  readonly name: string;
  readonly program: string;
  readonly library?: string;
  readonly summary: RegExp;
  /** "file:line:column" */
  readonly source?: string;
  readonly detail?: RegExp;
  readonly hint?: RegExp;
  readonly path?: string;
  readonly code?: string;
}

const FAILURES: readonly Failure[] = [
  {
    name: 'syntax',
    program: 'function(request) {\n  a: 1\n  b: 2\n}',
    summary: /: Expected a comma before next field$/,
    source: 'sync.jsonnet:3:3',
  },
  {
    name: 'a name that is not defined',
    program: 'function(request) { a: reqest }',
    summary: /: Unknown variable: reqest$/,
    source: 'sync.jsonnet:1:24',
  },
  {
    name: 'a field that is not there',
    program: 'function(request)\n  { status: { n: request.parent.nope } }',
    summary: /: Field does not exist: nope$/,
    source: 'sync.jsonnet:2:18',
  },
  {
    name: 'an error of its own, with the stack',
    program: 'local f(x) = error "no " + x;\nfunction(request) { children: [f("a")] }',
    summary: /: no a$/,
    source: 'sync.jsonnet:1:14',
    detail: /^ {4}at function <f> \(sync\.jsonnet:1:14-29\)\n {4}at thunk .* \(sync\.jsonnet:2:32-38\)$/,
  },
  {
    name: 'an assertion over several lines',
    program: 'function(request)\n  assert\n    false : "replicas\\nmissing";\n  {}',
    summary: /: replicas missing$/,
    source: 'sync.jsonnet:2:3',
  },
  {
    name: "an error of Jsonnet's library shows where the user's file called it",
    program: 'function(request) {\n  n: std.parseInt("zz") }',
    summary: /: zz is not a base 10 integer$/,
    source: 'sync.jsonnet:2:6',
  },
  {
    name: 'an error in a library',
    program: "local lib = import 'lib.libsonnet';\nfunction(request) { n: lib.f(1) }",
    library: '{\n  f(x):: error "boom",\n}',
    summary: /: boom$/,
    source: 'lib.libsonnet:2:10',
    detail: /lib\.libsonnet:2:10-22.*\n.*sync\.jsonnet:2:24-32/,
  },
  {
    name: 'syntax in a library',
    program: "import 'lib.libsonnet'",
    library: '{\n  a: ,\n}',
    summary: /: Unexpected: "," while parsing terminal$/,
    source: 'lib.libsonnet:2:6',
  },
  {
    name: 'an import that is not there',
    program: "local a = import 'no.libsonnet';\nfunction(request) a",
    summary: /: import of no\.libsonnet: there is no \/.*\/no\.libsonnet$/,
    source: 'sync.jsonnet:1:11',
  },
  { name: 'nothing in it', program: '', summary: /: Unexpected end of file$/, source: 'sync.jsonnet:1:1' },
  {
    name: 'a parameter of another name',
    program: 'function(req) {}',
    summary: /: function has no parameter request$/,
    hint: /function\(request\)/,
  },
  {
    name: 'a parameter too many',
    program: 'function(request, more) {}',
    summary: /: Missing argument: more$/,
    hint: /function\(request\)/,
  },
  {
    name: 'a function in the answer',
    program: 'function(request) { status: { f: [1, function(x) x] } }',
    summary: /: couldn't manifest function as JSON$/,
    path: 'status.f[1]',
  },
  {
    name: 'no external variables',
    program: 'function(request) std.extVar("HOME")',
    summary: /: Undefined external variable: HOME$/,
  },
  {
    name: 'a call of itself without end',
    program: 'local f(n) = f(n + 1) + 1;\nfunction(request) f(0)',
    summary: /: max stack frames exceeded/,
    source: 'sync.jsonnet:1:14',
    hint: /without end/,
  },
  {
    name: 'an integer beyond 2^53 of the request that it copies',
    program: 'function(request)\n  { n: request.parent.spec["a-b"][0].big }',
    summary: /: request\.parent\.spec\["a-b"\]\[0\]\.big is -9007199254740993: a number of Jsonnet can not hold it/,
    source: 'sync.jsonnet:2:8',
    hint: /another language/,
  },
  {
    name: 'an integer beyond 2^53 of its own',
    program: 'function(request) { children: [{ n: 9007199254740993 }] }',
    summary: /: the answer has an integer beyond 2\^53 at children\[0\]\.n/,
    path: 'children[0].n',
    code: 'answer-invalid',
  },
];

const request = { parent: { spec: { 'a-b': [{ big: -9007199254740993n }] } } };

describe('failures', () => {
  for (const { name, program, library = '{}', summary, source, detail, hint, path, code = 'hook-failed' } of FAILURES)
    test(name, async (t) => {
      const directory = directoryWith(t, { 'sync.jsonnet': program, 'lib.libsonnet': library });
      const failure = await new HookBench(t).failure(
        hookCall(jsonnetHook(join(directory, 'sync.jsonnet')), { request }),
      );
      assert.equal(failure.code, code);
      assert.match(failure.summary, summary);
      if (source !== undefined) {
        const at = failure.source;
        assert.equal(at && `${at.file.slice(directory.length + 1)}:${at.line}:${at.column}`, source);
      }
      if (detail) assert.match(failure.detail ?? '', detail);
      if (hint) assert.match(failure.hint ?? '', hint);
      if (path) assert.equal(failure.path, path);
    });

  test('the program itself is not there', async (t) => {
    const failure = await new HookBench(t).failure(hookCall(jsonnetHook(join(directoryWith(t, {}), 'no.jsonnet'))));
    assert.match(failure.summary, /no\.jsonnet does not exist$/);
  });
});

/** Adds up for days, in little memory. */
const ENDLESS =
  'function(request) std.trace("running", 0) + std.foldl(function(a, i) ' +
  'std.foldl(function(b, j) b + j, std.range(1, 1000), a), std.range(1, 100000), 0)';

test('a call that runs over its time is ended, and the next one answered', async (t) => {
  const directory = directoryWith(t, { 'slow.jsonnet': ENDLESS, 'quick.jsonnet': 'function(request) {}' });
  const bench = new HookBench(t, { jsonnetWorkers: 1 });
  const slow = bench.failure(hookCall(jsonnetHook(join(directory, 'slow.jsonnet'), { timeoutMs: 5000 })));
  await bench.printed('running');
  bench.clock.advance(5000);
  assert.equal((await slow).code, 'hook-timeout');
  assert.deepEqual(await bench.body(hookCall(jsonnetHook(join(directory, 'quick.jsonnet')))), {});
});

test('a call that is called off ends with the reason', async (t) => {
  const path = join(directoryWith(t, { 'slow.jsonnet': ENDLESS }), 'slow.jsonnet');
  const bench = new HookBench(t);
  const abort = new AbortController();
  const call = bench.call(hookCall(jsonnetHook(path)), abort.signal);
  await bench.printed('running');
  abort.abort(new Error('interrupted'));
  await assert.rejects(call, /interrupted/);
});

const HUNGRY = [
  { name: 'a list', text: 'std.length([i for i in std.range(1, 100000000)])' },
  { name: 'a text', text: 'std.length(std.foldl(function(a, i) a + a, std.range(1, 40), "xxxx"))' },
  { name: 'brackets', text: `${'['.repeat(100_000)}${']'.repeat(100_000)}` },
];

describe('memory is bounded', () => {
  for (const { name, text } of HUNGRY)
    test(name, async (t) => {
      const directory = directoryWith(t, { 'a.jsonnet': `function(request) ${text}`, 'b.jsonnet': '{}' });
      const bench = new HookBench(t, { moduleMemoryMiB: 64, jsonnetWorkers: 1 });
      const failure = await bench.failure(hookCall(jsonnetHook(join(directory, 'a.jsonnet'))));
      assert.match(failure.summary, /: it used more than 64 MiB of memory$/);
      assert.deepEqual(
        await bench.body(hookCall(jsonnetHook(join(directory, 'b.jsonnet')))),
        {},
        'the next one is fine',
      );
    });
});

test('an answer beyond the limit', async (t) => {
  const path = join(directoryWith(t, { 'a.jsonnet': 'function(request) std.repeat("x", 5000)' }), 'a.jsonnet');
  const failure = await new HookBench(t, { answerBytes: 4096 }).failure(hookCall(jsonnetHook(path)));
  assert.equal(failure.code, 'answer-too-large');
});
