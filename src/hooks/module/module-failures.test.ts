import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { HookBench } from '../../testing/hook-bench.ts';
import { directoryWith, hookCall, moduleHook } from '../../testing/hook-calls.ts';

function moduleIn(t: TestContext, files: Record<string, string>, name = Object.keys(files)[0] ?? ''): string {
  return join(directoryWith(t, files), name);
}

function failureOf(t: TestContext, name: string, text: string): Promise<Diagnostic> {
  return new HookBench(t).failure(hookCall(moduleHook(moduleIn(t, { [name]: text }))));
}

describe('errors show the place in the user’s file', () => {
  const cases: {
    name: string;
    file: string;
    text: string;
    what: RegExp;
    line: number;
    column: number;
    lineText: string;
    hint?: RegExp;
  }[] = [
    {
      name: 'a throw',
      file: 'sync.ts',
      text: 'type A = string;\nexport function sync(r: { parent: A }) {\n  throw new RangeError("too many");\n}\n',
      what: /it threw RangeError: too many/,
      line: 3,
      column: 9,
      lineText: '  throw new RangeError("too many");',
    },
    {
      name: 'a TypeError',
      file: 'sync.js',
      text: 'export const sync = (r) =>\n  r.parent.spec.replicas;\n',
      what: /it threw TypeError: Cannot read properties of undefined \(reading 'replicas'\)/,
      line: 2,
      column: 17,
      lineText: '  r.parent.spec.replicas;',
    },
    {
      name: 'a syntax error in JavaScript',
      file: 'sync.mjs',
      text: 'export function sync() {\n  return { children: [ };\n}\n',
      what: /could not be loaded: SyntaxError: Unexpected token '}'/,
      line: 2,
      column: 24,
      lineText: '  return { children: [ };',
    },
    {
      name: 'a syntax error in TypeScript',
      file: 'sync.ts',
      text: 'const a: number = 1;\nexport function sync() {\n  return { children: [ };\n}\n',
      what: /could not be loaded: SyntaxError: /,
      line: 3,
      column: 24,
      lineText: '  return { children: [ };',
    },
    {
      name: 'an enum',
      file: 'sync.ts',
      text: 'export const sync = () => ({});\nexport enum Colour { Red }\n',
      what: /enum is not supported/,
      line: 2,
      column: 8,
      lineText: 'export enum Colour { Red }',
      hint: /const object instead of an enum/,
    },
    {
      name: 'an import that is not exported',
      file: 'sync.mjs',
      text: 'import { nothing } from "node:fs";\nexport const sync = () => nothing;\n',
      what: /does not provide an export named 'nothing'/,
      line: 1,
      column: 10,
      lineText: 'import { nothing } from "node:fs";',
    },
    {
      name: 'a throw while loading',
      file: 'sync.mjs',
      text: '\nthrow new Error("at the top");\n',
      what: /could not be loaded: Error: at the top/,
      line: 2,
      column: 7,
      lineText: 'throw new Error("at the top");',
    },
  ];
  for (const { name, file, text, what, line, column, lineText, hint } of cases)
    test(name, async (t) => {
      const diagnostic = await failureOf(t, file, text);
      assert.equal(diagnostic.code, 'hook-failed');
      assert.match(diagnostic.summary, what);
      const { source } = diagnostic;
      assert.deepEqual(
        { line: source?.line, column: source?.column, lineText: source?.lineText },
        { line, column, lineText },
      );
      assert.ok(source?.file.endsWith(file));
      if (hint) assert.match(diagnostic.hint ?? '', hint);
    });

  test('in a file that it imports', async (t) => {
    const path = moduleIn(t, {
      'sync.mjs': 'import "./dep.mjs"; export const sync = () => ({});',
      'dep.mjs': 'export const a = 1;\nexport const b = ;\n',
    });
    const { source } = await new HookBench(t).failure(hookCall(moduleHook(path)));
    assert.equal(source?.line, 2);
    assert.ok(source?.file.endsWith('dep.mjs'));
  });

  test('the stack has the user’s frames only', async (t) => {
    const path = moduleIn(t, {
      'sync.mjs':
        'import { deep } from "./deep.mjs";\nexport async function sync() {\n  await null;\n  return deep();\n}\n',
      'deep.mjs': 'export function deep() {\n  throw new Error("deep down", { cause: new Error("the root") });\n}\n',
    });
    const diagnostic = await new HookBench(t).failure(hookCall(moduleHook(path)));
    assert.equal(diagnostic.detail, '    at deep (deep.mjs:2:9)\n    at sync (sync.mjs:4:10)\nCaused by: the root');
  });

  test('a thrown value that is no Error', async (t) => {
    assert.match(
      (await failureOf(t, 'sync.mjs', 'export const sync = () => { throw { code: 7 }; };')).summary,
      /it threw \{ code: 7 \}/,
    );
  });

  test('an error that nobody waits for', async (t) => {
    const text = 'export const sync = () => new Promise(() => setTimeout(() => {\n  throw new Error("later");\n}, 1));';
    const diagnostic = await failureOf(t, 'sync.mjs', text);
    assert.match(diagnostic.summary, /left uncaught Error: later/);
    assert.equal(diagnostic.source?.line, 2);
  });

  test('a missing export names those that are there', async (t) => {
    const diagnostic = await failureOf(
      t,
      'sync.mjs',
      'export const snyc = () => ({}); export function finalize() {} export const n = 1;',
    );
    assert.match(diagnostic.summary, /sync.mjs has no export named sync/);
    assert.equal(diagnostic.detail, 'It exports: finalize, snyc.');
    assert.equal(diagnostic.hint, 'did you mean snyc?');
  });

  test('an export that is no function', async (t) => {
    assert.match((await failureOf(t, 'sync.mjs', 'export const sync = {};')).summary, /has no function named sync/);
  });
});

