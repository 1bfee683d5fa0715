import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { parseHookOverride, showHookOverride } from './hook-override.ts';

const hook = (controller: string, name: string) => ({ kind: 'hook', controller, hook: name });
const good: readonly (readonly [text: string, of: object, to: object])[] = [
  [
    'catset/sync=http://127.0.0.1:8080/sync',
    hook('catset', 'sync'),
    { kind: 'url', url: 'http://127.0.0.1:8080/sync' },
  ],
  ['a.b/finalize=https://h/?x=y', hook('a.b', 'finalize'), { kind: 'url', url: 'https://h/?x=y' }],
  ['catset/customize=./hook.ts', hook('catset', 'customize'), { kind: 'file', path: resolve('hook.ts') }],
  ['service/sync=x.mjs', hook('service', 'sync'), { kind: 'file', path: resolve('x.mjs') }],
  ['service/ns/hook=http://h', { kind: 'service', namespace: 'ns', name: 'hook' }, { kind: 'url', url: 'http://h' }],
];
for (const [text, of, to] of good)
  test(text, () => {
    const parsed = parseHookOverride(text);
    assert.deepEqual(parsed, { of, to });
    assert.deepEqual(parseHookOverride(showHookOverride(parsed)), parsed, 'shown so that it can be read again');
  });

const bad: readonly (readonly [text: string, says: RegExp])[] = [
  ['catset=http://h', /"catset" names no hook: write CONTROLLER\/HOOK/],
  ['catset/synk=http://h', /names no hook/],
  ['/sync=http://h', /names no hook/],
  ['service/ns/=http://h', /names no hook/],
  ['catset/sync', /does not say what is called instead/],
  ['catset/sync=', /does not say what is called instead/],
  ['catset/sync=ftp://h/x', /only http and https/],
  ['catset/sync=http://', /is not a url/],
  ['service/ns/hook=./hook.ts', /a Service is overridden by a url/],
];
for (const [text, says] of bad)
  test(`${text}: an error that says what to write`, () => assert.throws(() => parseHookOverride(text), says));

test('a password in a url is not printed', () => {
  assert.doesNotMatch(showHookOverride(parseHookOverride('a/sync=http://me:hush@h/')), /hush/);
});
