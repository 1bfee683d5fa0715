// A command in the place of the engine. The one here is a script that says what it was given; that the program which it
// gets is Jsonnet is checked by evaluating it with the engine.

import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { HookBench } from '../../testing/hook-bench.ts';
import { directoryWith, hookCall, jsonnetHook } from '../../testing/hook-calls.ts';
import { createHookCaller } from '../caller.ts';

function commandIn(t: TestContext, body: string): { directory: string; binary: string } {
  const directory = directoryWith(t, {});
  const binary = join(directory, 'jsonnet');
  writeFileSync(binary, `#!${process.execPath}\nconst input = require('node:fs').readFileSync(0, 'utf8');\n${body}`);
  chmodSync(binary, 0o755);
  return { directory, binary };
}

const request: JsonObject = { parent: { 'a-b': ['x"y', 9007199254740993n, 1.5, null] } };

async function ask(t: TestContext, body: string) {
  const { directory, binary } = commandIn(t, body);
  const caller = createHookCaller({
    environment: process.env,
    clock: new FakeClock(),
    jsonnetBinary: binary,
    onOutput: () => {},
  });
  t.after(() => caller.close());
  const hook = jsonnetHook(join(directory, 'sync.jsonnet'), { importPaths: ['/one', '/two'] });
  const answer = await caller.call(hookCall(hook, { request }), new AbortController().signal);
  return { directory, answer };
}

test('gets the import paths, last wins, and a program that calls the hook', async (t) => {
  const { directory, answer } = await ask(t, 'console.log(JSON.stringify({ args: process.argv.slice(2), input }));');
  assert.ok(answer.ok && isJsonObject(answer.body));
  assert.deepEqual(answer.body['args'], ['-J', '/two', '-J', '/one', '-J', directory, '-']);
  // The hook gives back what it was given, without the field that no number of Jsonnet can hold.
  writeFileSync(join(directory, 'sync.jsonnet'), 'function(request) [request.parent["a-b"][i] for i in [0, 2, 3]]');
  writeFileSync(join(directory, 'call.jsonnet'), String(answer.body['input']));
  const bench = new HookBench(t);
  assert.deepEqual(await bench.body(hookCall(jsonnetHook(join(directory, 'call.jsonnet')))), ['x"y', 1.5, null]);
  writeFileSync(join(directory, 'sync.jsonnet'), 'function(request) request');
  const failure = await bench.failure(hookCall(jsonnetHook(join(directory, 'call.jsonnet'))));
  assert.match(failure.summary, /request\.parent\.a-b\[1\] is 9007199254740993: a number of Jsonnet can not hold it/);
  writeFileSync(join(directory, 'sync.jsonnet'), '{ status: {} }');
  assert.deepEqual(await bench.body(hookCall(jsonnetHook(join(directory, 'call.jsonnet')))), { status: {} });
});

test('its errors are told as those of the engine', async (t) => {
  const text = 'TRACE: x\\nRUNTIME ERROR: boom\\n\\t/x/a.jsonnet:2:3-9\\tfunction <f>\\n\\t<stdin>:1:1-9\\t$\\n';
  const { answer } = await ask(t, `process.stderr.write("${text}"); process.exitCode = 1;`);
  assert.ok(!answer.ok);
  assert.match(answer.diagnostic.summary, /default\/web: boom$/);
  assert.deepEqual(answer.diagnostic.source, { file: '/x/a.jsonnet', line: 2, column: 3, endColumn: 9 });
});

test('another end is told as that of a program', async (t) => {
  const { answer } = await ask(t, 'console.error("no such option"); process.exitCode = 2;');
  assert.ok(!answer.ok);
  assert.match(answer.diagnostic.summary, /jsonnet .* ended with exit code 2$/);
  assert.match(answer.diagnostic.detail ?? '', /no such option/);
});

test('an integer that was rounded is not written', async (t) => {
  const { answer } = await ask(t, 'console.log("[9007199254740992]");');
  assert.ok(!answer.ok);
  assert.equal(answer.diagnostic.code, 'answer-invalid');
});
