import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { configMap, metadataOf, type SandboxBench, sandboxBench } from '../../testing/sandbox-bench.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

interface Owner {
  readonly name: string;
  readonly block?: boolean;
}

/** Creates objects in order; each may be owned by earlier ones. */
async function family(
  bench: SandboxBench,
  members: Readonly<Record<string, { owners?: readonly Owner[]; finalizers?: readonly string[] }>>,
): Promise<void> {
  const uids = new Map<string, string>();
  for (const [name, { owners = [], finalizers = [] }] of Object.entries(members)) {
    const ownerReferences = owners.map((owner) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: owner.name,
      uid: uids.get(owner.name) ?? 'nobody',
      ...(owner.block ? { blockOwnerDeletion: true } : {}),
    }));
    const created = await bench.ok(`POST ${MAPS}`, configMap(name, { ownerReferences, finalizers }));
    uids.set(name, String(metadataOf(created)['uid']));
  }
}

async function left(bench: SandboxBench): Promise<Record<string, JsonObject>> {
  const { items } = await bench.ok(`GET ${MAPS}`);
  const entries = (items as unknown as JsonObject[]).map((item) => [
    String(metadataOf(item)['name']),
    metadataOf(item),
  ]);
  return Object.fromEntries(entries) as Record<string, JsonObject>;
}

test('background: dependents go with their owner, all the way down, before the delete is answered', async () => {
  const bench = sandboxBench();
  await family(bench, {
    owner: {},
    child: { owners: [{ name: 'owner' }] },
    grandchild: { owners: [{ name: 'child' }] },
    stranger: {},
  });
  const answer = await bench.ok(`DELETE ${MAPS}/owner`);
  assert.equal(answer['kind'], 'Status');
  assert.deepEqual(Object.keys(await left(bench)), ['stranger']);
});

test('a dependent of two owners loses the reference to the one that went', async () => {
  const bench = sandboxBench();
  await family(bench, { a: {}, b: {}, child: { owners: [{ name: 'a' }, { name: 'b' }] } });
  await bench.ok(`DELETE ${MAPS}/a`);
  const { child } = await left(bench);
  assert.deepEqual(
    ((child?.['ownerReferences'] ?? []) as unknown as JsonObject[]).map((ref) => ref['name']),
    ['b'],
  );
});

test('orphan: dependents stay, without the reference', async () => {
  const bench = sandboxBench();
  await family(bench, { owner: {}, child: { owners: [{ name: 'owner' }] } });
  const answer = await bench.ok(`DELETE ${MAPS}/owner?propagationPolicy=Orphan`);
  assert.deepEqual(metadataOf(answer)['finalizers'], ['orphan'], 'the answer is the revision that waited');
  const { child, owner } = await left(bench);
  assert.equal(owner, undefined);
  assert.equal(child?.['ownerReferences'], undefined);
});

test('foreground: the owner waits for dependents that block, and only for them', async () => {
  const bench = sandboxBench();
  await family(bench, {
    owner: {},
    blocks: { owners: [{ name: 'owner', block: true }], finalizers: ['example.com/hold'] },
    passes: { owners: [{ name: 'owner' }], finalizers: ['example.com/hold'] },
  });
  await bench.ok(`DELETE ${MAPS}/owner`, { propagationPolicy: 'Foreground' });
  const waiting = await left(bench);
  assert.deepEqual(waiting['owner']?.['finalizers'], ['foregroundDeletion']);
  assert.ok(
    waiting['blocks']?.['deletionTimestamp'] && waiting['passes']?.['deletionTimestamp'],
    'both were told to go',
  );
  await bench.ok(`PATCH ${MAPS}/blocks`, { metadata: { finalizers: null } });
  assert.deepEqual(Object.keys(await left(bench)), ['passes']);
});