describe('answers that are not plain JSON', () => {
  const cases: { name: string; expression: string; path?: string; what: RegExp }[] = [
    { name: 'nothing', expression: 'undefined', what: /returned nothing/ },
    {
      name: 'a function',
      expression: '{ children: [{ spec: { f() {} } }] }',
      path: 'children[0].spec.f',
      what: /is a function/,
    },
    { name: 'a hole', expression: '{ children: [{}, undefined] }', path: 'children[1]', what: /is undefined/ },
    { name: 'NaN', expression: '{ status: { n: 0 / 0 } }', path: 'status.n', what: /is NaN/ },
    {
      name: 'a forgotten await',
      expression: '{ children: [Promise.resolve({})] }',
      path: 'children[0]',
      what: /is a Promise/,
    },
    { name: 'a Date', expression: '{ status: { "x/y": new Date() } }', path: 'status["x/y"]', what: /is a Date/ },
    { name: 'a Map', expression: '{ status: new Map() }', path: 'status', what: /is a Map/ },
    { name: 'a symbol', expression: '{ status: Symbol("a") }', path: 'status', what: /is a symbol/ },
    {
      name: 'a cycle',
      expression: '(() => { const a = { status: {} }; a.status.again = a; return a; })()',
      path: 'status.again',
      what: /refers back/,
    },
    { name: 'a function as the answer', expression: '() => ({})', what: /the answer itself is a function/ },
  ];
  for (const { name, expression, path, what } of cases)
    test(name, async (t) => {
      const diagnostic = await failureOf(t, 'sync.mjs', `export const sync = () => (${expression});`);
      assert.equal(diagnostic.code, 'answer-invalid');
      assert.match(diagnostic.summary, what);
      assert.equal(diagnostic.path, path);
    });

  test('properties that are undefined are left out; one object in two places is no cycle', async (t) => {
    const path = moduleIn(t, {
      'sync.mjs':
        'const m = { a: 1 }; export const sync = () => ({ status: undefined, children: [{ m }, { m, n: undefined }] });',
    });
    assert.deepEqual(await new HookBench(t).body(hookCall(moduleHook(path))), {
      children: [{ m: { a: 1 } }, { m: { a: 1 } }],
    });
  });

  test('a __proto__ key is data', async (t) => {
    const path = moduleIn(t, { 'sync.mjs': `export const sync = () => JSON.parse('{"__proto__":{"polluted":1}}');` });
    const body = await new HookBench(t).body(hookCall(moduleHook(path)));
    assert.deepEqual(Object.keys(body as object), ['__proto__']);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  test('larger than the limit', async (t) => {
    const path = moduleIn(t, { 'sync.mjs': 'export const sync = () => ({ a: "x".repeat(10_000) });' });
    assert.equal(
      (await new HookBench(t, { answerBytes: 5000 }).failure(hookCall(moduleHook(path)))).code,
      'answer-too-large',
    );
  });
});
