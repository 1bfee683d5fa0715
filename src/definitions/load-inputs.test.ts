import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mainHookOf } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { createMemoryFiles } from '../testing/memory-files.ts';
import { loadInputs } from './index.ts';

const configMap = (name: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}\n`;
const controller = (name: string, hook = 'exec: {command: [x]}'): string => `
apiVersion: metacontroller.k8s.io/v1alpha1
kind: CompositeController
metadata: {name: ${name}}
spec:
  parentResource: {apiVersion: a.b/v1, resource: cs}
  hooks: {sync: {${hook}}}
`;
const FILES = {
  'a/one.yaml': configMap('one'),
  'a/two.yml': configMap('two'),
  'a/deep/three.json': '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "three"}}',
  'a/hook.py': 'print()',
  'a/package.json': '{"name": "x"}',
  'a/.hidden/no.yaml': configMap('no'),
  'a/node_modules/no.yaml': configMap('no'),
  'b/c.yaml': controller('c'),
};

async function load(paths: readonly string[], contents: Readonly<Record<string, string | Error>> = FILES, stdin = '') {
  const loaded = await loadInputs({ paths, files: createMemoryFiles(contents, { stdin }) });
  return {
    ...loaded,
    names: loaded.inputs.map(({ object }) => object.metadata.name),
    problems: loaded.diagnostics.map(shown),
  };
}

function shown({ severity, code, source }: Diagnostic): string {
  const at = source ? ` ${source.file}:${source.line}:${source.column}` : '';
  return `${severity === 'warning' ? 'warning ' : ''}${code}${at}`;
}

const PATHS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['a file', ['a/one.yaml'], ['one']],
  ['a file by its absolute path', ['/work/a/one.yaml'], ['one']],
  ['a directory, recursively and sorted', ['a'], ['three', 'one', 'two']],
  ['a glob', ['a/*.y*ml'], ['one', 'two']],
  ['a glob over directories', ['a/**/*.json'], ['three']],
  ['a glob that also matches other files', ['a/*'], ['one', 'two']],
  ['a file that is reached twice', ['a/two.yml', 'a', './a/one.yaml'], ['two', 'three', 'one']],
];
for (const [name, paths, want] of PATHS) {
  test(`paths: ${name}`, async () => {
    const { names, problems } = await load(paths);
    assert.deepEqual(names, want);
    assert.deepEqual(problems, []);
  });
}

const BAD_PATHS: readonly (readonly [string, string, string, RegExp])[] = [
  ['a missing file', 'nowhere.yaml', 'file-unreadable', /nowhere\.yaml: there is no such file or directory/],
  ['a glob without matches', 'a/*.cue', 'no-input', /No manifest found in a\/\*\.cue/],
  ['a directory without manifests', 'a/.hidden', 'no-input', /No manifest found/],
  ['a URL', 'https://example.com/x.yaml', 'file-unreadable', /it is a URL/],
  ['nothing on standard input', '-', 'no-input', /hold no objects/],
];
for (const [name, path, code, summary] of BAD_PATHS) {
  test(`paths: ${name}`, async () => {
    const { diagnostics } = await load([path], { ...FILES, 'a/.hidden/no.yaml': '', 'a/.hidden/x.txt': '' });
    if (name === 'a directory without manifests')
      return assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ['no-input'],
      );
    assert.deepEqual(
      diagnostics.map((diagnostic) => diagnostic.code),
      [code],
    );
    assert.match(diagnostics[0]?.summary ?? '', summary);
  });
}

test('standard input, with paths relative to the working directory', async () => {
  const { definitions } = await load(['-'], {}, controller('c', 'module: {path: ./hook.ts}'));
  const hook = definitions[0] && mainHookOf(definitions[0]);
  assert.deepEqual(hook?.kind === 'module' && hook.path, '/work/hook.ts');
  assert.equal(definitions[0]?.source?.file, '<stdin>');
});

test('a file that can not be read does not hide the problems of the others', async () => {
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  const { problems, diagnostics, names } = await load(['x.yaml', 'y.yaml', 'z.yaml', 'a/one.yaml'], {
    ...FILES,
    'x.yaml': denied,
    'y.yaml': 'a: [\n---\nkind: ConfigMap\n',
    'z.yaml': controller('c', 'exe: {}'),
  });
  assert.deepEqual(problems, [
    'file-unreadable',
    'yaml-syntax y.yaml:2:1',
    'missing-kind y.yaml:3:1',
    'unknown-field z.yaml:7:18',
  ]);
  assert.equal(diagnostics[0]?.summary, 'Can not read x.yaml: permission denied');
  assert.deepEqual(names, ['one']);
});

test('a file beyond the limit is not read, and the limit is named', async () => {
  const files = createMemoryFiles({ 'x.yaml': 'x'.repeat(3 * 2 ** 20) });
  const { diagnostics } = await loadInputs({ paths: ['x.yaml'], files, maxBytes: 2 * 2 ** 20 });
  assert.deepEqual(
    diagnostics.map(({ code, summary }) => [code, summary]),
    [['file-too-large', 'x.yaml is larger than 2 MiB']],
  );
});

const LIST = `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Secret, metadata: {name: s}}
- apiVersion: v1
  kind: PodList
  items:
  - metadata: {name: p}
