// The finalize hook on both servers: ordered teardown with every call counted, parents that leave their controller,
// deletions that are the garbage collector's, and the finalizer itself.

import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOf } from '../model/plan.ts';
import type { ResourceType } from '../model/resource.ts';
import { type CallCounter, callCounter } from '../testing/call-counter.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import {
  PROJECT_KINDS,
  ProjectDirectory,
  type ProjectKind,
  type ProjectOptions,
} from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { COLLECTED_WITHIN_MS, until } from '../testing/until.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

/** What differs from kind to kind. */
const OWN: Readonly<
  Record<
    ProjectKind,
    {
      /** The status when all children are gone. */
      readonly status: (generation: number | undefined) => object;
      readonly watches?: Readonly<Record<string, number>>;
      /** What a map hook is not asked is a field that nobody knows. */
      readonly tooEarly: string;
    }
  >
> = {
  CompositeController: {
    status: (observedGeneration) => ({ left: 0, observedGeneration }),
    tooEarly: 'ineffective',
  },
  DecoratorController: { status: () => ({ left: 0 }), tooEarly: 'ineffective' },
  MapController: {
    status: (observedGeneration) => ({
      inputs: { serviceaccounts: { total: 1 } },
      outputs: { configmaps: { total: 0 } },
      observedGeneration,
    }),
    watches: { 'watch serviceaccounts': 1 },
    tooEarly: 'answer-invalid',
  },
};

// spec.count config maps; torn down from the last to the first, one at a time. Every call is noted in a file.
const SYNC = `
  note('sync');
  return { status: { wanted: request.parent.spec.count }, children: maps(request.parent.spec.count) };`;
const FINALIZE = `
  note('finalize');
  const left = Object.keys(request.children['ConfigMap.v1']).length;
  return { status: { left }, children: maps(Math.max(0, left - 1)), finalized: left === 0 };`;

interface Stage extends UseCases {
  readonly project: ProjectDirectory;
  readonly client: ClusterClient;
  readonly namespace: string;
  readonly counter: CallCounter;
  /** With the definition alone: the parent is in the cluster, and not in the files. */
  finish(more?: Parameters<UseCases['apply']>[0]): ReturnType<UseCases['apply']>;
  hookCalls(): Promise<string>;
  parent(): Promise<KubeObject | undefined>;
  change(edit: (parent: KubeObject) => KubeObject): Promise<void>;
  remove(propagation?: 'Background' | 'Foreground' | 'Orphan'): Promise<void>;
  maps(): Promise<string[]>;
}

let stages = 0;

type Options = Partial<ProjectOptions> & Required<Pick<ProjectOptions, 'kind'>>;

async function stage(target: TestTarget, options: Options): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `finalize-${++stages}-${target.kind}.example.com`;
  const moreHooks = { finalize: FINALIZE };
  const project = await ProjectDirectory.create({
    ...{ group, namespace, hook: SYNC, moreHooks, spec: { count: 3 } },
    ...options,
  });
  after(() => project.remove());
  const log = join(project.path, 'calls.log');
  await addHelpers(project, log);
  const kubeconfig = join(project.path, 'kubeconfig');
  const counter = await callCounter(target.transport, kubeconfig);
  after(() => counter.close());
  const cases = useCases({ cluster: { kubeconfig }, paths: [project.path], namespace });
  const client = createClient(target.transport);
  const type: ResourceType = { ...CONFIG_MAPS, group, version: 'v1', kind: 'Thing', resource: 'things' };
  const parent = (): Promise<KubeObject | undefined> => client.get(type, 'one', namespace);
  return {
    ...cases,
    project,
    client,
    namespace,
    counter,
    finish: (more = {}) => cases.apply({ paths: [join(project.path, 'controller.json')], ...more }),
    hookCalls: async () => {
      const text = await readFile(log, 'utf8').catch(() => '');
      await rm(log, { force: true });
      return text.trim();
    },
    parent,
    change: async (edit) => {
      const live = await parent();
      assert.ok(live);
      await client.write({ verb: 'update', type, fieldManager: 'someone', object: edit(live) });
    },
    remove: async (propagation = 'Background') => {
      await client.write({ verb: 'delete', type, fieldManager: 'someone', name: 'one', namespace, propagation });
    },
    maps: async () => {
      const { items } = await client.list(CONFIG_MAPS, { namespace });
      return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name !== 'kube-root-ca.crt');
    },
  };
}

/** `maps(n)` and `note(name)` for the hooks of the project. */
async function addHelpers(project: ProjectDirectory, log: string): Promise<void> {
  const file = join(project.path, 'hook.mjs');
  const helpers = `
    import { appendFileSync } from 'node:fs';
    const note = (name) => appendFileSync(${JSON.stringify(log)}, name + ' ');
    const maps = (count) => Array.from({ length: count }, (_, index) => ({
      apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm-' + index, labels: { app: 'thing' } },
    }));`;
  await writeFile(file, `${helpers}\n${await readFile(file, 'utf8')}`);
}

const finalizersOf = (object: KubeObject | undefined): readonly string[] => object?.metadata.finalizers ?? [];

const relabelled = (object: KubeObject, labels: Record<string, string>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, labels },
});

