import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonValue } from '../../kit/json.ts';
import type { SourceRange } from '../../model/diagnostic.ts';
import type { DocumentPath } from './document.ts';
import { readText } from './read-text.ts';

const values = (text: string, file = 'f.yaml'): JsonValue[] => readText(text, file).documents.map(({ value }) => value);
const problems = (text: string, file = 'f.yaml'): string[] =>
  readText(text, file).diagnostics.map(({ code, source }) => `${code} ${source?.line}:${source?.column}`);

const DOCUMENTS: readonly (readonly [string, string, JsonValue[]])[] = [
  ['several YAML documents', 'a: 1\n---\nb: 2\n', [{ a: 1 }, { b: 2 }]],
  ['empty ones are left out', '---\n# nothing\n---\na: 1\n---\n', [{ a: 1 }]],
  ['an end marker', 'a: 1\n...\n---\nb: 2\n', [{ a: 1 }, { b: 2 }]],
  ['Windows line ends and a byte order mark', '\ufeffa: 1\r\nb: x\r\n', [{ a: 1, b: 'x' }]],
  ['JSON', '{"a": [1, "\\ud83d\\ude00", null]}', [{ a: [1, '😀', null] }]],
  ['JSON values after each other', '{"a": 1}{"b": 2}\n{"c": 3}', [{ a: 1 }, { b: 2 }, { c: 3 }]],
  ['JSON with a comma too many is YAML, as kubectl says', '{"a": 1,}', [{ a: 1 }]],
  ['flow YAML', '{a: yes}\n', [{ a: true }]],
  ['long integers in JSON', '{"a": 9223372036854775807, "b": 1e3}', [{ a: 9223372036854775807n, b: 1000 }]],
  ['a %YAML directive changes nothing', '%YAML 1.2\n---\na: yes\n', [{ a: true }]],
  ['anchors and aliases', 'a: &x [1]\nb: *x\nc: &x 2\nd: *x\n', [{ a: [1], b: [1], c: 2, d: 2 }]],
  ['an alias as key', 'a: &x k\n*x : 1\n', [{ a: 'k', k: 1 }]],
  ['block text', 'a: |\n  one\n  two\nb: >-\n  one\n  two\n', [{ a: 'one\ntwo\n', b: 'one two' }]],
];
for (const [name, text, want] of DOCUMENTS) {
  test(`reads ${name}`, () => {
    assert.deepEqual(values(text), want);
    assert.deepEqual(problems(text), []);
  });
}

const PROBLEMS: readonly (readonly [string, string, string[]])[] = [
  [
    'several syntax errors',
    'a: [1\nb: 2\n---\nc: @x\n---\nd: "\n',
    ['yaml-syntax 2:1', 'yaml-syntax 4:4', 'yaml-syntax 7:1'],
  ],
  ['a tab as indentation', 'a:\n\tb: 1\n', ['yaml-syntax 2:1']],
  ['bad indentation', 'a:\n    b: 1\n  c: 2\n', ['yaml-syntax 3:1']],
  ['a control character', 'a: b\u0007\n', ['yaml-syntax 1:5']],
  ['a template', 'a: {{ .Values.x }}\n', ['yaml-syntax 1:5']],
  ['the same key twice', 'a: 1\nb: {c: 1, c: 2}\na: 2\n', ['yaml-duplicate-key 2:11', 'yaml-duplicate-key 3:1']],
  ['the same key in two spellings', '1: a\n"1": b\n', ['yaml-duplicate-key 2:1']],
  ['the same key twice in JSON', '{"a": 1,\n "a": 2}', ['yaml-duplicate-key 2:2']],
  ['an integer beyond 64 bits', 'a: 99999999999999999999\n', ['yaml-precision 1:4']],
  ['an integer beyond 64 bits in JSON', '{"a": 99999999999999999999}', ['yaml-precision 1:7']],
];
for (const [name, text, want] of PROBLEMS) {
  test(`reports ${name}`, () => assert.deepEqual(problems(text), want));
}

test('a file called .json gets the complaint of the JSON parser', () => {
  const { diagnostics } = readText('{"a": 1\n "b": 2}', 'f.json');
  assert.equal(diagnostics[0]?.summary, 'JSON syntax: expected "," or "}", found """');
  assert.deepEqual([diagnostics[0]?.source?.line, diagnostics[0]?.source?.column], [2, 2]);
});

test('a template gets the hint to render it', () => {
  const { diagnostics } = readText('name: x\nvalue: {{ .Values.x }}: y\n', 'f.yaml');
  assert.match(diagnostics[0]?.hint ?? '', /render it first/);
});

