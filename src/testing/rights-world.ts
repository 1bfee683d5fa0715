// One controller of each kind, and one that applies server-side, with children of different kinds and all update strategies:
// what they do in the course of a life needs every right that there is.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { TestTarget } from './targets.ts';
import { until } from './until.ts';

interface ChildKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly method: string;
  /** What the server asks for besides metadata. */
  readonly more?: JsonObject;
}

const POD_SELECTOR = { podSelector: {} };
const TEMPLATE = { template: { spec: { containers: [{ name: 'main', image: 'none' }] } } };

/** By the parents' kind. */
const CHILDREN: Readonly<Record<string, readonly ChildKind[]>> = {
  Thing: [
    { apiVersion: 'v1', kind: 'ConfigMap', resource: 'configmaps', method: 'InPlace' },
    { apiVersion: 'v1', kind: 'Secret', resource: 'secrets', method: 'OnDelete' },
    { apiVersion: 'v1', kind: 'ServiceAccount', resource: 'serviceaccounts', method: 'Recreate' },
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      resource: 'limitranges',
      method: 'RollingInPlace',
      more: { spec: { limits: [] } },
    },
  ],
  Applied: [
    {
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', resource: 'networkpolicies', method: 'InPlace' },
      more: { spec: POD_SELECTOR },
    },
  ],
  Decorated: [{ apiVersion: 'v1', kind: 'PodTemplate', resource: 'podtemplates', method: 'InPlace', more: TEMPLATE }],
  Maker: [
    {
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', resource: 'poddisruptionbudgets', method: 'Recreate' },
      more: { spec: { minAvailable: 1 } },
    },
  ],
};
const KINDS = ['Thing', 'Applied', 'Decorated', 'Maker', 'Input'];
const LABELS = { app: 'thing' };

export interface RightsWorld {
  readonly namespace: string;
  readonly group: string;
  readonly directory: string;
  /** Paths of the definitions. */
  readonly definitions: string;
  readonly label: string;
  /** The next so many calls of hooks are answered with 500. */
  failHooks(count: number): void;
  /** The definitions become objects of the cluster. */
  install(): Promise<void>;
  /** From nothing to nothing; `settle` makes the controllers work until `there` holds. */
  live(settle: (what: string, there: () => Promise<boolean>) => Promise<unknown>): Promise<void>;
}

export async function rightsWorld(target: TestTarget): Promise<RightsWorld> {
  const namespace = await target.namespace();
  const group = `rights.${namespace}.example.com`;
  const directory = await mkdtemp(join(tmpdir(), 'metactl-rights-'));
  const client = createClient(target.transport);
  const hooks = await serveHooks();
  after(() => rm(directory, { recursive: true, force: true }));
  const names = { group, label: namespace };
  const definitions = definitionsFor(names, hooks.url);
  const file = join(directory, 'definitions.json');
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: definitions }));
  for (const kind of KINDS) await create(client, crdOf(kind, group));
  const served = (kind: string): Promise<ResourceType> =>
    until(`${kind} is served`, async () => {
      const type = await client.byKind(`${group}/v1`, kind);
      if (!type) client.refresh();
      return type;
    });
  for (const kind of KINDS) await served(kind);
  return {
    ...{ namespace, group, directory, definitions: file, label: `metactl.dev/test=${namespace}` },
    failHooks: hooks.fail,
    install: async () => {
      for (const definition of definitions) {
        await create(client, definition);
        const type = await client.byKind(definition.apiVersion, definition.kind);
        const { name = '' } = definition.metadata;
        assert.ok(type);
        after(() => client.write({ verb: 'delete', type, name, fieldManager: 'test' }).catch(() => undefined));
      }
    },
    live: (settle) => liveThrough({ client, namespace, group, settle }),
  };
}

interface Life {
  readonly client: ClusterClient;
  readonly namespace: string;
  readonly group: string;
  readonly settle: (what: string, there: () => Promise<boolean>) => Promise<unknown>;
}

