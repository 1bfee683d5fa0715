// Random edits by hand while apply runs again and again through a network in trouble. Afterwards one apply without faults
// finds or makes the right state, and caches that followed everything through it equal a fresh list.
// METACTL_SOAK_SECONDS: how long (default 10; `npm run soak`: 600). METACTL_SEED: which edits and faults; it is printed.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ClusterClient, connect, createCache, createClient } from '../cluster/index.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { controllerOf, type KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { CacheScope, ObjectCache } from '../ports/cache.ts';
import { isApiError } from '../ports/errors.ts';
import { type FaultyFront, faultyFront } from '../testing/faulty-front.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { pick, randomFrom } from '../testing/random-json.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { makeTrouble } from '../testing/trouble.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';
import { systemClock } from './index.ts';

const SECONDS = Number(process.env['METACTL_SOAK_SECONDS'] ?? 10);
const SEED = Number(process.env['METACTL_SEED'] ?? 20_261_121);
const HOOK = `
  const { maps = {}, selector } = request.parent.spec;
  const children = Object.entries(maps).map(([name, data]) => ({
    apiVersion: 'v1', kind: 'ConfigMap',
    metadata: { name: request.parent.metadata.name + '-' + name, labels: selector.matchLabels }, data,
  }));
  return { status: { maps: children.length, seen: Object.keys(request.children['ConfigMap.v1']).length }, children };
`;
const PARENTS = ['one', 'two', 'three'];
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
/** What a run in trouble may end with. Anything else is a defect. */
const EXPECTED = new Set(['api-error', 'connection-failed', 'conflict', 'not-stable', 'not-settled']);

interface Stage extends UseCases {
  readonly target: TestTarget;
  readonly front: FaultyFront;
  readonly project: ProjectDirectory;
  readonly kubeconfig: string;
  readonly group: string;
  readonly namespace: string;
  readonly client: ClusterClient;
  readonly random: () => number;
}