test('an alias bomb is refused before it expands', () => {
  const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(', ')}]`);
  const text = ['l0: &l0 [x, x]', ...levels].join('\n');
  const { documents, diagnostics } = readText(text, 'f.yaml');
  assert.deepEqual(documents, []);
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['yaml-alias-limit'],
  );
});

test('a bomb of merge keys is refused', () => {
  const keys = Array.from({ length: 1_000 }, (_, i) => `k${i}: x`).join(', ');
  const merges = Array.from({ length: 300 }, (_, i) => `m${i}: {<<: *a}`).join('\n');
  assert.deepEqual(
    readText(`a: &a {${keys}}\n${merges}\n`, 'f.yaml').diagnostics.map(({ code }) => code),
    ['yaml-alias-limit'],
  );
});

test('an anchor may be used a thousand times', () => {
  const uses = Array.from({ length: 1_000 }, () => '- *a').join('\n');
  assert.deepEqual(problems(`a: &a {x: 1}\nb:\n${uses}\n`), []);
});

test('nesting beyond reason is refused, not a crash', () => {
  for (const text of ['['.repeat(200_000), '{"a":'.repeat(200_000), `a: ${'{a: '.repeat(50_000)}`]) {
    const { documents, diagnostics } = readText(text, 'f.yaml');
    assert.deepEqual(documents, []);
    assert.equal(diagnostics[0]?.code, 'yaml-syntax');
  }
});

test('keys of JavaScript stay data', () => {
  for (const text of ['__proto__: {x: 1}\nconstructor: 2\n', '{"__proto__": {"x": 1}, "constructor": 2}']) {
    const [value] = values(text);
    assert.ok(isJsonObject(value));
    assert.deepEqual(Object.keys(value), ['__proto__', 'constructor']);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal('x' in value, false);
  }
  const [merged] = values('<<: {__proto__: {x: 1}}\n');
  assert.ok(isJsonObject(merged) && Object.hasOwn(merged, '__proto__'));
});

const YAML = `# a comment
a: &a
  b:
  - c: 1
  - "two words"
  d: true
e: {f: {g: 'x'}}
h: *a
i:
  <<: *a
  j: 1
`;
const PLACES: readonly (readonly [DocumentPath, 'key' | 'value', string])[] = [
  [[], 'value', '2:1-2 a'],
  [['a'], 'value', '2:1-2 a'],
  [['a', 'b'], 'value', '3:3-4 b'],
  [['a', 'b', 0], 'value', '4:5-6 c'],
  [['a', 'b', 0, 'c'], 'value', '4:8-9 1'],
  [['a', 'b', 0, 'c'], 'key', '4:5-6 c'],
  [['a', 'b', 1], 'value', '5:5-16 "two words"'],
  [['e', 'f', 'g'], 'value', "7:12-15 'x'"],
  [['h', 'd'], 'value', '6:6-10 true'],
  [['i', 'd'], 'value', '6:6-10 true'],
  [['i', 'j'], 'value', '11:6-7 1'],
  [['a', 'nothing', 'here'], 'value', '2:1-2 a'],
];
const JSON_TEXT = '{\n  "a": {"b": [1, "x"]},\n  "c": true\n}\n{"d": 1}';
const JSON_PLACES: readonly (readonly [DocumentPath, 'key' | 'value', string])[] = [
  [[], 'value', '1:1-2 {'],
  [['a'], 'value', '2:3-6 "a"'],
  [['a', 'b', 1], 'value', '2:18-21 "x"'],
  [['c'], 'key', '3:3-6 "c"'],
  [['c'], 'value', '3:8-12 true'],
  [['x'], 'value', '1:1-2 {'],
];
for (const [text, places] of [
  [YAML, PLACES],
  [JSON_TEXT, JSON_PLACES],
] as const) {
  for (const [path, part, want] of places) {
    test(`${text[0] === '{' ? 'JSON' : 'YAML'}: the ${part} at ${JSON.stringify(path)}`, () => {
      const [document] = readText(text, 'f').documents;
      assert.equal(shown(document?.locate(path, part)), want);
    });
  }
}

test('places in the second JSON value of a text', () => {
  assert.equal(shown(readText(JSON_TEXT, 'f').documents[1]?.locate(['d'])), '5:7-8 1');
});

test('a very long line is not quoted', () => {
  const { diagnostics } = readText(`a: "${'x'.repeat(2_000)}"\na: 1\nb: {c: 1, c: "${'x'.repeat(2_000)}"}\n`, 'f.yaml');
  assert.deepEqual(diagnostics.map(({ source }) => source?.lineText).sort(), ['a: 1', undefined]);
});

function shown(range: SourceRange | undefined): string {
  const { line, column, endColumn, lineText } = range ?? {};
  return `${line}:${column}-${endColumn} ${lineText?.slice((column ?? 1) - 1, (endColumn ?? 1) - 1)}`;
}
