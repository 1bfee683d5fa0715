import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthOf } from '../../health/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FakeWorkloadApi } from '../../testing/fake-workload-api.ts';
import { StatusError } from '../http/status-error.ts';
import { type ReadinessModel, startWorkloads } from './index.ts';

const LABELS = { app: 'web' };
const template = (image = 'web:1', spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: LABELS },
  spec: { containers: [{ name: 'web', image }], ...spec },
});

function manifest(apiVersion: string, kind: string, spec: JsonObject): KubeObject {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'default' }, spec };
}

class Bed {
  readonly clock = new FakeClock();
  readonly api = new FakeWorkloadApi(this.clock);
  readonly simulation: { stop(): void };

  constructor(...models: readonly ReadinessModel[]) {
    this.simulation = startWorkloads(this.api, { clock: this.clock, models });
  }

  pods(): readonly KubeObject[] {
    return this.api.list('', 'pods');
  }

  /** The object as it is now. */
  now(object: KubeObject): KubeObject {
    const { kind, metadata } = object;
    const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
    const found = this.api.get(group ?? '', `${kind.toLowerCase()}s`, metadata.namespace, metadata.name ?? '');
    assert.ok(found, `${kind} ${metadata.name} is there`);
    return found;
  }

  health(object: KubeObject): string {
    const { state, message } = healthOf(this.now(object));
    return `${state}: ${message}`;
  }

  respec(object: KubeObject, spec: JsonObject): void {
    const live = this.now(object);
    this.api.update({ ...live, spec: { ...(live['spec'] as JsonObject), ...spec } });
  }

  images(): readonly string[] {
    return this.pods().map((pod) => (pod['spec'] as { containers: { image: string }[] }).containers[0]?.image ?? '');
  }
}

const names = (objects: readonly KubeObject[]): readonly string[] => objects.map(({ metadata }) => metadata.name ?? '');

test("a pod is bound at once, Running and Ready after the model's delay", () => {
  const bed = new Bed();
  const pod = bed.api.create(manifest('v1', 'Pod', { containers: [{ name: 'web', image: 'web:1' }] }));
  assert.equal(bed.health(pod), 'InProgress: ContainersNotReady: web: ContainerCreating');
  assert.equal((bed.now(pod)['spec'] as JsonObject)['nodeName'], 'sandbox-node');
  bed.clock.advance(999);
  assert.match(bed.health(pod), /^InProgress/);
  bed.clock.advance(1);
  assert.equal(bed.health(pod), 'Current: Ready');
  const status = bed.now(pod)['status'] as JsonObject;
  assert.equal(status['podIP'], '10.244.0.1');
  assert.equal(status['startTime'], '2026-01-01T00:00:00Z');
  assert.deepEqual(status['containerStatuses'], [
    {
      name: 'web',
      image: 'web:1',
      imageID: '',
      containerID: 'sandbox://uid-1/web',
      ready: true,
      started: true,
      restartCount: 0,
      lastState: {},
      state: { running: { startedAt: '2026-01-01T00:00:01Z' } },
    },
  ]);
  const writes = bed.api.log.length;
  bed.clock.advance(3_600_000);
  assert.equal(bed.api.log.length, writes, 'then nothing is written any more');
});

const POD_MODELS: readonly (readonly [string, ReadinessModel, string])[] = [
  ['never', { kind: 'never' }, 'InProgress: ContainersNotReady: containers with unready status: [web]'],
  ['fail', { kind: 'fail', reason: 'ImagePullBackOff' }, 'InProgress: ContainersNotReady: web: ImagePullBackOff'],
  ['crash loop', { kind: 'fail', reason: 'CrashLoopBackOff' }, 'Failed: ContainersNotReady: web: CrashLoopBackOff'],
  ['flap, up', { kind: 'flap', upSeconds: 20, downSeconds: 1 }, 'Current: Ready'],
  [
    'flap, down',
    { kind: 'flap', upSeconds: 6, downSeconds: 6 },
    'InProgress: ContainersNotReady: containers with unready status: [web]',
  ],
  ['a model for others', { kind: 'never', selector: { matchLabels: { app: 'db' } } }, 'Current: Ready'],
];
for (const [name, model, health] of POD_MODELS) {
  test(`a pod after ten seconds of the model: ${name}`, () => {
    const bed = new Bed(model);
    const pod = bed.api.create(manifest('v1', 'Pod', { containers: [{ name: 'web' }] }));
    bed.clock.advance(10_000);
    assert.equal(bed.health(pod), health);
  });
}

