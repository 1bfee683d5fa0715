// From the annotation, from kubectl and from names that we had before, to managedFields: in each case no field is left that
// two of us own, and what is left to do is told by the second look.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { applyDynamic, LAST_APPLIED_ANNOTATION, withLastApplied } from '../../merge/index.ts';
import type { ApplySettings, UpdateMethod } from '../../model/definition.ts';
import type { Answer } from '../../model/need.ts';
import type { KubeObject, OwnerReference } from '../../model/object.ts';
import { allSchemas, schemaName } from '../../sandbox/kube-data/index.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { ownersOf, type Tracked, trackedIn } from '../../testing/tracked.ts';
import type { ChildWrite, Conflicted } from './apply-mode.ts';
import { DynamicMode } from './dynamic.ts';
import { legacyOfChildren } from './legacy.ts';
import { KUBECTL_APPLY, ourManagers } from './managers.ts';
import { ServerSideMode } from './server-side.ts';

const tracking = trackedIn(allSchemas(), schemaName);
const { fakeServer } = tracking;

const OWNER: OwnerReference = { apiVersion: 'v1', kind: 'Thing', name: 'one', uid: 'u-1', controller: true };
const OWNERS = 'metadata.ownerReferences[{"uid":"u-1"}]';

const map = (data: JsonObject, metadata: JsonObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'n', ...metadata },
  data,
});
const owned = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ownerReferences: [OWNER] },
});
const adopted = (tracked: Tracked): Tracked => tracked.updated(owned, 'metactl');
const withData =
  (data: JsonObject) =>
  (object: KubeObject): KubeObject => ({ ...object, data: { ...(object['data'] as JsonObject), ...data } });

const dynamic = (desired: KubeObject, manager = 'metactl'): Tracked =>
  tracking.created(CONFIG_MAPS, owned(withLastApplied(desired, LAST_APPLIED_ANNOTATION)), manager);
const byKubectl = (desired: KubeObject): Tracked =>
  tracking.created(CONFIG_MAPS, withLastApplied(desired, KUBECTL_APPLY.annotation), KUBECTL_APPLY.manager);

interface Asked {
  readonly desired: KubeObject;
  readonly fieldManager?: string;
  readonly tryAll?: boolean;
  readonly method?: UpdateMethod;
}

function serverSide(
  observed: KubeObject,
  { desired, fieldManager = 'metactl', tryAll = false, method = 'InPlace' }: Asked,
) {
  const settings: ApplySettings = { mode: 'server-side', fieldManager, conflicts: [], force: false };
  const answers = new Map<string, Answer>();
  const server = fakeServer();
  for (;;) {
    const legacy = legacyOfChildren(fieldManager);
    const given = { settings, answers, types: [CONFIG_MAPS], owner: OWNER, tryAll, legacy, methodOf: () => method };
    const mode = new ServerSideMode(given);
    const write = mode.updateOf(observed, desired);
    if (mode.needs.length === 0)
      return { write, asWanted: mode.isAsWanted(observed, desired), dryRuns: server.dryRuns };
    for (const need of mode.needs) answers.set(need.id, server.answer(need));
  }
}

const isWrite = (write: ChildWrite | Conflicted | undefined): write is ChildWrite => !!write && 'after' in write;

/** Every write until nothing is left: how many there were, and the object at the end. */
function settle(from: Tracked, asked: Asked): { readonly writes: readonly string[]; readonly tracked: Tracked } {
  const writes: string[] = [];
  let tracked = from;
  for (;;) {
    const { write } = serverSide(tracked.object, asked);
    if (!isWrite(write)) return { writes: write ? [...writes, ...write.conflicts] : writes, tracked };
    assert.ok(writes.length < 5, 'it never ends');
    writes.push(write.intent.kind);
    if (write.intent.kind === 'apply')
      tracked = tracked.applied(write.intent.desired, asked.fieldManager ?? 'metactl', write.force);
    else tracked = tracked.updated(() => write.after, asked.fieldManager ?? 'metactl');
  }
}

