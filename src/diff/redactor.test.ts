import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, stringifyJson } from '../kit/json.ts';
import { UNKNOWN } from '../kit/unknown.ts';
import type { KubeObject } from '../model/object.ts';
import { deepFreeze } from '../testing/random-json.ts';
import { createRedactor, diffObjects, parseMask } from './index.ts';

const CANARY = 'canary-value-"\n/1?';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (data: JsonObject, extra: JsonObject = {}): KubeObject =>
  deepFreeze({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data, ...extra });

test('redactor: a Secret shows which values are equal and how long they are, no more', () => {
  const object = secret(
    { a: base64('password-1'), b: base64('x'), c: base64('password-1') },
    { stringData: { d: 'x' } },
  );
  assert.deepEqual(createRedactor([object]).object(object), {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    data: { a: '(value #1, 10 bytes)', b: '(value #2, 1 bytes)', c: '(value #1, 10 bytes)' },
    stringData: { d: '(value #2, 1 bytes)' },
  });
});

test('redactor: a changed value is told by its number and length', () => {
  const [before, after] = [secret({ password: base64('a'.repeat(24)) }), secret({ password: base64('b'.repeat(32)) })];
  const redactor = createRedactor([before, after]);
  const [change] = diffObjects(before, after).map((field) => redactor.fieldChange(after, field));
  assert.deepEqual(parseMask(change?.before), { number: 1, bytes: 24 });
  assert.deepEqual(parseMask(change?.after), { number: 2, bytes: 32 });
  assert.equal(parseMask('(value #x)'), undefined);
});

const LEAKS: readonly { readonly reason: string; readonly text: string }[] = [
  { reason: 'as it is', text: CANARY },
  { reason: 'as base64', text: base64(CANARY) },
  { reason: 'as base64 without padding', text: base64(CANARY).replace(/=+$/, '') },
  { reason: 'inside a sentence', text: `login with ${CANARY} failed` },
  { reason: 'inside JSON', text: JSON.stringify({ password: CANARY }) },
  { reason: 'inside a URL', text: `http://user:${encodeURIComponent(CANARY)}@host/` },
];
for (const { reason, text } of LEAKS) {
  test(`redactor: a known value elsewhere, ${reason}`, () => {
    const redactor = createRedactor([secret({ x: base64(`${CANARY}\n`) }), secret({ y: base64(CANARY) })]);
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { k: text } };
    const shown = [
      redactor.text(text),
      stringifyJson(redactor.object(object)),
      stringifyJson(redactor.fieldChange(object, { path: ['data', text], op: 'add', after: [text, { [text]: 1 }] })),
    ].join('\n');
    for (const leak of ['canary', base64(CANARY).slice(0, 12)]) assert.ok(!shown.includes(leak), shown);
    assert.match(shown, /\(value #1\)/);
  });
}

test('redactor: short values are masked in their Secret only', () => {
  const redactor = createRedactor([secret({ a: base64('tls') })]);
  assert.equal(redactor.text('type tls'), 'type tls');
});

test('redactor: last-applied records of a Secret are masked whole, and the values in them known', () => {
  const record = stringifyJson({ data: { old: base64('earlier-value') } });
  const object = secret(
    {},
    {
      metadata: { name: 's', annotations: { 'metacontroller.k8s.io/last-applied-configuration': record, a: 'b' } },
    },
  );
  const redactor = createRedactor([object]);
  const { annotations } = redactor.object(object).metadata;
  assert.deepEqual(annotations, { 'metacontroller.k8s.io/last-applied-configuration': '(masked)', a: 'b' });
  assert.equal(redactor.text('was earlier-value'), 'was (value #1)');
});

test('redactor: what is not known yet is no secret', () => {
  const object = secret({ a: UNKNOWN });
  assert.deepEqual(createRedactor([object]).object(object)['data'], { a: UNKNOWN });
});

test('redactor: odd Secrets do not get through', () => {
  const odd = secret({}, { data: ['canary-in-list'], stringData: { a: { b: 'canary-below' }, c: 12345678 } });
  const shown = stringifyJson(createRedactor([odd]).object(odd));
  assert.ok(!/canary|12345678/.test(shown), shown);
});

test('redactor: numbers follow the order of appearance', () => {
  const redactor = createRedactor([secret({ a: base64('first-value'), b: base64('second-value') })]);
  assert.equal(redactor.text('second-value first-value second-value'), '(value #1) (value #2) (value #1)');
});

test('redactor: a known value inside the base64 of a longer text, wherever it begins', () => {
  const redactor = createRedactor([secret({ password: base64('hunter2-hunter2-hunter2') })]);
  for (const before of ['', 'u', 'us', 'usr', 'user:', 'user::'])
    for (const behind of ['', '@', '@h', '@ho']) {
      const shown = redactor.text(`Authorization: Basic ${base64(`${before}hunter2-hunter2-hunter2${behind}`)}`);
      const left = Buffer.from(shown.replace(/^.* /, ''), 'base64').toString('latin1');
      assert.ok(shown.includes('(value #1)') && !left.includes('hunter2'), `${before} ${behind}: ${shown}`);
    }
});
