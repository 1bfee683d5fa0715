// Decorators on both servers: objects of others, of any kind, with labels, annotations, status and attachments; every write
// counted.

import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOf } from '../model/plan.ts';
import type { ResourceType } from '../model/resource.ts';
import { type CallCounter, callCounter } from '../testing/call-counter.ts';
import { type DecoratorOptions, DecoratorProject } from '../testing/decorator-project.ts';
import { CONFIG_MAPS, NAMESPACES } from '../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

const SECRETS: ResourceType = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };
const CRDS: ResourceType = {
  ...NAMESPACES,
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
};

interface Stage extends UseCases {
  readonly project: DecoratorProject;
  readonly options: DecoratorOptions;
  readonly client: ClusterClient;
  readonly namespace: string;
  readonly counter: CallCounter;
  /** What the hooks have noted since the last time. */
  notes(): Promise<string[]>;
  make(type: ResourceType, name: string, more?: Partial<KubeObject['metadata']>): Promise<void>;
  see(type: ResourceType, name: string): Promise<KubeObject>;
  edit(type: ResourceType, name: string, edit: (object: KubeObject) => KubeObject): Promise<void>;
}

type Given = Omit<DecoratorOptions, 'name' | 'resources'> & {
  readonly resources: readonly ((mark: string) => object)[];
  /** Only objects of the stage's namespace. Default: true. */
  readonly within?: boolean;
};

let stages = 0;

/** A decorator of objects that carry the label `mark: <name of the stage>`. */
async function stage(
  target: TestTarget,
  { resources, within = true, ...given }: Given,
): Promise<Stage & { mark: string }> {
  const namespace = await target.namespace();
  const mark = `${namespace}-${++stages}`;
  const options = { ...given, name: mark, resources: resources.map((rule) => rule(mark)) };
  const project = await DecoratorProject.create(options);
  const kubeconfig = join(project.path, 'kubeconfig');
  const counter = await callCounter(target.transport, kubeconfig);
  after(() => counter.close());
  const client = createClient(target.transport);
  const placeOf = ({ namespaced }: ResourceType): { namespace?: string } => (namespaced ? { namespace } : {});
  const see = async (type: ResourceType, name: string): Promise<KubeObject> => {
    const object = await client.get(type, name, placeOf(type).namespace);
    assert.ok(object, `${type.kind} ${name} is gone`);
    return object;
  };
  const cases = useCases({
    cluster: { kubeconfig },
    paths: [join(project.path, 'decorator.json')],
    ...(within ? { namespace } : {}),
  });
  return {
    ...cases,
    ...{ project, options, client, namespace, counter, mark, see },
    notes: async () => {
      const text = await readFile(project.log, 'utf8').catch(() => '');
      await rm(project.log, { force: true });
      return text
        .split('\n')
        .filter((line) => line !== '')
        .sort();
    },
    make: async (type, name, more = {}) => {
      const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
      const metadata = { name, ...placeOf(type), labels: { mark }, ...more };
      await client.write({
        verb: 'create',
        type,
        fieldManager: 'someone',
        object: { apiVersion, kind: type.kind, metadata },
      });
    },
    edit: async (type, name, edit) => {
      const object = edit(await see(type, name));
      await client.write({ verb: 'update', type, fieldManager: 'someone', object });
    },
  };
}

const marked =
  (apiVersion: string, resource: string) =>
  (mark: string): object => ({ apiVersion, resource, labelSelector: { matchLabels: { mark } } });
const MARKED_MAPS = marked('v1', 'configmaps');

const relabelled = (object: KubeObject, labels: Record<string, string>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, labels },
});

async function settles(apply: UseCases['apply']): Promise<void> {
  const { status, diagnostics, waitingOn } = await apply();
  assert.equal(status, 'settled', JSON.stringify([diagnostics, waitingOn]));
}

const writesIn = (counter: CallCounter): Record<string, number> =>
  Object.fromEntries(Object.entries(counter.take()).filter(([name]) => !/^(get|list|watch) /.test(name)));