async function stage(target: TestTarget): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `soak-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, hook: HOOK });
  const kubeconfig = join(project.path, 'kubeconfig');
  const front = await faultyFront(target.transport, kubeconfig);
  after(async () => {
    await front.close();
    await project.remove();
  });
  const cluster = { kubeconfig, requestTimeoutMs: 3_000 };
  const given = { cluster, paths: [project.path], namespace, maxDeletes: 1_000, allowEmpty: true };
  const client = createClient(target.transport);
  const staged = { target, front, project, kubeconfig, group, namespace, client, random: randomFrom(SEED) };
  return { ...staged, ...useCases(given) };
}

const randomMaps = (random: () => number): Record<string, JsonObject> =>
  Object.fromEntries(NAMES.filter(() => random() < 0.5).map((name) => [name, { k: pick(random, ['1', '2', '3']) }]));

async function writeParent({ project, group, namespace, random }: Stage, name: string): Promise<void> {
  const selector = { matchLabels: { app: name } };
  await project.write(name === 'one' ? 'parent.json' : `parent-${name}.json`, {
    apiVersion: `${group}/v1`,
    kind: 'Thing',
    metadata: { name, namespace },
    spec: { selector, maps: randomMaps(random) },
  });
}

const thingsOf = async ({ client, group }: Stage): Promise<ResourceType> => {
  const type = await client.byResource(`${group}/v1`, 'things');
  assert.ok(type);
  return type;
};

type Edit = (staged: Stage, things: ResourceType) => Promise<void>;

/** Reads a random object, edits it, writes it. Others write too: a conflict is no edit. */
async function change(
  { client, namespace, random }: Stage,
  type: ResourceType,
  edit: (object: KubeObject) => KubeObject,
): Promise<void> {
  const { items } = await client.list(type, { namespace });
  const ours = items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
  if (ours.length === 0) return;
  const object = edit(pick(random, ours));
  await client.write({ verb: 'update', type, fieldManager: 'by-hand', object });
}

const editData: Edit = (staged) =>
  change(staged, CONFIG_MAPS, (object) => ({
    ...object,
    data: {
      ...(isJsonObject(object['data']) ? object['data'] : {}),
      [pick(staged.random, ['k', 'foreign'])]: 'edited',
    },
  }));

const disown: Edit = (staged) =>
  change(staged, CONFIG_MAPS, (object) => {
    const { ownerReferences: _, ...metadata } = object.metadata;
    return { ...object, metadata };
  });

const deleteChild: Edit = async ({ client, namespace, random }) => {
  const { items } = await client.list(CONFIG_MAPS, { namespace });
  const ours = items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
  if (ours.length === 0) return;
  const name = pick(random, ours).metadata.name ?? '';
  await client.write({ verb: 'delete', type: CONFIG_MAPS, fieldManager: 'by-hand', name, namespace });
};

let orphans = 0;
const createOrphan: Edit = async ({ client, namespace, random }) => {
  const metadata = { name: `orphan-${++orphans}`, namespace, labels: { app: pick(random, PARENTS) } };
  const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  await client.write({ verb: 'create', type: CONFIG_MAPS, fieldManager: 'by-hand', object });
};

const editLiveParent: Edit = (staged, things) =>
  change(staged, things, (object) => {
    const spec = isJsonObject(object['spec']) ? object['spec'] : {};
    const maps = isJsonObject(spec['maps']) ? spec['maps'] : {};
    return { ...object, spec: { ...spec, maps: { ...maps, [`live-${pick(staged.random, NAMES)}`]: { k: '9' } } } };
  });

const editFile: Edit = (staged) => writeParent(staged, pick(staged.random, PARENTS));

const EDITS: readonly Edit[] = [
  editData,
  editData,
  disown,
  deleteChild,
  deleteChild,
  createOrphan,
  editLiveParent,
  editFile,
];

async function editAtRandom(staged: Stage, until: number): Promise<number> {
  const things = await thingsOf(staged);
  let edits = 0;
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, staged.random() * 120));
    try {
      await pick(staged.random, EDITS)(staged, things);
      edits++;
    } catch (error) {
      if (!isApiError(error, 409) && !isApiError(error, 404)) throw error;
    }
  }
  return edits;
}

async function applyAgainAndAgain({ apply }: Stage, until: number): Promise<Record<string, number>> {
  const ends: Record<string, number> = {};
  while (Date.now() < until) {
    const { status, diagnostics } = await apply({ timeoutMs: 8_000 });
    ends[status] = (ends[status] ?? 0) + 1;
    const unexpected = diagnostics.filter(({ code }) => !EXPECTED.has(code));
    assert.deepEqual(unexpected, []);
    assert.ok(status !== 'failed' || diagnostics.length > 0, 'failed without a word');
  }
  return ends;
}

interface Followed {
  readonly cache: ObjectCache;
  readonly scopes: readonly (CacheScope & { readonly namespace: string })[];
  /** What listeners were told, put together: must be the same as the cache. */
  readonly told: Map<string, KubeObject>;
}

async function follow(staged: Stage): Promise<Followed> {
  const { kubeconfig, namespace } = staged;
  const connection = await connect({ kubeconfig, variables: {}, clock: systemClock, requestTimeoutMs: 3_000 });
  assert.ok(connection);
  const { transport } = connection;
  const client = createClient(transport, { clock: systemClock, readRetries: 4 });
  const cache = createCache(client, { follow: true, clock: systemClock });
  after(async () => {
    await cache.close();
    await transport.close();
  });
  const scopes = [CONFIG_MAPS, await thingsOf(staged)].map((type) => ({ type, namespace }));
  const told = new Map<string, KubeObject>();
  await Promise.all(scopes.map((scope) => cache.ensure(scope)));
  for (const scope of scopes) for (const object of cache.list(scope)) told.set(keyOf(object), object);
  cache.onChange(({ before, after: now }) => {
    if (now) told.set(keyOf(now), now);
    else if (before) told.delete(keyOf(before));
  });
  return { cache, scopes, told };
}

const keyOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;
const versions = (objects: Iterable<KubeObject>): string[] =>
  [...objects].map((object) => `${keyOf(object)} ${object.metadata.uid}@${object.metadata.resourceVersion}`).sort();

/** The watches may be waiting for their next attempt: half a minute at most. */
async function assertEqualsFreshList({ cache, scopes, told }: Followed, client: ClusterClient): Promise<void> {
  const deadline = Date.now() + 45_000;
  for (;;) {
    const fresh = await Promise.all(scopes.map(({ type, namespace }) => client.list(type, { namespace })));
    const want = versions(fresh.flatMap(({ items }) => items));
    const have = versions(scopes.flatMap((scope) => cache.list(scope)));
    if (have.join() === want.join() || Date.now() > deadline) {
      assert.deepEqual(have, want);
      assert.deepEqual(versions(told.values()), want);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Each parent has the children that its spec asks for, with what it asks for in them, and no others. */
async function assertRight(staged: Stage): Promise<void> {
  const { client, namespace } = staged;
  const [parents, maps] = await Promise.all([
    client.list(await thingsOf(staged), { namespace }),
    client.list(CONFIG_MAPS, { namespace }),
  ]);
  for (const parent of parents.items) {
    const spec = isJsonObject(parent['spec']) ? parent['spec'] : {};
    const wanted = isJsonObject(spec['maps']) ? spec['maps'] : {};
    const owned = maps.items.filter((item) => controllerOf(item)?.uid === parent.metadata.uid);
    const names = Object.keys(wanted).map((name) => `${parent.metadata.name}-${name}`);
    assert.deepEqual(owned.map(({ metadata }) => metadata.name).sort(), names.sort());
    for (const [name, data] of Object.entries(wanted)) {
      const live = owned.find(({ metadata }) => metadata.name === `${parent.metadata.name}-${name}`);
      assert.equal((live?.['data'] as JsonObject | undefined)?.['k'], (data as JsonObject)['k']);
    }
  }
}

forEachTarget('a network in trouble', (target) => {
  test(`${target.kind}: random edits for ${SECONDS} s, METACTL_SEED=${SEED}`, async (t) => {
    const staged = await stage(target);
    for (const name of PARENTS) await writeParent(staged, name);
    const first = await staged.apply();
    assert.equal(first.status, 'settled', JSON.stringify(first.diagnostics));
    const followed = await follow(staged);
    const trouble = makeTrouble(staged.front, randomFrom(SEED + 1));
    const until = Date.now() + SECONDS * 1_000;
    const both = Promise.all([editAtRandom(staged, until), applyAgainAndAgain(staged, until)]);
    const [edits, ends] = await both.finally(() => trouble.stop());
    const faults = staged.front.log.filter((line) => line.split(' ').length > 2 && !line.endsWith(' delay')).length;
    t.diagnostic(
      `${edits} edits, ${staged.front.log.length} requests, ${faults} faults, runs: ${JSON.stringify(ends)}`,
    );
    assert.ok(edits > SECONDS && faults > SECONDS / 5, 'too little happened');
    const last = await staged.apply();
    assert.ok(['settled', 'nothing'].includes(last.status), JSON.stringify(last.diagnostics));
    const { plan } = await staged.plan();
    assert.deepEqual([plan?.inputs, plan?.parents.flatMap(({ steps }) => steps)], [[], []]);
    await assertRight(staged);
    await assertEqualsFreshList(followed, staged.client);
  });
});