- kind: ConfigMap
`;
test('lists are unrolled, and their items keep their places', async () => {
  const { inputs, problems } = await load(['l.yaml'], { 'l.yaml': LIST });
  assert.deepEqual(
    inputs.map(({ object, source }) => [
      object.apiVersion,
      object.kind,
      object.metadata.name,
      source.line,
      source.column,
    ]),
    [
      ['v1', 'Secret', 's', 4, 3],
      ['v1', 'Pod', 'p', 8, 5],
    ],
  );
  assert.deepEqual(problems, ['missing-kind l.yaml:9:3']);
});

test('an empty list and lists without items', async () => {
  const { problems } = await load(['l.yaml'], { 'l.yaml': 'apiVersion: v1\nkind: List\nitems: []\n' });
  assert.deepEqual(problems, ['no-input']);
});

const DUPLICATES: readonly (readonly [string, string, string, string])[] = [
  ['one object', configMap('a'), configMap('a'), 'duplicate-object y.yaml:1:52'],
  [
    'an object in two versions',
    'apiVersion: a/v1\nkind: X\nmetadata: {name: a}\n',
    'apiVersion: a/v2\nkind: X\nmetadata: {name: a}\n',
    'duplicate-object y.yaml:3:18',
  ],
  ['one definition', controller('a'), controller('a'), 'duplicate-definition y.yaml:4:18'],
  ['a broken definition and a sound one', controller('a', ''), controller('a'), 'duplicate-definition y.yaml:4:18'],
];
for (const [name, x, y, want] of DUPLICATES) {
  test(`${name} in two files names both places`, async () => {
    const { diagnostics, definitions, inputs } = await load(['x.yaml', 'y.yaml'], { 'x.yaml': x, 'y.yaml': y });
    const last = diagnostics.at(-1);
    assert.equal(last && shown(last), want);
    assert.match(last?.detail ?? '', /^First at x\.yaml:\d\.$/);
    assert.ok(definitions.length + inputs.length <= 1);
  });
}

test('objects of one name in two namespaces or kinds are not duplicates', async () => {
  const text = [
    'ConfigMap, metadata: {name: a}',
    'ConfigMap, metadata: {name: a, namespace: ns}',
    'Secret, metadata: {name: a}',
  ]
    .map((rest) => `{apiVersion: v1, kind: ${rest}}`)
    .join('\n---\n');
  assert.deepEqual((await load(['x.yaml'], { 'x.yaml': text })).problems, []);
});

const BAD_INPUTS: readonly (readonly [string, string, string])[] = [
  ['a list', '- a\n- b\n', 'not-an-object x.yaml:1:1'],
  ['a word', 'hello\n', 'not-an-object x.yaml:1:1'],
  ['no kind', 'apiVersion: v1\nmetadata: {name: a}\n', 'missing-kind x.yaml:1:1'],
  ['no apiVersion', 'kind: ConfigMap\n', 'missing-kind x.yaml:1:1'],
  ['a kind that is a number', 'apiVersion: v1\nkind: 1\n', 'wrong-type x.yaml:2:7'],
  ['no metadata', 'apiVersion: v1\nkind: ConfigMap\n', 'missing-field x.yaml:1:1'],
  ['no name', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels: {}\n', 'missing-field x.yaml:3:1'],
  ['generateName', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  generateName: a-\n', 'unsupported x.yaml:4:3'],
  ['a name that is a number', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: 12\n', 'wrong-type x.yaml:4:9'],
  [
    'a label that is a boolean',
    'apiVersion: v1\nkind: X\nmetadata: {name: a, labels: {a: yes}}\n',
    'wrong-type x.yaml:3:33',
  ],
  [
    'annotations that are a list',
    'apiVersion: v1\nkind: X\nmetadata: {name: a, annotations: []}\n',
    'wrong-type x.yaml:3:21',
  ],
  ['metadata that is a text', 'apiVersion: v1\nkind: X\nmetadata: a\n', 'wrong-type x.yaml:3:11'],
];
for (const [name, text, want] of BAD_INPUTS) {
  test(`bad input: ${name}`, async () => {
    const { problems, inputs, diagnostics } = await load(['x.yaml'], { 'x.yaml': text });
    assert.deepEqual(problems, [want]);
    assert.deepEqual(inputs, []);
    assert.ok(diagnostics[0]?.hint);
  });
}

test('ControllerRevisions are inputs, not definitions', async () => {
  const text = 'apiVersion: metacontroller.k8s.io/v1alpha1\nkind: ControllerRevision\nmetadata: {name: r}\n';
  assert.deepEqual((await load(['x.yaml'], { 'x.yaml': text })).names, ['r']);
});
