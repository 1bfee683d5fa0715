// The YAML dialect of kubectl, word by word. The expectations were measured with kubectl; where its binary is at hand the
// same table is put to it again.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { findBinaries } from '../../../tools/kube/binaries.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, parseJson, stringifyJson } from '../../kit/json.ts';
import { readText } from './read-text.ts';

/** What stands in the file → what kubectl makes of it. */
const VALUES: readonly (readonly [string, JsonValue])[] = [
  ...['yes', 'Yes', 'on', 'ON', 'y', 'Y', 'true', 'TRUE'].map((word) => [word, true] as const),
  ...['no', 'NO', 'off', 'n', 'N', 'false', 'False'].map((word) => [word, false] as const),
  ...['~', 'null', 'NULL', ''].map((word) => [word, null] as const),
  ['yEs', 'yEs'],
  ['nULL', 'nULL'],
  ['0777', 511],
  ['0o777', 511],
  ['0O17', 15],
  ['0b11', 3],
  ['0b-1', -1],
  ['0x1F', 31],
  ['0X1f', 31],
  ['-0x10', -16],
  ['08', 8],
  ['1_000', 1000],
  ['1__0', 10],
  ['_1', '_1'],
  ['+5', 5],
  ['-0', 0],
  ['12:30:45', '12:30:45'],
  ['2026-01-01', '2026-01-01'],
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ['1.5', 1.5],
  ['.5', 0.5],
  ['-.5', -0.5],
  ['5.', 5],
  ['1e3', 1000],
  ['1.0', 1],
  ['-0.0', 0],
  ['1e999', '1e999'],
  ['1.2.3', '1.2.3'],
  ['0x', '0x'],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['18446744073709551615', 18446744073709552000],
  ['!!binary aGk=', 'hi'],
  ['!!str 12', '12'],
  ['!!int "12"', 12],
  ['!!float 1', 1],
  ['!foo 12', '12'],
  ['! 12', '12'],
  ['=', '='],
  ['"yes"', 'yes'],
  ["'0777'", '0777'],
  ['!!set {a, b}', { a: null, b: null }],
  ['!!omap [a: 1]', [{ a: 1 }]],
  ['{<<: {a: 1}, b: 2}', { a: 1, b: 2 }],
  ['{<<: [{a: 1}, {a: 2, c: 3}], a: 5}', { a: 5, c: 3 }],
  ['{"<<": {a: 1}}', { '<<': { a: 1 } }],
];
const KEYS: readonly (readonly [string, string])[] = [
  ['n', 'false'],
  ['"n"', 'n'],
  ['1', '1'],
  ['0777', '511'],
  ['0x10', '16'],
  ['1.50', '1.5'],
  ['1e21', '1e+21'],
  ['2026-01-01', '2026-01-01'],
];

const manifest = (lines: readonly string[]): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${lines.map((line) => `  ${line}\n`).join('')}`;
const TEXT = manifest([
  ...VALUES.map(([text], index) => `v${index}: ${text}`),
  ...KEYS.map(([text], index) => `k${index}: {${text}: x}`),
]);

function check(data: JsonObject): void {
  for (const [index, [text, want]] of VALUES.entries()) {
    const got = data[`v${index}`];
    assert.ok(jsonEqual(got, want), `value: ${text} is ${stringifyJson(got ?? null)}`);
  }
  for (const [index, [text, want]] of KEYS.entries()) {
    assert.deepEqual(data[`k${index}`], { [want]: 'x' }, `key: ${text}`);
  }
}

test('values and keys are what kubectl makes of them', () => {
  const { documents, diagnostics } = readText(TEXT, 'f.yaml');
  assert.deepEqual(
    diagnostics.map(({ severity, code, summary }) => [severity, code, /\d{6,}/.exec(summary)?.[0]]),
    [['warning', 'yaml-precision', '18446744073709551615']],
  );
  check(dataOf(documents[0]?.value));
});

test('kubectl itself reads the table so', (t) => {
  const binaries = findBinaries(process.env);
  if ('missing' in binaries) return t.skip(binaries.missing);
  const args = ['label', '--local', '-f', '-', '-o', 'json', 'a=b'];
  const { stdout, stderr } = spawnSync(binaries.kubectl, args, { input: TEXT, encoding: 'utf8' });
  assert.equal(stderr, '');
  check(dataOf(parseJson(stdout)));
});

function dataOf(value: JsonValue | undefined): JsonObject {
  const data = isJsonObject(value) ? value['data'] : undefined;
  assert.ok(isJsonObject(data), stringifyJson(value ?? null));
  return data;
}

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['k: .inf', /no infinite numbers/],
  ['k: .nan', /no infinite numbers and no NaN/],
  ['~: 1', /A key is null/],
  ['[a]: 1', /A key is a map or a list/],
  ['k: !!int foo', /"foo" is not what its tag !!int says/],
  ['k: !!binary "!!"', /not what its tag !!binary says/],
  ['k: &a [*a]', /contains itself/],
  ['k: *b', /anchor/],
  ['k: {<<: 4}', /needs a map or a list of maps/],
  ['k: @foo', /can not start with this character/],
  ['k: a: b', /map|nested|value/i],
];

for (const [text, summary] of REFUSED) {
  test(`refused, as kubectl refuses it: ${text}`, () => {
    const { documents, diagnostics } = readText(manifest([text]), 'f.yaml');
    assert.deepEqual(documents, []);
    assert.equal(diagnostics[0]?.code, 'yaml-syntax');
    assert.match(diagnostics[0]?.summary ?? '', summary);
    assert.equal(diagnostics[0]?.source?.line, 5);
  });
}
