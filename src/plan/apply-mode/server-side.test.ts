// What is made of one observed and one wanted object: asked or not, written or not, taken from whom.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { MASKED_UNKNOWN } from '../../kit/unknown.ts';
import type { ApplySettings, ConflictRule, UpdateMethod } from '../../model/definition.ts';
import type { Answer, DryRunAnswer, DryRunNeed } from '../../model/need.ts';
import type { KubeObject, OwnerReference } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { allSchemas, schemaName } from '../../sandbox/kube-data/index.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { type FakeServer, type Tracked, trackedIn } from '../../testing/tracked.ts';
import type { ChildWrite, Conflicted } from './apply-mode.ts';
import { legacyOfChildren } from './legacy.ts';
import { ServerSideMode } from './server-side.ts';

const tracking = trackedIn(allSchemas(), schemaName);
const { fakeServer } = tracking;

const OWNER: OwnerReference = { apiVersion: 'v1', kind: 'Thing', name: 'one', uid: 'u-1', controller: true };
const DEPLOYMENTS: ResourceType = {
  ...{ group: 'apps', version: 'v1', kind: 'Deployment', resource: 'deployments', namespaced: true },
  ...{ verbs: [], subresources: ['status', 'scale'] },
};
const SECRETS: ResourceType = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };

const map = (data: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'n' },
  data,
});
const owned = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ownerReferences: [OWNER] },
});
const stored = (tracked: Tracked): KubeObject => {
  const { object } = tracked;
  return { ...object, metadata: { ...object.metadata, uid: 'u-a', resourceVersion: '7' } };
};
const withData =
  (data: JsonObject) =>
  (object: KubeObject): KubeObject => ({ ...object, data: { ...(object['data'] as JsonObject), ...data } });

interface Scene {
  readonly observed: KubeObject;
  readonly desired: KubeObject;
  readonly type?: ResourceType;
  readonly rules?: readonly ConflictRule[];
  readonly force?: boolean;
  readonly tryAll?: boolean;
  readonly method?: UpdateMethod;
  readonly server?: FakeServer;
}

interface Outcome {
  readonly write: ChildWrite | Conflicted | undefined;
  readonly asWanted: boolean;
  readonly mode: ServerSideMode;
  readonly dryRuns: readonly DryRunNeed[];
}

function decide(scene: Scene): Outcome {
  const { observed, desired, type = CONFIG_MAPS, rules = [], force = false, tryAll = false } = scene;
  const { method = 'InPlace', server = fakeServer() } = scene;
  const settings: ApplySettings = { mode: 'server-side', fieldManager: 'metactl', conflicts: rules, force };
  const answers = new Map<string, Answer>();
  for (let round = 0; round < 10; round++) {
    const legacy = legacyOfChildren('metactl');
    const given = { settings, answers, types: [type], owner: OWNER, tryAll, legacy, methodOf: () => method };
    const mode = new ServerSideMode(given);
    const write = mode.updateOf(observed, desired);
    if (mode.needs.length === 0)
      return { write, asWanted: mode.isAsWanted(observed, desired), mode, dryRuns: server.dryRuns };
    for (const need of mode.needs) answers.set(need.id, server.answer(need));
  }
  throw new Error('it asks on and on');
}

function written({ write }: Outcome): ChildWrite {
  assert.ok(write && 'after' in write, JSON.stringify(write));
  return write;
}
const conflictsOf = ({ write }: Outcome): readonly string[] => (write && 'conflicts' in write ? write.conflicts : []);

const OURS = tracking.applied(CONFIG_MAPS, owned(map({ x: '1', y: '1' })), 'metactl');

test('as it was applied: nothing to do, and nobody is asked, in a plan neither', () => {
  for (const tryAll of [false, true]) {
    const outcome = decide({ observed: stored(OURS), desired: map({ x: '1', y: '1' }), tryAll });
    assert.deepEqual([outcome.write, outcome.dryRuns.length, outcome.asWanted], [undefined, 0, true]);
  }
});

test('another value: written without a dry run, in a plan with one', () => {
  const scene = { observed: stored(OURS), desired: map({ x: '2' }) };
  const round = decide(scene);
  assert.deepEqual([round.dryRuns.length, round.asWanted, written(round).fidelity?.level], [0, false, 'schema']);
  assert.deepEqual(written(round).after['data'], { x: '2' });
  const plan = decide({ ...scene, tryAll: true });
  assert.deepEqual([plan.dryRuns.length, written(plan).fidelity?.level], [1, 'server']);
  assert.equal(plan.dryRuns[0]?.object.metadata.uid, 'u-a', 'what has gone meanwhile is not made anew');
  assert.deepEqual(written(plan).intent, { kind: 'apply', desired: owned(map({ x: '2' })) });
});