async function liveThrough({ client, namespace, group, settle }: Life): Promise<void> {
  const parents = KINDS.filter((kind) => kind in CHILDREN);
  const apiVersion = `${group}/v1`;
  const metadata = { name: 'orphan', namespace, labels: LABELS };
  for (const { apiVersion: of, kind, more } of [...(CHILDREN['Thing'] ?? []), ...(CHILDREN['Applied'] ?? [])])
    await create(client, { apiVersion: of, kind, metadata, ...more });
  await create(client, { apiVersion, kind: 'Input', metadata: { name: 'input', namespace, labels: LABELS } });
  const spec = { selector: { matchLabels: LABELS }, names: ['orphan', 'a', 'b'], text: 'a' };
  for (const kind of parents)
    await create(client, { apiVersion, kind, metadata: { name: 'one', namespace, labels: LABELS }, spec });
  await settle('children are made, and orphans adopted', there('a orphan b'.split(' '), 'a'));
  await change({ text: 'b' });
  await settle('children are changed', there('a orphan b'.split(' '), 'b'));
  await change({ names: ['a'] });
  await settle('children are deleted', there(['a'], 'b'));
  for (const kind of ['Thing', 'Decorated']) {
    const type = await typeOf(client, apiVersion, kind);
    await client.write({ verb: 'delete', type, name: 'one', namespace, fieldManager: 'test' });
  }
  await settle('finalized parents are gone', async () => {
    const left = await Promise.all(
      ['Thing', 'Decorated'].map(async (kind) => client.get(await typeOf(client, apiVersion, kind), 'one', namespace)),
    );
    return left.every((parent) => parent === undefined);
  });

  async function change(more: JsonObject): Promise<void> {
    for (const kind of parents) {
      const type = await typeOf(client, apiVersion, kind);
      const patch = { spec: more };
      const contentType = 'application/merge-patch+json';
      await client.write({ verb: 'patch', type, name: 'one', namespace, fieldManager: 'test', contentType, patch });
    }
  }

  /** Every kind of children has these, owned and with this text; but for those that nobody but a person changes. */
  function there(names: readonly string[], text: string): () => Promise<boolean> {
    return async () => {
      const kinds = Object.values(CHILDREN).flat();
      const right = await Promise.all(
        kinds.map(async (kind) => {
          const type = await typeOf(client, kind.apiVersion, kind.kind);
          const { items } = await client.list(type, { namespace, labelSelector: 'app=thing' });
          const found = items.filter(
            ({ metadata: { labels, ownerReferences, deletionTimestamp } }) =>
              ownerReferences && !deletionTimestamp && (kind.method === 'OnDelete' || labels?.['text'] === text),
          );
          return items.length === names.length && found.length === names.length;
        }),
      );
      return right.every((is) => is);
    };
  }
}

async function typeOf(client: ClusterClient, apiVersion: string, kind: string): Promise<ResourceType> {
  const type = await client.byKind(apiVersion, kind);
  assert.ok(type, `${kind} of ${apiVersion} is served`);
  return type;
}

async function create(client: ClusterClient, object: KubeObject): Promise<void> {
  const type = await typeOf(client, object.apiVersion, object.kind);
  await client.write({ verb: 'create', type, fieldManager: 'test', object });
}

function crdOf(kind: string, group: string): KubeObject {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const names = { kind, plural: pluralOf(kind), singular: kind.toLowerCase(), listKind: `${kind}List` };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } };
  const version = { name: 'v1', served: true, storage: true, schema, subresources: { status: {} } };
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version] },
  };
}

const pluralOf = (kind: string): string => `${kind.toLowerCase()}s`;

function definitionsFor(
  { group, label }: { readonly group: string; readonly label: string },
  url: string,
): KubeObject[] {
  const at = (kind: string) => ({ apiVersion: `${group}/v1`, resource: pluralOf(kind) });
  const children = (kind: string) =>
    (CHILDREN[kind] ?? []).map(({ apiVersion, resource, method }) => ({
      apiVersion,
      resource,
      updateStrategy: { method },
    }));
  const hooks = (kind: string, ...named: string[]) =>
    Object.fromEntries(named.map((name) => [name, { webhook: { url: `${url}/${kind}/${name}` } }]));
  const define = (kind: string, suffix: string, spec: object): KubeObject => ({
    ...{ apiVersion: 'metacontroller.k8s.io/v1alpha1', kind: `${kind}Controller` },
    metadata: { name: `${label}-${suffix}`, labels: { 'metactl.dev/test': label } },
    spec: spec as JsonObject,
  });
  return [
    define('Composite', 'things', {
      ...{ parentResource: at('Thing'), childResources: children('Thing') },
      hooks: hooks('Thing', 'sync', 'finalize', 'customize'),
    }),
    define('Composite', 'applied', {
      ...{ parentResource: at('Applied'), childResources: children('Applied'), apply: { mode: 'server-side' } },
      hooks: hooks('Applied', 'sync'),
    }),
    define('Decorator', 'decorated', {
      ...{ resources: [at('Decorated')], attachments: children('Decorated') },
      hooks: hooks('Decorated', 'sync', 'finalize'),
    }),
    define('Map', 'maker', {
      ...{ parentResource: at('Maker'), inputResources: [at('Input')], outputResources: children('Maker') },
      hooks: hooks('Maker', 'map'),
    }),
  ];
}

interface Request {
  readonly parent?: KubeObject;
  readonly object?: KubeObject;
}

async function serveHooks(): Promise<{ readonly url: string; fail(count: number): void }> {
  let failing = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.statusCode = failing-- > 0 ? 500 : 200;
    response.end(JSON.stringify(answerOf(request.url ?? '', JSON.parse(body) as Request)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (count) => {
      failing = count;
    },
  };
}

function answerOf(path: string, { parent: given, object }: Request): object {
  const [, kind = '', hook] = path.split('/');
  const parent = given ?? object;
  if (hook === 'customize')
    return { relatedResources: [{ apiVersion: 'v1', resource: 'resourcequotas', names: ['none'] }] };
  if (hook === 'finalize') return { finalized: true, children: [], attachments: [] };
  const spec = parent?.['spec'] as unknown as { names?: readonly string[]; text?: string } | undefined;
  const { names = [], text = '' } = spec ?? {};
  const objects = (CHILDREN[kind] ?? []).flatMap(({ apiVersion, kind: of, more }) =>
    names.map((name) => ({ apiVersion, kind: of, metadata: { name, labels: { ...LABELS, text } }, ...more })),
  );
  if (kind === 'Maker') return { outputs: objects };
  if (kind === 'Decorated') return { attachments: objects, labels: { text }, status: { text } };
  return { children: objects, status: { text } };
}
