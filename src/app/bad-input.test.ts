// Bad input at the level of the use cases: whatever is wrong with a file or with what a hook does, plan and apply end with
// one clear error of a known code, nothing has been written, and nothing crashes. What exactly each error says is tested
// beside the code that says it.

import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createClient } from '../cluster/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { createSandbox, type Sandbox } from '../sandbox/index.ts';
import { type CountingFront, countingFront } from '../testing/counting-front.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';
import { systemClock } from './index.ts';

let sandbox: Sandbox;
let front: CountingFront;
let directory: string;
let counter = 0;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'metactl-bad-input-'));
  sandbox = createSandbox({ clock: systemClock });
  front = await countingFront(sandbox.transport, join(directory, 'kubeconfig'), () => undefined);
});
after(async () => {
  await front.close();
  await sandbox.close();
  await rm(directory, { recursive: true, force: true });
});

interface Stage extends UseCases {
  readonly project: ProjectDirectory;
  readonly group: string;
  /** The definition with another sync hook. */
  definition(sync: object): object;
}

const ONE_MAP =
  'return { children: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map", labels: { app: "thing" } } }] };';

async function stage(hook: string = ONE_MAP): Promise<Stage> {
  const group = `bad-${++counter}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace: 'default', hook });
  const cluster = { kubeconfig: join(directory, 'kubeconfig') };
  const definition = (sync: object): object => ({
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    metadata: { name: 'things' },
    spec: {
      parentResource: { apiVersion: `${group}/v1`, resource: 'things' },
      childResources: [{ apiVersion: 'v1', resource: 'configmaps', updateStrategy: { method: 'InPlace' } }],
      hooks: { sync },
    },
  });
  return { project, group, definition, ...useCases({ cluster, paths: [project.path] }) };
}

const errors = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);

/** plan and apply both end with this error alone, and the cluster is as it was. */
async function assertRefused({ plan, apply, project }: Stage, code: string): Promise<void> {
  const writesBefore = front.writes();
  try {
    const planned = await plan();
    assert.deepEqual([...new Set(errors(planned.diagnostics))], [code], JSON.stringify(planned.diagnostics));
    const applied = await apply();
    assert.equal(applied.status, 'failed');
    assert.deepEqual([...new Set(errors(applied.diagnostics))], [code]);
    assert.deepEqual(applied.applied, []);
    assert.equal(front.writes(), writesBefore, 'something was written');
    assertSpeaksOfNoCrash(planned.diagnostics);
  } finally {
    await project.remove();
  }
}

function assertSpeaksOfNoCrash(diagnostics: readonly Diagnostic[]): void {
  for (const { summary, code } of diagnostics) {
    assert.notEqual(code, 'internal', summary);
    assert.doesNotMatch(summary, /\n|undefined|\[object Object\]|TypeError/);
  }
}

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
  { name: 'an unsupported kind', text: DEFINITION.replace('Composite', 'Decorator'), code: 'unsupported' },
  {
    name: 'an unsupported field',
    text: DEFINITION.replace('hooks: {', 'hooks: {finalize: {webhook: {url: "http://x"}}, '),
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
      assert.deepEqual([status, errors(diagnostics)], ['failed', ['api-error']]);
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
    const live = await createClient(sandbox.transport).get(CONFIG_MAPS, 'proto', 'default');
    assert.deepEqual(Object.keys((live?.['data'] as object | undefined) ?? {}).sort(), ['__proto__', 'constructor']);
    assert.equal(({} as Record<string, unknown>)['text'], undefined);
    await project.remove();
  });
});

const badModules: readonly { readonly hook: string; readonly code: string }[] = [
  ...['null', '7', '"text"', '[]', 'undefined', 'Promise.resolve(null)'].map((value) => ({
    hook: `return ${value};`,
    code: 'answer-invalid',
  })),
  { hook: 'return { children: {} };', code: 'answer-invalid' },
  { hook: 'return { children: [null] };', code: 'answer-invalid' },
  { hook: 'return { children: [{ apiVersion: "v1", kind: "ConfigMap" }] };', code: 'answer-invalid' },
  { hook: 'return { children: [{ apiVersion: "v1", kind: "ConfigMap", metadata: null }] };', code: 'answer-invalid' },
  { hook: 'return { children: [{ apiVersion: "v1", kind: "ConfigMap", metadata: {} }] };', code: 'answer-invalid' },
  { hook: ONE_MAP.replace('"v1"', '1'), code: 'answer-invalid' },
  { hook: ONE_MAP.replace('{ app: "thing" }', '{ app: null }'), code: 'answer-invalid' },
  { hook: ONE_MAP.replace('name: "map"', 'name: "map", namespace: "elsewhere"'), code: 'answer-invalid' },
  { hook: 'return { status: "fine" };', code: 'answer-invalid' },
  { hook: 'return { resyncAfterSeconds: "soon" };', code: 'answer-invalid' },
  { hook: ONE_MAP.replace('ConfigMap', 'Secret'), code: 'answer-undeclared-kind' },
  {
    hook: ONE_MAP.replace('[{', '[...[1, 2].map(() => ({').replace('}]', '}))]').replace('}]', '}))]'),
    code: 'answer-duplicate',
  },
  { hook: ONE_MAP.replace('app: "thing"', 'app: "other"'), code: 'answer-selector-mismatch' },
  { hook: 'const loop = {}; loop.self = loop; return { status: loop };', code: 'answer-invalid' },
  { hook: 'return { status: { when: new Date(NaN) } };', code: 'answer-invalid' },
  { hook: 'return { status: { call: () => 1 } };', code: 'answer-invalid' },
  {
    hook: 'let deep = {}; for (let n = 0; n < 5000; n++) deep = { deep }; return { status: deep };',
    code: 'answer-invalid',
  },
  { hook: 'return { status: { text: "x".repeat(70 * 1024 * 1024) } };', code: 'answer-too-large' },
  { hook: 'throw new Error("boom");', code: 'hook-failed' },
  { hook: 'throw null;', code: 'hook-failed' },
  { hook: 'process.exit(0);', code: 'hook-failed' },
  { hook: 'return new Promise(() => {});', code: 'hook-timeout' },
  { hook: 'for (;;);', code: 'hook-timeout' },
  { hook: 'this is not JavaScript', code: 'hook-failed' },
];

describe('hooks that are modules', () => {
  for (const { hook, code } of badModules)
    test(`${hook.slice(0, 90)} → ${code}`, async () => {
      const staged = await stage(hook);
      const timeout = code === 'hook-timeout' ? { timeout: '400ms' } : {};
      await staged.project.write('controller.json', staged.definition({ module: { path: './hook.mjs', ...timeout } }));
      await assertRefused(staged, code);
    });

  test('a __proto__ key in an answer is refused or data, and changes no prototype', async () => {
    const { project, plan } = await stage(
      'return JSON.parse(\'{"status": {"__proto__": {"polluted": true}}, "__proto__": {"polluted": true}}\');',
    );
    const { diagnostics } = await plan();
    assertSpeaksOfNoCrash(diagnostics);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    await project.remove();
  });

  test('a file that is not there: hook-failed', async () => {
    const staged = await stage();
    await staged.project.write('controller.json', staged.definition({ module: { path: './absent.mjs' } }));
    await assertRefused(staged, 'hook-failed');
  });
});

const node = (script: string): object => ({ command: [process.execPath, '-e', script], timeout: '1500ms' });
const badPrograms: readonly { readonly name: string; readonly hook: object; readonly code: string }[] = [
  { name: 'silent', hook: node(''), code: 'answer-invalid' },
  { name: 'half a document', hook: node('process.stdout.write(\'{"children": [\')'), code: 'answer-invalid' },
  { name: 'not JSON', hook: node('console.log("hello")'), code: 'answer-invalid' },
  { name: 'exit 3', hook: node('process.exit(3)'), code: 'hook-failed' },
  { name: 'killed', hook: node('process.kill(process.pid, "SIGKILL")'), code: 'hook-failed' },
  { name: 'late', hook: node('setTimeout(() => console.log("{}"), 60000)'), code: 'hook-timeout' },
  { name: 'no such program', hook: { command: ['no-such-program-here'] }, code: 'hook-failed' },
];

describe('hooks that are programs', () => {
  for (const { name, hook, code } of badPrograms)
    test(`${name} → ${code}`, async () => {
      const staged = await stage();
      await staged.project.write('controller.json', staged.definition({ exec: hook }));
      await assertRefused(staged, code);
    });
});

async function listening(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sync` };
}