test('what can not be told here is asked, and what the server says counts', () => {
  // An empty value that the server leaves out when it stores the object.
  const spec = (clusterIP?: string): JsonObject => ({ ...(clusterIP === undefined ? {} : { clusterIP }), ports: [] });
  const type: ResourceType = { ...CONFIG_MAPS, kind: 'Service', resource: 'services', subresources: ['status'] };
  const service = (given: JsonObject): KubeObject =>
    ({ ...map({}), kind: 'Service', data: undefined, spec: given }) as KubeObject;
  const { data: _none, ...desired } = service(spec('')) as KubeObject & { data?: unknown };
  const made = tracking.applied(type, owned(desired as KubeObject), 'metactl');
  const { clusterIP: _dropped, ...kept } = made.object['spec'] as JsonObject;
  const observed = { ...stored(made), spec: kept };
  const unchanged = decide({
    observed,
    desired: desired as KubeObject,
    type,
    server: fakeServer({ says: unchangedOf }),
  });
  assert.deepEqual([unchanged.write, unchanged.dryRuns.length], [undefined, 1]);
});

const unchangedOf = ({ id }: DryRunNeed): DryRunAnswer => ({ kind: 'dry-run', id, outcome: 'unchanged' });

test('the id of a dry run stays with what matters and goes with it', () => {
  const idOf = (observed: KubeObject, desired = map({ x: '2' })): string | undefined =>
    decide({ observed, desired, tryAll: true }).dryRuns[0]?.id;
  const observed = stored(OURS);
  const first = idOf(observed);
  const later = observed.metadata.managedFields?.map((entry) => ({ ...entry, time: '2030-01-01T00:00:00Z' })) ?? [];
  const moved = { ...observed, metadata: { ...observed.metadata, resourceVersion: '9', managedFields: later } };
  assert.equal(idOf(moved), first, 'the version and the times say nothing');
  assert.notEqual(idOf(observed, map({ x: '3' })), first);
  assert.notEqual(idOf({ ...observed, data: { x: '1', y: '1', z: '1' } }), first);
});

const THEIRS = stored(OURS.updated(withData({ x: 'theirs' }), 'someone'));

test('a conflict is told with whose the field is and both values', () => {
  const outcome = decide({ observed: THEIRS, desired: map({ x: '1', y: '1' }) });
  assert.deepEqual(conflictsOf(outcome), ['data.x of "someone" (is "theirs", wanted "1")']);
  assert.deepEqual([outcome.asWanted, outcome.dryRuns.length], [false, 0]);
});

test('a conflict in a Secret is told without values', () => {
  const secret = (data: JsonObject): KubeObject => ({ ...map(data), kind: 'Secret' });
  const made = tracking.applied(SECRETS, owned(secret({ x: 'b3Vycw==' })), 'metactl');
  const observed = stored(made.updated(withData({ x: 'dGhlaXJz' }), 'someone'));
  const outcome = decide({ observed, desired: secret({ x: 'b3Vycw==' }), type: SECRETS });
  assert.deepEqual(conflictsOf(outcome), ['data.x of "someone"']);
});

const ignore: ConflictRule = { path: 'data.x', action: 'ignore' };
const force: ConflictRule = { path: 'data.x', action: 'force' };

test('a rule leaves the field: nothing else to do, nothing to write', () => {
  const outcome = decide({ observed: THEIRS, desired: map({ x: '1', y: '1' }), rules: [ignore] });
  assert.deepEqual([outcome.write, outcome.asWanted], [undefined, true]);
});

test('a rule leaves the field, and the rest is applied', () => {
  const outcome = decide({ observed: THEIRS, desired: map({ x: '1', y: '2' }), rules: [ignore] });
  const { after, note, intent } = written(outcome);
  assert.deepEqual(after['data'], { x: 'theirs', y: '2' });
  assert.equal(note, 'leaves data.x of "someone"');
  assert.deepEqual(intent, { kind: 'apply', desired: owned(map({ y: '2' })) });
});

test('a rule takes the field, and only onto the state that it was found in', () => {
  const { write, mode } = decide({ observed: THEIRS, desired: map({ x: '1', y: '1' }), rules: [force] });
  assert.ok(write && 'after' in write);
  assert.deepEqual(write.after['data'], { x: '1', y: '1' });
  assert.deepEqual([write.force, write.note], [true, 'takes data.x of "someone"']);
  assert.equal(write.intent.kind === 'apply' && write.intent.exact, true);
  assert.equal(mode.wasApplied(THEIRS), true, 'somebody changed it: drift');
});

