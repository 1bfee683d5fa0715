// Bad input at the level of the use cases: whatever is wrong with a file or with what a hook does, plan and apply end with
// one clear error of a known code, nothing has been written, and nothing crashes. What exactly each error says is tested
// beside the code that says it.

import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createClient } from '../cluster/index.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { assertSpeaksOfNoCrash, errorsOf, refusalBench } from '../testing/refusal-bench.ts';
import { useCases } from '../testing/use-cases.ts';

const { stage, assertRefused, transport, directory, kubeconfig } = refusalBench();

const DEFINITION = `apiVersion: metacontroller.k8s.io/v1alpha1
kind: CompositeController
metadata: {name: other}
spec:
  parentResource: {apiVersion: v1, resource: things}
  hooks: {sync: {module: {path: ./hook.mjs}}}
`;
const ALIASES = ['l0: &l0 [x, x]', ...Array.from({ length: 30 }, (_, n) => `l${n + 1}: &l${n + 1} [*l${n}, *l${n}]`)];
const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n';

const badFiles: readonly { readonly name: string; readonly text: string; readonly code: string }[] = [
  {
    name: 'an unknown field',
    text: DEFINITION.replace('spec:', 'spec:\n  genrateSelector: true'),
    code: 'unknown-field',
  },
  {
    name: '__proto__ as a field',
    text: DEFINITION.replace('spec:', 'spec:\n  __proto__: {x: 1}'),
    code: 'unknown-field',
  },
  {
    name: 'a kind of ours that is not built yet',
    text: 'apiVersion: metactl.dev/v1alpha1\nkind: Component\nmetadata: {name: x}\n',
    code: 'unsupported',
  },
  { name: 'a missing field', text: DEFINITION.replace(/ {2}parentResource.*\n/, ''), code: 'missing-field' },
  { name: 'a list for a map', text: DEFINITION.replace(/spec:[\s\S]*/, 'spec: []\n'), code: 'wrong-type' },
  { name: 'null for a map', text: DEFINITION.replace(/spec:[\s\S]*/, 'spec: null\n'), code: 'wrong-type' },
  { name: 'bad YAML', text: 'a: [1, 2\nb: 3\n', code: 'yaml-syntax' },
  { name: 'a control character', text: `${MAP}data: {a: "\u0007"}\n`, code: 'yaml-syntax' },
  { name: 'nested 100,000 deep', text: `a: ${'['.repeat(100_000)}`, code: 'yaml-syntax' },
  { name: 'an alias bomb', text: ALIASES.join('\n'), code: 'yaml-alias-limit' },
  { name: 'a duplicate key', text: `${MAP}data: {a: "1", a: "2"}\n`, code: 'yaml-duplicate-key' },
  { name: 'a list as document', text: '[1, 2]\n', code: 'not-an-object' },
  { name: 'no kind', text: 'apiVersion: v1\nmetadata: {name: x}\n', code: 'missing-kind' },
  { name: 'no name', text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n', code: 'missing-field' },
  { name: 'metadata of another type', text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: text\n', code: 'wrong-type' },
  {
    name: 'a name of another type',
    text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 7}\n',
    code: 'wrong-type',
  },
  { name: 'the same object twice', text: `${MAP}---\n${MAP}`, code: 'duplicate-object' },
  {
    name: 'a kind that nobody serves',
    text: 'apiVersion: x.y/v1\nkind: Z\nmetadata: {name: z}\n',
    code: 'unknown-resource',
  },
];

describe('files', () => {
  for (const { name, text, code } of badFiles)
    test(`${name}: ${code}`, async () => {
      const staged = await stage();
      await writeFile(join(staged.project.path, 'bad.yaml'), text);
      await assertRefused(staged, code);
    });

  test('100 MiB: file-too-large', async () => {
    const staged = await stage();
    const stream = createWriteStream(join(staged.project.path, 'bad.yaml'));
    const line = Buffer.alloc(1024 * 1024, 'a: 1\n');
    for (let written = 0; written < 100; written++) stream.write(line);
    await new Promise((resolve) => stream.end(resolve));
    await assertRefused(staged, 'file-too-large');
  });

  test('not UTF-8: file-unreadable', async () => {
    const staged = await stage();
    await writeFile(join(staged.project.path, 'bad.yaml'), Buffer.from([0xff, 0xfe, 0x00, 0xd8]));
    await assertRefused(staged, 'file-unreadable');
  });

  test('an empty directory: no-input', async () => {
    const staged = await stage();
    const empty = join(staged.project.path, 'empty');
    await mkdir(empty);
    await assertRefused({ ...staged, ...useCases({ cluster: { sandbox: true }, paths: [empty] }) }, 'no-input');
  });

  test('a parent without selector: parent-selector-invalid', async () => {
    const staged = await stage();
    const metadata = { name: 'one', namespace: 'default' };
    await staged.project.write('parent.json', {
      apiVersion: `${staged.group}/v1`,
      kind: 'Thing',
      metadata,
      spec: null,
    });
    await assertRefused(staged, 'parent-selector-invalid');
  });

  for (const [name, spec] of [
    ['null', null],
    ['with versions of null', { group: 'x.y', names: { kind: 'Z', plural: 'zs' }, versions: [null] }],
    ['with names of a list', { group: 'x.y', names: [], versions: 'all' }],
  ] as const)
    test(`a CRD whose spec is ${name}: api-error, and what came before it is told`, async () => {
      const { project, plan, apply } = await stage();
      const metadata = { name: 'zs.x.y' };
      await project.write('crd-bad.json', {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata,
        spec,
      });
      assertSpeaksOfNoCrash((await plan()).diagnostics);
      const { status, diagnostics, applied } = await apply();
      assert.deepEqual([status, errorsOf(diagnostics)], ['failed', ['api-error']]);
      assert.deepEqual(applied.map(({ outcome }) => outcome.kind).sort(), ['done', 'failed']);
      await project.remove();
    });

  test('__proto__ in YAML is data: it is kept and changes no prototype', async () => {
    const { project, apply } = await stage();
    await writeFile(
      join(project.path, 'map.yaml'),
      `${MAP.replace('name: m', 'name: proto')}data: {__proto__: text, constructor: text}\n`,
    );
    const { status } = await apply();
    assert.equal(status, 'settled');
    const live = await createClient(transport()).get(CONFIG_MAPS, 'proto', 'default');
    assert.deepEqual(Object.keys((live?.['data'] as object | undefined) ?? {}).sort(), ['__proto__', 'constructor']);
    assert.equal(({} as Record<string, unknown>)['text'], undefined);
    await project.remove();
  });
});

describe('which cluster', () => {
  for (const [name, cluster, code] of [
    ['a context that is not there', { context: 'absent' }, 'kubeconfig-invalid'],
    ['a kubeconfig that is not there', { kubeconfig: '/nonexistent/kubeconfig' }, 'kubeconfig-invalid'],
  ] as const)
    test(`${name} → ${code}`, async () => {
      const staged = await stage();
      const chosen = { kubeconfig: kubeconfig, ...cluster };
      await assertRefused({ ...staged, ...useCases({ cluster: chosen, paths: [staged.project.path] }) }, code);
    });

  test('no kubeconfig under CI → kubeconfig-invalid, with a hint', async () => {
    const { project, apply } = await stage();
    const { status, diagnostics } = await apply({ cluster: {} }, { variables: { HOME: directory, CI: 'true' } });
    assert.deepEqual([status, errorsOf(diagnostics)], ['failed', ['kubeconfig-invalid']]);
    assert.match(diagnostics[0]?.hint ?? '', /KUBECONFIG.*--sandbox/);
    await project.remove();
  });
});