const badWebhooks: readonly { readonly name: string; readonly listener: RequestListener; readonly code: string }[] = [
  ...[500, 301, 204, 201, 404, 429, 503].map((status) => ({
    name: String(status),
    listener: ((_, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/', 'retry-after': '1' }).end();
    }) satisfies RequestListener,
    code: 'hook-failed',
  })),
  { name: 'hangs', listener: () => undefined, code: 'hook-timeout' },
  {
    name: 'hangs in the middle',
    listener: (_, response) => void response.writeHead(200).write('{"children": '),
    code: 'hook-timeout',
  },
  { name: 'closes', listener: (request) => void request.socket.destroy(), code: 'hook-failed' },
  { name: 'half a document', listener: (_, response) => void response.end('{"children": ['), code: 'answer-invalid' },
  { name: 'a web page', listener: (_, response) => void response.end('<html></html>'), code: 'answer-invalid' },
  { name: 'nothing', listener: (_, response) => void response.end(), code: 'answer-invalid' },
];

describe('hooks that are webhooks', () => {
  for (const { name, listener, code } of badWebhooks)
    test(`${name} → ${code}`, async () => {
      const { server, url } = await listening(listener);
      const staged = await stage();
      await staged.project.write('controller.json', staged.definition({ webhook: { url, timeout: '500ms' } }));
      try {
        await assertRefused(staged, code);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

  test('nobody listens → hook-failed', async () => {
    const { server, url } = await listening(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const staged = await stage();
    await staged.project.write('controller.json', staged.definition({ webhook: { url } }));
    await assertRefused(staged, 'hook-failed');
  });
});

describe('which cluster', () => {
  for (const [name, cluster, code] of [
    ['a context that is not there', { context: 'absent' }, 'kubeconfig-invalid'],
    ['a kubeconfig that is not there', { kubeconfig: '/nonexistent/kubeconfig' }, 'kubeconfig-invalid'],
  ] as const)
    test(`${name} → ${code}`, async () => {
      const staged = await stage();
      const chosen = { kubeconfig: join(directory, 'kubeconfig'), ...cluster };
      await assertRefused({ ...staged, ...useCases({ cluster: chosen, paths: [staged.project.path] }) }, code);
    });

  test('no kubeconfig under CI → kubeconfig-invalid, with a hint', async () => {
    const { project, apply } = await stage();
    const { status, diagnostics } = await apply({ cluster: {} }, { variables: { HOME: directory, CI: 'true' } });
    assert.deepEqual([status, errors(diagnostics)], ['failed', ['kubeconfig-invalid']]);
    assert.match(diagnostics[0]?.hint ?? '', /KUBECONFIG.*--sandbox/);
    await project.remove();
  });
});
