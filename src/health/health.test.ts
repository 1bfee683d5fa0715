import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { healthOf } from './index.ts';

function object(apiVersion: string, kind: string, fields: JsonObject = {}): KubeObject {
  return { apiVersion, kind, metadata: { name: 'x', generation: 1 }, ...fields };
}

const pod = (status: JsonObject): KubeObject => object('v1', 'Pod', { status });
const conditions = (...list: readonly (readonly [string, string, string?, string?])[]): JsonObject => ({
  conditions: list.map(([type, status, reason, message]) => ({
    type,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  })),
});
const waiting = (name: string, reason: string, message?: string): JsonObject => ({
  name,
  state: { waiting: { reason, ...(message === undefined ? {} : { message }) } },
});
const deployment = (status: JsonObject, spec: JsonObject = {}): KubeObject =>
  object('apps/v1', 'Deployment', { spec: { replicas: 3, ...spec }, status });
const allThree = { replicas: 3, updatedReplicas: 3, availableReplicas: 3, readyReplicas: 3 };

// What the person who waits reads, and why the state is what it is.
const CASES: readonly (readonly [reason: string, object: KubeObject | undefined, state: string, message: string])[] = [
  ['an absent object', undefined, 'NotFound', 'does not exist'],
  ['nobody has looked at the pod', pod({}), 'InProgress', 'Pending: no node has taken it yet'],
  [
    'no node fits',
    pod({ phase: 'Pending', ...conditions(['PodScheduled', 'False', 'Unschedulable', '0/1 nodes are available']) }),
    'InProgress',
    'Unschedulable: 0/1 nodes are available',
  ],
  [
    'the image can not be pulled: the container says more than the condition',
    pod({
      phase: 'Pending',
      ...conditions(['Ready', 'False', 'ContainersNotReady', 'containers with unready status: [web]']),
      containerStatuses: [waiting('web', 'ImagePullBackOff', 'Back-off pulling image "nope"')],
    }),
    'InProgress',
    'ContainersNotReady: web: ImagePullBackOff Back-off pulling image "nope"',
  ],
  [
    'running, no container complains: the condition speaks',
    pod({ phase: 'Running', ...conditions(['Ready', 'False', 'ContainersNotReady', 'unready: [web]']) }),
    'InProgress',
    'ContainersNotReady: unready: [web]',
  ],
  [
    'a crash loop does not end by waiting',
    pod({
      phase: 'Running',
      ...conditions(['Ready', 'False', 'ContainersNotReady']),
      containerStatuses: [waiting('web', 'CrashLoopBackOff')],
    }),
    'Failed',
    'ContainersNotReady: web: CrashLoopBackOff',
  ],
  [
    'a pod that ran to its end',
    pod({ phase: 'Succeeded', ...conditions(['Ready', 'False', 'PodCompleted']) }),
    'Current',
    'Succeeded',
  ],
  [
    'a pod that failed has nothing more to wait for (kstatus)',
    pod({
      phase: 'Failed',
      containerStatuses: [{ name: 'web', state: { terminated: { exitCode: 3, reason: 'Error' } } }],
    }),
    'Current',
    'ended without success: web: Error exit code 3',
  ],
  ['replicas missing', deployment({ replicas: 2 }), 'InProgress', '2 of 3 replicas created'],
  [
    'replicas of the old template',
    deployment({ ...allThree, updatedReplicas: 1 }),
    'InProgress',
    '1 of 3 replicas updated',
  ],
  ['old pods remain', deployment({ ...allThree, replicas: 4 }), 'InProgress', '1 old or surplus replica still to go'],
  ['unready replicas', deployment({ ...allThree, readyReplicas: 2 }), 'InProgress', '2 of 3 replicas ready'],
  [
    'the deadline has passed',
    deployment(
      conditions(['Progressing', 'False', 'ProgressDeadlineExceeded', 'ReplicaSet "x" has timed out progressing.']),
      { progressDeadlineSeconds: 600 },
    ),
    'Failed',
    'ProgressDeadlineExceeded: ReplicaSet "x" has timed out progressing.',
  ],
  [
    'a deployment with a deadline is done when its new ReplicaSet is',
    deployment(
      { ...allThree, ...conditions(['Available', 'True'], ['Progressing', 'True', 'NewReplicaSetAvailable']) },
      { progressDeadlineSeconds: 600 },
    ),
    'Current',
    '3 of 3 replicas ready',
  ],
  [
    'a partitioned StatefulSet is done when the replicas above the partition are updated',
    object('apps/v1', 'StatefulSet', {
      spec: { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
      status: { replicas: 3, readyReplicas: 3, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
    }),
    'Current',
    '3 of 3 replicas ready',
  ],
  [
    'the ReplicaSet controller is refused',
    object('apps/v1', 'ReplicaSet', {
      status: conditions(['ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota']),
    }),
    'InProgress',
    'FailedCreate: exceeded quota',
  ],
  [
    'a job at work',
    object('batch/v1', 'Job', { spec: { completions: 2 }, status: { succeeded: 1, active: 1, failed: 2 } }),
    'InProgress',
    '1 of 2 completions, 1 active, 2 failed',
  ],
  ['a complete job', object('batch/v1', 'Job', { status: conditions(['Complete', 'True']) }), 'Current', 'Complete'],
  [
    'a failed job',
    object('batch/v1', 'Job', { status: conditions(['Failed', 'True', 'BackoffLimitExceeded', 'gave up']) }),
    'Failed',
    'BackoffLimitExceeded: gave up',
  ],
  ["somebody else's kind of that name", object('acme.io/v1', 'Job', {}), 'Current', 'exists'],
  [
    'a claim that waits',
    object('v1', 'PersistentVolumeClaim', { status: { phase: 'Pending' } }),
    'InProgress',
    'phase is Pending, not Bound',
  ],
  [
    'a budget that is not met',
    object('policy/v1', 'PodDisruptionBudget', { status: { currentHealthy: 1, desiredHealthy: 2 } }),
    'InProgress',
    '1 of 2 pods healthy',
  ],
  [
    'a CRD whose names clash',
    object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
      status: conditions(['NamesAccepted', 'False', 'PluralConflict', '"things" is taken']),
    }),
    'Failed',
    'PluralConflict: "things" is taken',
  ],
  [
    'a CRD in service',
    object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
      status: conditions(['NamesAccepted', 'True'], ['Established', 'True']),
    }),
    'Current',
    'Established',
  ],
  [
    'its controller is behind',
    { ...object('acme.io/v1', 'Thing', { status: { observedGeneration: 1 } }), metadata: { name: 'x', generation: 2 } },
    'InProgress',
    'its controller has seen generation 1, the object is at 2',
  ],
  [
    'deletion goes before everything else',
    {
      ...pod({ phase: 'Running', ...conditions(['Ready', 'True']) }),
      metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b', 'c/d'] },
    },
    'Terminating',
    'being deleted, waits for finalizers a/b, c/d',
  ],
  [
    'a message of several lines becomes one',
    object('acme.io/v1', 'Thing', { status: conditions(['Ready', 'False', 'Bad', 'one\n  two\n']) }),
    'InProgress',
    'Bad: one two',
  ],
  [
    'Ready False without a word',
    object('acme.io/v1', 'Thing', { status: conditions(['Ready', 'False']) }),
    'InProgress',
    'condition Ready is False',
  ],
  ['a status that is not an object', object('acme.io/v1', 'Thing', { status: 'fine' }), 'Current', 'exists'],
  [
    'conditions that are not objects',
    object('acme.io/v1', 'Thing', { status: { conditions: [null, 'x'] } }),
    'Current',
    'exists',
  ],
];

for (const [reason, subject, state, message] of CASES) {
  test(reason, () => assert.deepEqual(healthOf(subject), { state, message }));
}

test('hints are looked at only under the annotation that the caller names', () => {
  const thing: KubeObject = {
    ...object('acme.io/v1', 'Thing'),
    metadata: { name: 'x', annotations: { 'a/status-hint': 'conditions=Synced' } },
  };
  assert.equal(healthOf(thing).state, 'Current');
  assert.equal(healthOf(thing, { hintAnnotation: 'b/status-hint' }).state, 'Current');
  assert.deepEqual(healthOf(thing, { hintAnnotation: 'a/status-hint' }), {
    state: 'InProgress',
    message: 'condition Synced is not there yet',
  });
});