const cases: readonly {
  name: string;
  why: string;
  from: Tracked;
  desired: KubeObject;
  fieldManager?: string;
  writes: readonly string[];
  owners: readonly string[];
  data?: JsonObject;
}[] = [
  {
    name: 'dynamic apply, nothing else to do',
    why: 'one write, of bookkeeping',
    from: dynamic(map({ x: '1' })),
    desired: map({ x: '1' }),
    writes: ['migrate'],
    owners: [`metactl Apply: data.x ${OWNERS}`],
  },
  {
    name: 'dynamic apply by Metacontroller',
    why: 'its children are taken over',
    from: dynamic(map({ x: '1' }), 'metacontroller'),
    desired: map({ x: '1' }),
    writes: ['migrate'],
    owners: [`metactl Apply: data.x ${OWNERS}`],
  },
  {
    name: 'dynamic apply, a field less',
    why: 'what was applied is ours to prune',
    from: dynamic(map({ x: '1', y: '1' })),
    desired: map({ x: '1' }),
    writes: ['migrate', 'apply'],
    owners: [`metactl Apply: data.x ${OWNERS}`],
    data: { x: '1' },
  },
  {
    name: 'dynamic apply, and somebody else beside it',
    why: 'their fields stay theirs',
    from: dynamic(map({ x: '1' })).updated(withData({ z: 'theirs' }), 'someone'),
    desired: map({ x: '1' }),
    writes: ['migrate'],
    owners: [`metactl Apply: data.x ${OWNERS}`, 'someone Update: data.z'],
  },
  {
    name: 'an update of ours without any record',
    why: 'somebody took the annotation off: what we wrote and want is ours, the rest stays',
    from: tracking.created(CONFIG_MAPS, owned(map({ x: '1', y: '1' })), 'metactl'),
    desired: map({ x: '1' }),
    writes: ['migrate'],
    owners: [`metactl Apply: data.x ${OWNERS}`, 'metactl Update: data.y'],
  },
  {
    name: 'an orphan that was adopted',
    why: 'that the adoption names the owner too is not worth a write',
    from: adopted(tracking.created(CONFIG_MAPS, map({}), 'someone')),
    desired: map({ x: '1' }),
    writes: ['apply'],
    owners: [`metactl Apply: data.x ${OWNERS}`, `metactl Update: ${OWNERS}`, 'someone Update: data'],
  },
  {
    name: 'kubectl apply, adopted, the same',
    why: 'what both apply is ours now',
    from: adopted(byKubectl(map({ x: '1' }))),
    desired: map({ x: '1' }),
    writes: ['migrate'],
    owners: [
      `metactl Apply: data.x ${OWNERS}`,
      'kubectl-client-side-apply Update: metadata.annotations.kubectl.kubernetes.io/last-applied-configuration',
    ],
  },
  {
    name: 'kubectl apply, adopted, with more than the hook wants',
    why: 'what a person applied beside it stays, and stays theirs',
    from: adopted(byKubectl(map({ x: '1', z: '1' }))),
    desired: map({ x: '1' }),
    writes: ['migrate'],
    owners: [
      `metactl Apply: data.x ${OWNERS}`,
      'kubectl-client-side-apply Update: data.z metadata.annotations.kubectl.kubernetes.io/last-applied-configuration',
    ],
  },
  {
    name: 'kubectl apply, adopted, another value',
    why: 'what a person applied is not taken unasked',
    from: adopted(byKubectl(map({ x: 'theirs', y: '1' }))),
    desired: map({ x: '1', y: '1' }),
    writes: ['data.x of "kubectl-client-side-apply" (is "theirs", wanted "1")'],
    owners: [],
  },
  {
    name: 'applied under another name of ours',
    why: 'by Metacontroller in its mode server-side-apply, say',
    from: tracking.applied(CONFIG_MAPS, owned(map({ x: '1', y: '1' })), 'metacontroller'),
    desired: map({ x: '1' }),
    writes: ['migrate', 'apply'],
    owners: [`metactl Apply: data.x ${OWNERS}`],
    data: { x: '1' },
  },
  {
    name: 'another field manager than before',
    why: 'metactl was ours',
    from: tracking.applied(CONFIG_MAPS, owned(map({ x: '1' })), 'metactl'),
    desired: map({ x: '1' }),
    fieldManager: 'team-a',
    writes: ['migrate'],
    owners: [`team-a Apply: data.x ${OWNERS}`],
  },
  {
    name: 'applied, and then by Metacontroller dynamically',
    why: 'both knew what was theirs: both is ours',
    from: tracking
      .applied(CONFIG_MAPS, owned(map({ x: '1', y: '1' })), 'metactl')
      .updated((live) => applyDynamic(live, map({ x: '2' }), LAST_APPLIED_ANNOTATION), 'metacontroller'),
    desired: map({ x: '2' }),
    writes: ['migrate', 'apply'],
    owners: [`metactl Apply: data.x ${OWNERS}`],
    data: { x: '2' },
  },
  {
    name: 'applied by us',
    why: 'nothing to move',
    from: tracking.applied(CONFIG_MAPS, owned(map({ x: '1' })), 'metactl'),
    desired: map({ x: '1' }),
    writes: [],
    owners: [`metactl Apply: data.x ${OWNERS}`],
  },
];
for (const { name, why, from, desired, fieldManager, writes, owners, data } of cases)
  test(`${name}: ${why}`, () => {
    const settled = settle(from, { desired, ...(fieldManager === undefined ? {} : { fieldManager }) });
    assert.deepEqual(settled.writes, writes);
    const { object } = settled.tracked;
    if (owners.length > 0) assert.deepEqual(ownersOf(object).map(sorted), owners.map(sorted));
    if (data) assert.deepEqual(object['data'], data);
    if (owners.length > 0) assert.equal(object.metadata.annotations?.[LAST_APPLIED_ANNOTATION], undefined);
  });