forEachTarget('decorator', (target) => {
  test('one write an object, whatever it is made of; what is as wanted costs nothing', async () => {
    const sync = `note(request.object.kind + ' ' + request.object.metadata.name);
      return { labels: { seen: request.object.kind }, annotations: { 'a.example.com/note': 'x', gone: null } };`;
    const resources = [MARKED_MAPS, marked('v1', 'secrets')];
    const { plan, apply, make, see, counter, notes } = await stage(target, { resources, hooks: { sync } });
    await make(CONFIG_MAPS, 'a', { annotations: { gone: 'soon', kept: 'y' } });
    await make(CONFIG_MAPS, 'b', { labels: { mark: 'another' } });
    await make(SECRETS, 'a');
    const shown = (await plan()).plan ?? assert.fail();
    assert.deepEqual(
      changesOf(shown).map(({ wave, action, object }) => `${wave} ${action} ${object.kind} ${object.name}`),
      ['status update ConfigMap a', 'status update Secret a'],
    );
    await notes();
    counter.take();
    await settles(apply);
    assert.deepEqual(writesIn(counter), { 'update configmaps': 1, 'update secrets': 1 });
    // The plan that is shown, and the one that is carried out. The Secret is known by its version alone: it is asked about again.
    assert.deepEqual(await notes(), ['ConfigMap a', 'ConfigMap a', 'Secret a', 'Secret a', 'Secret a']);
    const { labels, annotations } = (await see(CONFIG_MAPS, 'a')).metadata;
    assert.equal(labels?.['seen'], 'ConfigMap');
    assert.deepEqual(annotations, { 'a.example.com/note': 'x', kept: 'y' });
    assert.equal((await see(CONFIG_MAPS, 'b')).metadata.labels?.['seen'], undefined);
    assert.equal((await apply()).status, 'nothing');
    assert.deepEqual(writesIn(counter), {});
  });

  for (const mode of ['dynamic', 'server-side'])
    test(`attachments, ${mode}: made, kept, changed, dropped; the object's own controller reference is nobody's`, async () => {
      const sync = `const { count = '0', text = '' } = request.object.metadata.annotations ?? {};
        note(Object.keys(request.attachments['Secret.v1']).join());
        return { attachments: Array.from({ length: Number(count) }, (_, index) => ({
          apiVersion: 'v1', kind: 'Secret', metadata: { name: request.object.metadata.name + '-' + index }, stringData: { text } })) };`;
      const attachments = [{ apiVersion: 'v1', resource: 'secrets', updateStrategy: { method: 'InPlace' } }];
      const given = { resources: [MARKED_MAPS], attachments, hooks: { sync }, apply: { mode } };
      const { apply, plan, make, see, edit, client, namespace, mark, counter } = await stage(target, given);
      const texts = async (): Promise<unknown[]> => {
        const { items } = await client.list(SECRETS, { namespace });
        return items.map(({ metadata, data }) => [
          metadata.name,
          Buffer.from(String((data as JsonObject | undefined)?.['text']), 'base64').toString(),
        ]);
      };
      const wants = (count: number, text: string) => (object: KubeObject) => ({
        ...object,
        metadata: { ...object.metadata, annotations: { count: String(count), text } },
      });
      await make(CONFIG_MAPS, 'm', { annotations: { count: '2', text: 'one' } });
      await settles(apply);
      // A cache that lags behind makes none of them twice.
      assert.deepEqual(writesIn(counter), mode === 'dynamic' ? { 'create secrets': 2 } : { 'patch secrets': 2 });
      assert.deepEqual(await texts(), [
        ['m-0', 'one'],
        ['m-1', 'one'],
      ]);
      const { annotations, ownerReferences } = (await see(SECRETS, 'm-0')).metadata;
      assert.equal(annotations?.['metacontroller.k8s.io/decorator-controller'], mark);
      assert.deepEqual(
        ownerReferences?.map(({ kind, controller }) => [kind, controller]),
        [['ConfigMap', true]],
      );
      const empty = (await plan()).plan ?? assert.fail();
      assert.deepEqual(changesOf(empty), []);
      await edit(CONFIG_MAPS, 'm', wants(2, 'two'));
      await settles(apply);
      await edit(CONFIG_MAPS, 'm', wants(1, 'two'));
      counter.take();
      await settles(apply);
      assert.deepEqual(await texts(), [['m-0', 'two']]);
      assert.deepEqual(writesIn(counter), { 'delete secrets': 1 });
    });

  test('two decorators of one object: a conflict costs no round, and neither undoes the other', async () => {
    const sync = (name: string): string => `return { labels: { ${name}: 'yes' } };`;
    const first = await stage(target, { resources: [MARKED_MAPS], hooks: { sync: sync('one') } });
    const { make, see, project, options, namespace, mark } = first;
    const second = await DecoratorProject.create({ ...options, name: `${mark}-2`, hooks: { sync: sync('two') } });
    const names = Array.from({ length: 20 }, (_, index) => `m-${index}`);
    for (const name of names) await make(CONFIG_MAPS, name);
    const paths = [join(project.path, 'decorator.json'), join(second.path, 'decorator.json')];
    const cluster = { kubeconfig: join(project.path, 'kubeconfig') };
    const { apply } = useCases({ cluster, paths, namespace });
    first.counter.take();
    await settles(apply);
    for (const name of names) {
      const { labels } = (await see(CONFIG_MAPS, name)).metadata;
      assert.deepEqual(labels, { mark, one: 'yes', two: 'yes' }, name);
    }
    const { 'update configmaps': updates = 0 } = writesIn(first.counter);
    // Each write of the other one may be met once.
    assert.ok(updates >= 40 && updates <= 60, `${updates} updates`);
    assert.equal((await apply()).status, 'nothing');
  });

  test('what leaves is finalized: attachments, labels and the finalizer go, the last two with one write', async () => {
    const hooks = {
      sync: `return { labels: { decorated: 'yes' }, attachments: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'extra' } }] };`,
      finalize: `return { attachments: [], finalized: Object.keys(request.attachments['Secret.v1']).length === 0 };`,
    };
    const attachments = [{ apiVersion: 'v1', resource: 'secrets' }];
    const given = { resources: [MARKED_MAPS], attachments, hooks, apply: { omittedMetadata: 'remove' } };
    const { apply, make, see, edit, client, namespace, mark, counter } = await stage(target, given);
    await make(CONFIG_MAPS, 'm', { labels: { mark, theirs: 'x' } });
    await settles(apply);
    const finalizer = `metacontroller.io/decoratorcontroller-${mark}`;
    const before = await see(CONFIG_MAPS, 'm');
    assert.deepEqual(before.metadata.finalizers, [finalizer]);
    assert.equal(before.metadata.labels?.['decorated'], 'yes');
    await see(SECRETS, 'extra');
    await edit(CONFIG_MAPS, 'm', (object) => relabelled(object, { theirs: 'x', decorated: 'yes' }));
    counter.take();
    await settles(apply);
    assert.deepEqual(writesIn(counter), { 'delete secrets': 1, 'update configmaps': 2 });
    const { labels, annotations, finalizers } = (await see(CONFIG_MAPS, 'm')).metadata;
    assert.deepEqual([labels, annotations, finalizers], [{ theirs: 'x' }, undefined, undefined]);
    assert.equal(await client.get(SECRETS, 'extra', namespace), undefined);
    assert.equal((await apply()).status, 'nothing');
  });

  test('cluster-scoped objects: a namespace, with an attachment inside it, and a CustomResourceDefinition', async () => {
    const sync = `const { kind, metadata: { name } } = request.object;
      note(kind + ' ' + Object.keys(request.attachments['ConfigMap.v1']).join());
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'quota', namespace: name } };
      return { labels: { seen: 'yes' }, attachments: kind === 'Namespace' ? [map] : [] };`;
    const resources = [marked('v1', 'namespaces'), marked('apiextensions.k8s.io/v1', 'customresourcedefinitions')];
    const attachments = [{ apiVersion: 'v1', resource: 'configmaps' }];
    const given = { resources, attachments, hooks: { sync }, within: false };
    const { apply, plan, client, edit, see, namespace, mark, notes } = await stage(target, given);
    await edit(NAMESPACES, namespace, (object) => relabelled(object, { ...object.metadata.labels, mark }));
    const group = `${mark}.example.com`;
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `lamps.${group}`, labels: { mark } },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Lamp', plural: 'lamps' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    await client.write({ verb: 'create', type: CRDS, fieldManager: 'someone', object: crd });
    after(() => client.write({ verb: 'delete', type: CRDS, fieldManager: 'someone', name: crd.metadata.name }));
    await settles(apply);
    assert.equal((await see(NAMESPACES, namespace)).metadata.labels?.['seen'], 'yes');
    assert.equal((await see(CRDS, crd.metadata.name)).metadata.labels?.['seen'], 'yes');
    const owners = (await see(CONFIG_MAPS, 'quota')).metadata.ownerReferences;
    assert.deepEqual(
      owners?.map(({ kind, name }) => [kind, name]),
      [['Namespace', namespace]],
    );
    await notes();
    const empty = (await plan()).plan ?? assert.fail();
    assert.deepEqual(changesOf(empty), []);
    assert.deepEqual(await notes(), ['CustomResourceDefinition ', `Namespace ${namespace}/quota`]);
  });

  test('a status of a kind that has none is said and not written; an annotation selects', async () => {
    const sync = `return { labels: { seen: 'yes' }, status: { phase: 'Fine' } };`;
    const resources = [
      (mark: string) => ({
        apiVersion: 'v1',
        resource: 'configmaps',
        annotationSelector: {
          matchExpressions: [{ key: 'on.example.com/me', operator: 'In', values: [`${mark}: any text`] }],
        },
      }),
    ];
    const { apply, make, see, mark } = await stage(target, { resources, hooks: { sync } });
    await make(CONFIG_MAPS, 'on', { annotations: { 'on.example.com/me': `${mark}: any text` } });
    await make(CONFIG_MAPS, 'off', { annotations: { 'on.example.com/me': 'other' } });
    const { status, diagnostics } = await apply();
    assert.equal(status, 'settled', JSON.stringify(diagnostics));
    assert.deepEqual(
      [...new Set(diagnostics.map(({ severity, code }) => `${severity} ${code}`))],
      ['warning no-status-subresource'],
    );
    assert.equal((await see(CONFIG_MAPS, 'on')).metadata.labels?.['seen'], 'yes');
    assert.equal((await see(CONFIG_MAPS, 'off')).metadata.labels?.['seen'], undefined);
  });

  test('an object that another controller owns is not taken for an attachment', async () => {
    const sync = `return { attachments: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'taken' } }] };`;
    const given = {
      resources: [MARKED_MAPS],
      attachments: [{ apiVersion: 'v1', resource: 'secrets' }],
      hooks: { sync },
    };
    const { apply, make, see } = await stage(target, given);
    await make(CONFIG_MAPS, 'm');
    await make(CONFIG_MAPS, 'other', { labels: {} });
    const { uid = '' } = (await see(CONFIG_MAPS, 'other')).metadata;
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid, controller: true };
    await make(SECRETS, 'taken', { ownerReferences: [owner] });
    const { status, diagnostics } = await apply();
    assert.deepEqual([status, diagnostics.map(({ code }) => code)], ['failed', ['child-not-owned']]);
    assert.match(diagnostics[0]?.summary ?? '', /belongs to ConfigMap other/);
    assert.deepEqual(
      (await see(SECRETS, 'taken')).metadata.ownerReferences?.map(({ name }) => name),
      ['other'],
    );
  });
});