test('foreground goes down: a dependent with dependents is deleted in the foreground itself', async () => {
  const bench = sandboxBench();
  await family(bench, {
    owner: {},
    child: { owners: [{ name: 'owner', block: true }] },
    grandchild: { owners: [{ name: 'child', block: true }], finalizers: ['example.com/hold'] },
  });
  await bench.ok(`DELETE ${MAPS}/owner?propagationPolicy=Foreground`);
  assert.deepEqual(Object.keys(await left(bench)), ['child', 'grandchild', 'owner']);
  await bench.ok(`PATCH ${MAPS}/grandchild`, { metadata: { finalizers: null } });
  assert.deepEqual(Object.keys(await left(bench)), []);
});

test('a circle of owners does not wait for itself', async () => {
  const bench = sandboxBench();
  await family(bench, { a: {}, b: { owners: [{ name: 'a', block: true }] } });
  const uid = metadataOf(await bench.ok(`GET ${MAPS}/b`))['uid'];
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid, blockOwnerDeletion: true }] as const;
  await bench.ok(`PATCH ${MAPS}/a`, { metadata: { ownerReferences: ownerReferences as unknown as JsonObject[] } });
  await bench.ok(`DELETE ${MAPS}/a?propagationPolicy=Foreground`);
  assert.deepEqual(Object.keys(await left(bench)), []);
});

const owners: readonly (readonly [reason: string, owner: JsonObject, stays: boolean])[] = [
  ['an owner that is not there', { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'gone' }, false],
  ['an owner of that name with another uid', { apiVersion: 'v1', kind: 'ConfigMap', name: 'kept', uid: 'gone' }, false],
  [
    'an owner of a kind that is not served: nobody can tell',
    { apiVersion: 'x.io/v1', kind: 'X', name: 'x', uid: 'y' },
    true,
  ],
];

for (const [reason, owner, stays] of owners) {
  test(`created with ${reason}`, async () => {
    const bench = sandboxBench();
    await family(bench, { kept: {} });
    const created = await bench.send(`POST ${MAPS}`, configMap('child', { ownerReferences: [owner] }));
    assert.equal(created.status, 201);
    assert.equal('child' in (await left(bench)), stays);
  });
}

test('an owner in another namespace is none', async () => {
  const bench = sandboxBench();
  await bench.ok('POST /api/v1/namespaces', { metadata: { name: 'other' } });
  const owner = await bench.ok('POST /api/v1/namespaces/other/configmaps', configMap('owner'));
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadataOf(owner)['uid'] ?? '' };
  await bench.ok(`POST ${MAPS}`, configMap('child', { ownerReferences: [reference] }));
  assert.deepEqual(Object.keys(await left(bench)), []);
});

test('random families: nothing dangles, whatever is deleted', async () => {
  const seed = Number(process.env['METACTL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state % below;
  };
  const bench = sandboxBench();
  const names = Array.from({ length: 40 }, (_, i) => `m${i}`);
  await family(
    bench,
    Object.fromEntries(
      names.map((name, i) => {
        const owners = Array.from({ length: next(3) }, () => ({
          name: `m${next(Math.max(1, i))}`,
          block: next(2) === 0,
        }));
        return [
          name,
          i === 0 ? {} : { owners: owners.filter((o, j) => owners.findIndex((p) => p.name === o.name) === j) },
        ];
      }),
    ),
  );
  const policies = ['Background', 'Foreground', 'Orphan'];
  for (let i = 0; i < 15; i++) {
    await bench.send(`DELETE ${MAPS}/m${next(40)}?propagationPolicy=${policies[next(3)]}`);
    const there = await left(bench);
    const uids = new Set(Object.values(there).map((metadata) => metadata['uid']));
    for (const [name, metadata] of Object.entries(there)) {
      assert.equal(metadata['deletionTimestamp'], undefined, `${name} waits for nothing (seed ${seed})`);
      for (const ref of (metadata['ownerReferences'] ?? []) as unknown as JsonObject[]) {
        assert.ok(uids.has(ref['uid']), `${name} names an owner that is gone (seed ${seed})`);
      }
    }
  }
});