const sorted = (owner: string): string => {
  const [who = '', paths = ''] = owner.split(': ');
  return `${who}: ${paths.split(' ').sort().join(' ')}`;
};

test('where something is to be changed too, a plan is told of both writes', () => {
  const { write, dryRuns } = serverSide(dynamic(map({ x: '1', y: '1' })).object, {
    desired: map({ x: '2' }),
    tryAll: true,
  });
  assert.ok(isWrite(write));
  assert.deepEqual([write.intent.kind, write.after['data'], dryRuns.length], ['migrate', { x: '1', y: '1' }, 0]);
  assert.deepEqual([write.next?.intent.kind, write.next?.after['data']], ['apply', { x: '2' }]);
});

test('what is as wanted is so before it is moved over: a rollout does not take it for updated, or not', () => {
  const { object } = dynamic(map({ x: '1' }));
  assert.equal(serverSide(object, { desired: map({ x: '1' }) }).asWanted, true);
  assert.equal(serverSide(object, { desired: map({ x: '2' }) }).asWanted, false);
});

test('nothing is replaced to move it over, and what is replaced is not moved over first', () => {
  const { object } = dynamic(map({ x: '1' }));
  const same = serverSide(object, { desired: map({ x: '1' }), method: 'Recreate' }).write;
  assert.ok(isWrite(same) && same.bookkeeping === true && same.intent.kind === 'migrate');
  const other = serverSide(object, { desired: map({ x: '2' }), method: 'Recreate' }).write;
  assert.ok(isWrite(other) && other.bookkeeping === undefined && other.intent.kind === 'apply');
});

test('what only its deletion changes is not written for bookkeeping', () => {
  const { object } = dynamic(map({ x: '1' }));
  assert.equal(serverSide(object, { desired: map({ x: '1' }), method: 'OnDelete' }).write, undefined);
  assert.ok(isWrite(serverSide(object, { desired: map({ x: '2' }), method: 'OnDelete' }).write));
});

function dynamically(observed: KubeObject, desired: KubeObject, method: UpdateMethod = 'InPlace') {
  const answers = new Map<string, Answer>();
  const server = fakeServer();
  for (;;) {
    const managers = ourManagers('metactl');
    const mode = new DynamicMode({ managers, types: [CONFIG_MAPS], answers, methodOf: () => method });
    const write = mode.updateOf(observed, desired);
    if (mode.needs.length === 0) return { write, asWanted: mode.isAsWanted(observed, desired) };
    for (const need of mode.needs)
      answers.set(
        need.id,
        need.kind === 'live-read' ? { kind: 'live-read', id: need.id, object: observed } : server.answer(need),
      );
  }
}

test('back to the annotation: what was applied is what is recorded, and our entry goes', () => {
  const applied = tracking.applied(CONFIG_MAPS, owned(map({ x: '1', y: '1' })), 'metactl');
  const same = dynamically(applied.object, map({ x: '1', y: '1' }));
  assert.ok(same.write && same.asWanted);
  assert.equal(same.write.bookkeeping, true);
  const back = applied.updated(() => same.write?.after ?? applied.object, 'metactl');
  assert.deepEqual(ownersOf(back.object), [], 'where nobody owns anything, the server keeps no account of updates');
  assert.equal(dynamically(back.object, map({ x: '1', y: '1' })).write, undefined);
  const less = dynamically(applied.object, map({ x: '1' }));
  assert.deepEqual([less.write?.after['data'], less.write?.bookkeeping, less.asWanted], [{ x: '1' }, undefined, false]);
});

test('back to the annotation where Metacontroller has written one since: it counts', () => {
  const both = tracking
    .applied(CONFIG_MAPS, owned(map({ x: '1' })), 'metactl')
    .updated((live) => applyDynamic(live, map({ x: '1', y: '2' }), LAST_APPLIED_ANNOTATION), 'metacontroller');
  const { write } = dynamically(both.object, map({ x: '1' }));
  assert.deepEqual(write?.after['data'], { x: '1' });
  assert.deepEqual(
    ownersOf(write?.after ?? both.object).filter((entry) => entry.includes('Apply')),
    [],
  );
});

test('back to the annotation: what only its deletion changes is left alone', () => {
  const applied = tracking.applied(CONFIG_MAPS, owned(map({ x: '1' })), 'metactl');
  assert.equal(dynamically(applied.object, map({ x: '1' }), 'OnDelete').write, undefined);
});