test('the pod of nobody that ends where it fails', () => {
  const bed = new Bed({ kind: 'fail', reason: 'Error' });
  const pod = bed.api.create(manifest('v1', 'Pod', { restartPolicy: 'Never', containers: [{ name: 'web' }] }));
  assert.equal(bed.health(pod), 'Current: ended without success: web: Error exit code 1');
});

test('a deployment: a ReplicaSet, its pods, counts, conditions and generation', () => {
  const bed = new Bed();
  const spec = { replicas: 3, selector: { matchLabels: LABELS }, template: template(), progressDeadlineSeconds: 600 };
  const deployment = bed.api.create(manifest('apps/v1', 'Deployment', spec));
  assert.equal(bed.pods().length, 3);
  assert.match(bed.health(deployment), /^InProgress: 0 of 3 updated replicas available/);
  bed.clock.advance(1_000);
  assert.equal(bed.health(deployment), 'Current: 3 of 3 replicas ready');
  const { conditions, ...counts } = bed.now(deployment)['status'] as { conditions: JsonObject[] };
  assert.deepEqual(counts, {
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
  });
  assert.deepEqual(
    conditions.map(({ type, status, reason }) => [type, status, reason]),
    [
      ['Available', 'True', 'MinimumReplicasAvailable'],
      ['Progressing', 'True', 'NewReplicaSetAvailable'],
    ],
  );
  const [set] = bed.api.list('apps', 'replicasets');
  const hash = set?.metadata.labels?.['pod-template-hash'];
  assert.equal(set?.metadata.name, `web-${hash}`);
  for (const pod of bed.pods()) assert.equal(pod.metadata.labels?.['pod-template-hash'], hash);
  assert.equal(bed.now(deployment).metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
});

test('a deployment rolls to a new template and back without losing availability, and scales', () => {
  const bed = new Bed();
  const spec = { replicas: 4, selector: { matchLabels: LABELS }, template: template() };
  const deployment = bed.api.create(manifest('apps/v1', 'Deployment', spec));
  bed.clock.advance(2_000);
  for (const [image, revision] of [
    ['web:2', '2'],
    ['web:1', '3'],
  ] as const) {
    bed.respec(deployment, { template: template(image) });
    for (let second = 0; second < 6; second++) {
      const ready = bed.pods().filter((pod) => healthOf(pod).state === 'Current').length;
      assert.ok(ready >= 3, `${ready} of 4 ready on the way to ${image}`);
      bed.clock.advance(1_000);
    }
    assert.equal(bed.health(deployment), 'Current: 4 of 4 replicas ready');
    assert.deepEqual(bed.images(), [image, image, image, image]);
    assert.equal(bed.now(deployment).metadata.annotations?.['deployment.kubernetes.io/revision'], revision);
  }
  assert.equal(bed.api.list('apps', 'replicasets').length, 2, 'going back uses the old ReplicaSet again');
  bed.respec(deployment, { replicas: 1 });
  assert.equal(bed.health(deployment), 'Current: 1 of 1 replicas ready');
  bed.api.remove(bed.now(deployment));
  assert.deepEqual([bed.pods(), bed.api.list('apps', 'replicasets')], [[], []]);
});

test('a deployment of broken pods passes its deadline', () => {
  const bed = new Bed({ kind: 'fail', reason: 'ImagePullBackOff' });
  const spec = { replicas: 1, selector: {}, template: template(), progressDeadlineSeconds: 60 };
  const deployment = bed.api.create(manifest('apps/v1', 'Deployment', spec));
  bed.clock.advance(59_000);
  assert.match(bed.health(deployment), /^InProgress/);
  bed.clock.advance(2_000);
  assert.match(bed.health(deployment), /^Failed: ProgressDeadlineExceeded: ReplicaSet "web-\w+" has timed out/);
});

test('strategy Recreate: the old pods go before the new come', () => {
  const bed = new Bed();
  const spec = { replicas: 2, selector: {}, template: template(), strategy: { type: 'Recreate' } };
  const deployment = bed.api.create(manifest('apps/v1', 'Deployment', spec));
  bed.clock.advance(1_000);
  bed.api.log.length = 0;
  bed.respec(deployment, { template: template('web:2') });
  const first = (what: RegExp): number => bed.api.log.findIndex((line) => what.test(line));
  assert.ok(first(/^delete Pod/) < first(/^put Pod/), bed.api.log.join('\n'));
  assert.equal(bed.api.log.findLastIndex((line) => line.startsWith('delete Pod')) < first(/^put Pod/), true);
  bed.clock.advance(1_000);
  assert.equal(bed.health(deployment), 'Current: 2 of 2 replicas ready');
});

test('a ReplicaSet replaces a pod that is deleted, and one that waits for a finalizer', () => {
  const bed = new Bed();
  const set = bed.api.create(manifest('apps/v1', 'ReplicaSet', { replicas: 2, template: template() }));
  bed.clock.advance(1_000);
  const [one, two] = bed.pods();
  assert.ok(one && two);
  bed.api.remove(one);
  bed.api.update({ ...two, metadata: { ...two.metadata, finalizers: ['acme.io/hold'] } });
  bed.api.remove(bed.now(two));
  assert.equal(bed.pods().length, 3);
  bed.clock.advance(1_000);
  assert.equal(bed.health(set), 'Current: 2 of 2 replicas ready');
});

test('minReadySeconds: Ready, but available only later', () => {
  const bed = new Bed();
  const set = bed.api.create(
    manifest('apps/v1', 'ReplicaSet', { replicas: 1, minReadySeconds: 5, template: template() }),
  );
  bed.clock.advance(3_000);
  assert.equal(bed.health(set), 'InProgress: 0 of 1 replicas available');
  bed.clock.advance(3_000);
  assert.equal(bed.health(set), 'Current: 1 of 1 replicas ready');
});

test('what the server refuses is told in the status and tried again', () => {
  const bed = new Bed();
  bed.api.refuse = ({ kind }) => (kind === 'Pod' ? new StatusError(403, 'exceeded quota') : undefined);
  const set = bed.api.create(manifest('apps/v1', 'ReplicaSet', { replicas: 1, template: template() }));
  assert.equal(bed.health(set), 'InProgress: FailedCreate: exceeded quota');
  bed.api.refuse = undefined;
  bed.clock.advance(3_000);
  assert.equal(bed.health(set), 'Current: 1 of 1 replicas ready');
});

test('a StatefulSet: one after the other up, and down, claims stay', () => {
  const bed = new Bed();
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const spec = { replicas: 3, serviceName: 'web', template: template(), volumeClaimTemplates: [claim] };
  const set = bed.api.create(manifest('apps/v1', 'StatefulSet', spec));
  for (const count of [1, 2, 3]) {
    assert.equal(bed.pods().length, count);
    bed.clock.advance(1_000);
  }
  assert.deepEqual(names(bed.pods()), ['web-0', 'web-1', 'web-2']);
  assert.equal(bed.health(set), 'Current: 3 of 3 replicas ready');
  const claims = bed.api.list('', 'persistentvolumeclaims');
  assert.deepEqual(names(claims), ['data-web-0', 'data-web-1', 'data-web-2']);
  for (const one of claims) assert.equal(bed.health(one), 'Current: Bound');
  bed.respec(set, { replicas: 1 });
  assert.deepEqual(names(bed.pods()), ['web-0']);
  assert.equal(bed.api.list('', 'persistentvolumeclaims').length, 3);
});

test('a StatefulSet rolls from the highest ordinal down to its partition', () => {
  const bed = new Bed();
  const set = bed.api.create(manifest('apps/v1', 'StatefulSet', { replicas: 3, template: template() }));
  bed.clock.advance(3_000);
  bed.api.log.length = 0;
  bed.respec(set, { template: template('web:2'), updateStrategy: { rollingUpdate: { partition: 1 } } });
  bed.clock.advance(5_000);
  assert.deepEqual(
    bed.api.log.filter((line) => line.startsWith('delete')),
    ['delete Pod web-2', 'delete Pod web-1'],
  );
  assert.equal(bed.health(set), 'Current: 3 of 3 replicas ready');
  bed.respec(set, { updateStrategy: { rollingUpdate: { partition: 0 } } });
  assert.equal(bed.health(set), 'InProgress: 2 of 3 replicas ready');
  bed.clock.advance(1_000);
  assert.equal(bed.health(set), 'Current: 3 of 3 replicas ready');
  assert.deepEqual(new Set(bed.images()), new Set(['web:2']));
  const { currentRevision, updateRevision } = bed.now(set)['status'] as JsonObject;
  assert.equal(currentRevision, updateRevision);
});

test('podManagementPolicy Parallel does not wait', () => {
  const bed = new Bed({ kind: 'never' });
  bed.api.create(
    manifest('apps/v1', 'StatefulSet', { replicas: 3, podManagementPolicy: 'Parallel', template: template() }),
  );
  assert.equal(bed.pods().length, 3);
});

test('a DaemonSet: one pod for the one node, replaced with its template', () => {
  const bed = new Bed();
  const set = bed.api.create(manifest('apps/v1', 'DaemonSet', { template: template() }));
  bed.clock.advance(1_000);
  assert.equal(bed.health(set), 'Current: 1 of 1 pods ready');
  bed.respec(set, { template: template('web:2') });
  assert.equal(bed.health(set), 'InProgress: 0 of 1 pods available');
  bed.clock.advance(1_000);
  assert.equal(bed.health(set), 'Current: 1 of 1 pods ready');
  assert.deepEqual(bed.images(), ['web:2']);
});

const jobSpec = (more: JsonObject): JsonObject => ({
  template: template('task:1', { restartPolicy: 'Never' }),
  ...more,
});

test('a Job runs its completions, so many at a time, and is complete', () => {
  const bed = new Bed();
  const job = bed.api.create(manifest('batch/v1', 'Job', jobSpec({ completions: 3, parallelism: 2 })));
  assert.equal(bed.health(job), 'InProgress: 0 of 3 completions, 2 active');
  bed.clock.advance(1_000);
  assert.equal(bed.health(job), 'InProgress: 2 of 3 completions, 1 active');
  bed.clock.advance(1_000);
  assert.equal(bed.health(job), 'Current: Complete');
  assert.equal((bed.now(job)['status'] as JsonObject)['completionTime'], '2026-01-01T00:00:02Z');
  for (const pod of bed.pods()) assert.equal(bed.health(pod), 'Current: Succeeded');
  bed.api.remove(bed.pods()[0] as KubeObject);
  assert.equal(bed.pods().length, 2, 'a complete Job starts nothing');
});

test('a Job whose pods fail gives up at its backoffLimit', () => {
  const bed = new Bed({ kind: 'fail', reason: 'Error' });
  const job = bed.api.create(manifest('batch/v1', 'Job', jobSpec({ backoffLimit: 2 })));
  assert.equal(bed.pods().length, 3);
  assert.match(bed.health(job), /^Failed: BackoffLimitExceeded/);
});

test('a suspended Job has no pods until it is resumed', () => {
  const bed = new Bed();
  const job = bed.api.create(manifest('batch/v1', 'Job', jobSpec({ suspend: true })));
  assert.equal(bed.pods().length, 0);
  bed.respec(job, { suspend: false });
  bed.clock.advance(1_000);
  assert.equal(bed.health(job), 'Current: Complete');
});

test('what was there before the start is taken up; after stop() nothing happens', () => {
  const bed = new Bed();
  bed.simulation.stop();
  const deployment = bed.api.create(
    manifest('apps/v1', 'Deployment', { replicas: 2, selector: {}, template: template() }),
  );
  const stray = bed.api.create({
    ...manifest('v1', 'Pod', { containers: [] }),
    metadata: { name: 'x', namespace: 'a' },
  });
  bed.clock.advance(60_000);
  assert.equal(stray, bed.now(stray));
  const again = startWorkloads(bed.api, { clock: bed.clock, models: [] });
  assert.equal(bed.health(stray), 'Current: Ready', 'its second has long passed');
  bed.clock.advance(1_000);
  assert.equal(bed.health(deployment), 'Current: 2 of 2 replicas ready');
  again.stop();
  assert.equal(bed.clock.pending, 0);
});

test('the same history twice gives the same writes', () => {
  const run = (): readonly string[] => {
    const bed = new Bed({ kind: 'flap', upSeconds: 3, downSeconds: 1 });
    bed.api.create(manifest('apps/v1', 'Deployment', { replicas: 3, selector: {}, template: template() }));
    bed.api.create(manifest('apps/v1', 'StatefulSet', { replicas: 2, template: template() }));
    bed.clock.advance(20_000);
    return bed.api.log;
  };
  assert.deepEqual(run(), run());
});