test('forced as a whole: it is taken whoever has it when it is written', () => {
  const { intent, force: isForced } = written(decide({ observed: THEIRS, desired: map({ x: '1' }), force: true }));
  assert.deepEqual([intent.kind === 'apply' && intent.exact, isForced], [undefined, true]);
});

test('one field of a conflict that no rule settles blocks the child', () => {
  const observed = stored(OURS.updated(withData({ x: 'theirs', y: 'theirs' }), 'someone'));
  const outcome = decide({ observed, desired: map({ x: '1', y: '1' }), rules: [force] });
  assert.deepEqual(conflictsOf(outcome), ['data.y of "someone" (is "theirs", wanted "1")']);
});

test('what we wrote ourselves by an update is ours: no conflict, as after a webhook that changes what is applied', () => {
  const observed = stored(OURS.updated(withData({ x: 'webhook' }), 'metactl'));
  const outcome = decide({ observed, desired: map({ x: '1', y: '1' }) });
  assert.deepEqual([written(outcome).force, written(outcome).note], [true, undefined]);
});

const deployment = (containers: readonly JsonObject[], more: JsonObject = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', namespace: 'n' },
  spec: { selector: { matchLabels: { app: 'a' } }, template: { spec: { containers, ...more } } },
});
const web = { name: 'web', image: 'web:1' };
const image = (name: string, value: string) => (object: KubeObject) => {
  const spec = structuredClone(object['spec']) as {
    template: { spec: { containers: { name: string; image: string }[] } };
  };
  for (const one of spec.template.spec.containers) if (one.name === name) one.image = value;
  return { ...object, spec };
};
const IMAGE = 'spec.template.spec.containers[name="web"].image';

test('fields of list items are named by their keys, in conflicts and rules', () => {
  const made = tracking.applied(DEPLOYMENTS, owned(deployment([web])), 'metactl');
  const observed = stored(made.updated(image('web', 'web:9'), 'someone'));
  const scene = { observed, desired: deployment([web]), type: DEPLOYMENTS };
  assert.deepEqual(conflictsOf(decide(scene)), [`${IMAGE} of "someone" (is "web:9", wanted "web:1")`]);
  const left = decide({ ...scene, rules: [{ path: IMAGE, action: 'ignore' }] });
  assert.equal(left.write, undefined);
});

test('an item that somebody added to a keyed list stays, one that we applied and drop goes', () => {
  const made = tracking.applied(DEPLOYMENTS, owned(deployment([web, { name: 'old', image: 'old:1' }])), 'metactl');
  const sidecar = (object: KubeObject): KubeObject => {
    const { spec } = deployment([...containersOf(object), { name: 'sidecar', image: 's:1' }]) as KubeObject & {
      spec: JsonObject;
    };
    return { ...object, spec };
  };
  const observed = stored(made.updated(sidecar, 'injector'));
  const { after } = written(decide({ observed, desired: deployment([web]), type: DEPLOYMENTS }));
  assert.deepEqual(
    containersOf(after).map(({ name }) => name),
    ['web', 'sidecar'],
  );
});

const containersOf = (object: KubeObject): JsonObject[] =>
  (object['spec'] as { template: { spec: { containers: JsonObject[] } } }).template.spec.containers;

test('an atomic list is one value: somebody who adds to it has all of it', () => {
  const args = (...list: string[]): JsonObject => ({ ...web, args: list });
  const made = tracking.applied(DEPLOYMENTS, owned(deployment([args('a')])), 'metactl');
  const more = (object: KubeObject): KubeObject =>
    ({ ...object, spec: deployment([args('a', 'b')])['spec'] }) as KubeObject;
  const observed = stored(made.updated(more, 'someone'));
  const outcome = decide({ observed, desired: deployment([args('a')]), type: DEPLOYMENTS });
  assert.deepEqual(conflictsOf(outcome), [
    'spec.template.spec.containers[name="web"].args of "someone" (is ["a","b"], wanted ["a"])',
  ]);
});