for (const kind of PROJECT_KINDS)
  forEachTarget(`finalize ${kind}`, (target) => {
    const finalizer = `metacontroller.io/${kind.toLowerCase()}-things`;
    test('the finalizer is there before the hook is asked; ordered teardown, to the call', async () => {
      const { plan, apply, finish, parent, remove, maps, hookCalls, counter } = await stage(target, { kind });
      const first = changesOf((await plan()).plan ?? assert.fail()).filter(({ wave }) => wave !== 'inputs');
      assert.deepEqual(
        first.map(({ wave, action, object }) => `${wave} ${action} ${object.kind}`),
        ['finalizer-add update Thing', ...Array(3).fill('children create ConfigMap'), 'status status Thing'],
      );
      assert.equal((await apply()).status, 'settled');
      assert.deepEqual(finalizersOf(await parent()), [finalizer]);
      assert.deepEqual(await maps(), ['m-0', 'm-1', 'm-2']);
      await hookCalls();
      assert.deepEqual(changesOf((await plan()).plan ?? assert.fail()), []);

      await remove();
      await hookCalls();
      counter.take();
      const outcome = await finish();
      assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
      assert.deepEqual([await parent(), await maps()], [undefined, []]);
      // The plan that is shown and the first real one ask the same; then one call for each child that is gone.
      assert.equal(await hookCalls(), Array(5).fill('finalize').join(' '));
      const calls = counter.take();
      assert.deepEqual(Object.fromEntries(Object.entries(calls).filter(([name]) => !name.startsWith('get /'))), {
        'delete configmaps': 3,
        'update things': 1,
        'update things/status': 3,
        'watch configmaps': 1,
        'watch things': 1,
        ...OWN[kind].watches,
      });
      assert.deepEqual(
        outcome.applied.filter(({ change }) => change.action === 'delete').map(({ change }) => change.object.name),
        ['m-2', 'm-1', 'm-0'],
      );
    });

    test('a parent that its controller selects no more is finalized, and its finalizer taken off', async () => {
      const parentResource = { labelSelector: { matchLabels: { tier: 'a' } } };
      const { project, apply, finish, parent, change, maps, hookCalls } = await stage(target, { kind, parentResource });
      await apply();
      assert.deepEqual([finalizersOf(await parent()), await maps()], [[], []]);
      await change((live) => relabelled(live, { tier: 'a' }));
      assert.equal((await finish()).status, 'settled');
      assert.deepEqual([finalizersOf(await parent()), await maps()], [[finalizer], ['m-0', 'm-1', 'm-2']]);
      await change((live) => relabelled(live, { tier: 'b' }));
      await hookCalls();
      const outcome = await finish();
      assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
      const left = await parent();
      assert.deepEqual([finalizersOf(left), await maps()], [[], []]);
      assert.deepEqual(left?.['status'], OWN[kind].status(left?.metadata.generation));
      assert.doesNotMatch(await hookCalls(), /sync/);
      // Nobody's business any more.
      assert.deepEqual([(await finish()).status, await hookCalls()], ['nothing', '']);
      await project.remove();
    });

    test('a definition that lost its finalize hook takes the finalizer off, from parents that live and from those that go', async () => {
      for (const deleted of [false, true]) {
        const { project, apply, finish, parent, remove, maps } = await stage(target, { kind });
        await apply();
        if (deleted) await remove();
        const file = join(project.path, 'controller.json');
        const controller = JSON.parse(await readFile(file, 'utf8'));
        delete controller.spec.hooks.finalize;
        await project.write('controller.json', controller);
        assert.equal((await finish()).status, 'settled');
        assert.deepEqual(finalizersOf(await parent()), []);
        assert.equal((await parent()) === undefined, deleted);
        if (!deleted) assert.deepEqual(await maps(), ['m-0', 'm-1', 'm-2']);
      }
    });

    test('foreground deletion: the children are the garbage collector’s; the hook is asked, and nothing of it is created', async () => {
      const { apply, finish, parent, remove, maps, hookCalls } = await stage(target, { kind });
      await apply();
      await hookCalls();
      await remove('Foreground');
      const outcome = await finish();
      assert.equal(outcome.status, 'settled', JSON.stringify([outcome.diagnostics, outcome.waitingOn]));
      // Our finalizer is off; the collector's own goes when it has seen the last child go.
      await until('it is collected', async () => (await parent()) === undefined, COLLECTED_WITHIN_MS);
      assert.deepEqual(await maps(), []);
      assert.deepEqual(
        outcome.applied.filter(({ change }) => change.object.kind === 'ConfigMap'),
        [],
      );
      assert.match(await hookCalls(), /finalize/);
    });

    test('finalized: true of a sync hook is a warning, and the finalizer stays', async () => {
      const hook = `return { children: [], finalized: true };`;
      const { apply, parent } = await stage(target, { kind, hook });
      const outcome = await apply();
      assert.equal(outcome.status, 'settled');
      assert.deepEqual(
        outcome.diagnostics.map(({ severity, code, path }) => [severity, code, path]),
        [['warning', OWN[kind].tooEarly, 'finalized']],
      );
      assert.deepEqual(finalizersOf(await parent()), [finalizer]);
    });
  });
