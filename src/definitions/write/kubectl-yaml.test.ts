import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { findBinaries } from '../../../tools/kube/binaries.ts';
import { isJsonObject, type JsonValue, jsonEqual, type MutableJsonObject, parseJson, setOwn } from '../../kit/json.ts';
import { pick, randomFrom, randomJson, withSeeds } from '../../testing/random-json.ts';
import { toKubectlYaml } from '../index.ts';
import { readText } from '../parse/read-text.ts';

/** Strings that some reader of YAML takes for something else. */
const TRICKY = [
  ...[
    'yes',
    'No',
    'on',
    'y',
    'n',
    'null',
    '~',
    '',
    'true',
    '.inf',
    '.NaN',
    '<<',
    '=',
    '-',
    '?',
    ':',
    '*a',
    '&a',
    '!a',
    '@a',
  ],
  ...[
    '0777',
    '0o17',
    '0b11',
    '0b-1',
    '0x1F',
    '0X1f',
    '1_000',
    '1__0',
    '08',
    '+5',
    '-0',
    '.5',
    '5.',
    '1e3',
    '1e999',
    '-.5',
  ],
  ...[
    '12:30',
    '12:30:45',
    '2026-01-01',
    '9007199254740993',
    '99999999999999999999',
    '# no',
    'a #b',
    'a: b',
    '{a}',
    '[a]',
  ],
  ...[
    '- a',
    ' a',
    'a ',
    '\ta',
    'a\tb',
    'a\n',
    '\na',
    'a\n\nb\n\n',
    'a\r\nb',
    ' a\n  b\n',
    'a\\b',
    '"',
    "'",
    '---',
    '...',
    '%a',
    '`a`',
  ],
  ...[
    '\u0085',
    'a\u2028b',
    '\u2029',
    '\ufeffa',
    '\u007f',
    '\u0000',
    '\u001b[0m',
    '😀',
    'ä',
    '日本',
    '\ufffe',
    '| a',
    '> a',
  ],
];
const WORDS = [
  'yes',
  'no',
  '0',
  '1',
  '7',
  '_',
  '.',
  'e',
  'x',
  'o',
  'b',
  ' ',
  '\n',
  ':',
  '#',
  '-',
  '"',
  "'",
  '\t',
  '\u2028',
  'a',
];

const wrap = (data: JsonValue): JsonValue => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data });

function assertOwnRoundTrip(object: JsonValue): void {
  const text = toKubectlYaml(object);
  const { documents, diagnostics } = readText(text, 'f.yaml');
  assert.deepEqual(diagnostics, [], text);
  assert.deepEqual(documents[0]?.value, object, text);
}

function randomText(random: () => number): string {
  return Array.from({ length: Math.floor(random() * 6) }, () => pick(random, WORDS)).join('');
}

/** Tricky and random texts as values, as keys, in lists. */
function randomData(random: () => number, count: number): JsonValue {
  const data: MutableJsonObject = { any: randomJson(random, { depth: 4, nulls: true }) };
  for (let i = 0; i < count; i++) {
    data[`v${i}`] = randomText(random);
    setOwn(data, `${randomText(random)}${i}`, [randomText(random), { [randomText(random)]: pick(random, TRICKY) }]);
  }
  return data;
}

for (const text of TRICKY) {
  test(`the text ${JSON.stringify(text)} is read back as text, as value and as key`, () => {
    assertOwnRoundTrip(wrap({ value: text, [text]: 'key', list: [text, [text]], deep: { [text]: { [text]: text } } }));
  });
}

test('numbers come back', () => {
  assertOwnRoundTrip(wrap([0, -1, 1.5, 1e21, 1e-7, 9223372036854775807n, true, null, [], {}]));
});

test('an object that stands in two places is written twice, without anchors', () => {
  const shared = { a: [1] };
  assert.equal(toKubectlYaml({ x: shared, z: shared }), 'x:\n  a:\n    - 1\nz:\n  a:\n    - 1\n');
});

test('undefined fields are left out', () => {
  assert.equal(toKubectlYaml({ a: undefined, b: 1 }), 'b: 1\n');
});

test('what is written is read back the same', () => {
  withSeeds(1, 300, (random) => assertOwnRoundTrip(wrap(randomData(random, 5))));
});

test('kubectl reads back what is written', (t) => {
  const binaries = findBinaries(process.env);
  if ('missing' in binaries) return t.skip(binaries.missing);
  const seed = Number(process.env['METACTL_SEED'] ?? 7);
  const random = randomFrom(seed);
  const tricky = Object.fromEntries(TRICKY.map((text, index) => [`t${index}`, { value: text, [text]: 'key' }]));
  const objects = [wrap(tricky), ...Array.from({ length: 20 }, () => wrap(randomData(random, 40)))];
  const input = objects.map(toKubectlYaml).join('---\n');
  const args = ['label', '--local', '-f', '-', '-o', 'json', 'a=b'];
  const { stdout, stderr } = spawnSync(binaries.kubectl, args, { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  assert.equal(stderr, '', `METACTL_SEED=${seed}`);
  const answers = stdout.split(/^(?=\{$)/m).map((text) => parseJson(text));
  assert.equal(answers.length, objects.length);
  for (const [index, object] of objects.entries()) {
    const [got, want] = [answers[index], object].map((value) => (isJsonObject(value) ? value['data'] : undefined));
    assert.ok(jsonEqual(got, want), `METACTL_SEED=${seed}, object ${index}:\n${toKubectlYaml(object)}`);
  }
});