test('fields that were written in another version are not known here: the server is asked, its conflicts are judged', () => {
  const observed = stored(OURS);
  const other = {
    manager: 'someone',
    operation: 'Update' as const,
    apiVersion: 'v1beta1',
    fieldsType: 'FieldsV1' as const,
  };
  const fields = { ...other, fieldsV1: { 'f:data': { 'f:x': {} } } };
  const metadata = { ...observed.metadata, managedFields: [...(observed.metadata.managedFields ?? []), fields] };
  const scene = { observed: { ...observed, metadata }, desired: map({ x: '2', y: '2' }) };
  const says = (need: DryRunNeed): DryRunAnswer =>
    need.force || !('x' in (need.object['data'] as JsonObject))
      ? { kind: 'dry-run', id: need.id, outcome: 'applied', object: { ...observed, data: { y: '2' } } }
      : { kind: 'dry-run', id: need.id, outcome: 'conflicts', conflicts: [{ field: 'data.x', manager: 'someone' }] };
  const server = () => fakeServer({ says });
  assert.deepEqual(conflictsOf(decide({ ...scene, server: server() })), ['data.x of "someone" (is "1", wanted "2")']);
  const left = decide({ ...scene, rules: [ignore], server: server() });
  assert.deepEqual([left.dryRuns.length, written(left).note], [2, 'leaves data.x of "someone"']);
  const taken = decide({ ...scene, rules: [force], server: server() });
  assert.deepEqual(
    taken.dryRuns.map(({ force: isForced }) => isForced),
    [false, true],
  );
});

test('a kind that the server says nothing of: every difference is asked', () => {
  const server = fakeServer({ known: false, says: unchangedOf });
  const outcome = decide({ observed: stored(OURS), desired: map({ x: '2' }), server });
  assert.deepEqual([outcome.write, outcome.dryRuns.length], [undefined, 1]);
});

const saying = (answer: { outcome: 'invalid' | 'refused'; message: string } | { outcome: 'moved' }): FakeServer =>
  fakeServer({ says: ({ id }) => ({ kind: 'dry-run', id, ...answer }) });

test('without dry runs it is told from the schema, with one warning', () => {
  const server = saying({ outcome: 'refused', message: 'user "u" may not patch configmaps' });
  const outcome = decide({ observed: stored(OURS), desired: map({ x: '2' }), tryAll: true, server });
  assert.deepEqual(written(outcome).after['data'], { x: '2' });
  assert.equal(written(outcome).fidelity?.level, 'schema');
  assert.deepEqual(
    outcome.mode.diagnostics.map(({ severity, code }) => [severity, code]),
    [['warning', 'ineffective']],
  );
});

test('an object that has changed meanwhile is nothing to warn of', () => {
  const outcome = decide({
    observed: stored(OURS),
    desired: map({ x: '2' }),
    tryAll: true,
    server: saying({ outcome: 'moved' }),
  });
  assert.equal(written(outcome).fidelity?.level, 'schema');
  assert.deepEqual(outcome.mode.diagnostics, []);
});

test('what the server would refuse is an error, but not where the child is replaced or left', () => {
  const codes = (method: UpdateMethod): readonly string[] => {
    const server = saying({ outcome: 'invalid', message: 'field is immutable' });
    const outcome = decide({ observed: stored(OURS), desired: map({ x: '2' }), tryAll: true, method, server });
    assert.deepEqual(written(outcome).after['data'], { x: '2' });
    return outcome.mode.diagnostics.map(({ code }) => code);
  };
  assert.deepEqual(codes('InPlace'), ['api-error']);
  for (const method of ['Recreate', 'RollingRecreate', 'OnDelete'] as const)
    assert.deepEqual(codes(method), [], method);
});

test('a child that is compared only (in a rollout) is not complained of', () => {
  const server = saying({ outcome: 'invalid', message: 'no' });
  const settings: ApplySettings = { mode: 'server-side', fieldManager: 'metactl', conflicts: [], force: false };
  const answers = new Map<string, Answer>();
  for (;;) {
    const mode = new ServerSideMode({ settings, answers, types: [CONFIG_MAPS], owner: OWNER, tryAll: true });
    const asWanted = mode.isAsWanted(stored(OURS), map({ x: '2' }));
    if (mode.needs.length === 0) return assert.deepEqual([asWanted, mode.diagnostics], [false, []]);
    for (const need of mode.needs) answers.set(need.id, server.answer(need));
  }
});

test('placeholders of masked Secret values are sent nowhere, a dry run included', () => {
  const outcome = decide({ observed: stored(OURS), desired: map({ x: MASKED_UNKNOWN }), tryAll: true });
  assert.equal(outcome.dryRuns.length, 0);
  assert.equal(written(outcome).fidelity, undefined, 'told from what it holds: unknown');
});

test('left until somebody deletes it: a conflict is none', () => {
  const outcome = decide({ observed: THEIRS, desired: map({ x: '1' }), method: 'OnDelete' });
  assert.ok(written(outcome));
});
