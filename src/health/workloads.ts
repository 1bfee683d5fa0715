// The kinds of apps/v1. Each rule is a list of checks in kstatus's order: the first one that fails is the message.

import type { KubeObject } from '../model/object.ts';
import { conditionOf, explain, numberAt, textAt } from './fields.ts';
import { current, failed, type Health, inProgress } from './state.ts';

type Check = readonly [holds: boolean, message: string];

function firstFailing(checks: readonly Check[]): Health | undefined {
  const failing = checks.find(([holds]) => !holds);
  return failing ? inProgress(failing[1]) : undefined;
}

/** At least `want` of what is counted: "2 of 3 replicas ready". */
const atLeast = (have: number, want: number, what: string): Check => [have >= want, `${have} of ${want} ${what}`];

const status = (object: KubeObject, name: string): number => numberAt(object, 'status', name) ?? 0;
const wanted = (object: KubeObject): number => numberAt(object, 'spec', 'replicas') ?? 1;
const surplus = (have: number, want: number): Check => [
  have <= want,
  `${have - want} old or surplus replica${have - want === 1 ? '' : 's'} still to go`,
];

// "No deadline" is written as MaxInt32 by some clients.
const NO_DEADLINE = 2_147_483_647;

export function deploymentHealth(object: KubeObject): Health {
  const progressing = conditionOf(object, 'Progressing');
  const deadline = numberAt(object, 'spec', 'progressDeadlineSeconds') ?? NO_DEADLINE;
  const hasDeadline = deadline !== NO_DEADLINE;
  if (hasDeadline && progressing?.reason === 'ProgressDeadlineExceeded')
    return failed(explain(progressing, 'ProgressDeadlineExceeded'));
  const want = wanted(object);
  const replicas = status(object, 'replicas');
  const updated = status(object, 'updatedReplicas');
  const available = conditionOf(object, 'Available');
  const rolledOut = progressing?.status === 'True' && progressing.reason === 'NewReplicaSetAvailable';
  const failing = firstFailing([
    atLeast(replicas, want, 'replicas created'),
    atLeast(updated, want, 'replicas updated'),
    surplus(replicas, want),
    atLeast(status(object, 'availableReplicas'), updated, 'updated replicas available'),
    atLeast(status(object, 'readyReplicas'), want, 'replicas ready'),
    [!hasDeadline || rolledOut, explain(progressing, 'its new ReplicaSet is not available yet')],
    [available?.status === 'True', explain(available, 'not Available yet')],
  ]);
  return failing ?? current(`${replicas} of ${want} replicas ready`);
}

export function replicaSetHealth(object: KubeObject): Health {
  const failure = conditionOf(object, 'ReplicaFailure');
  const want = wanted(object);
  const failing = firstFailing([
    [failure?.status !== 'True', explain(failure, "it can't create its pods")],
    atLeast(status(object, 'fullyLabeledReplicas'), want, 'replicas created'),
    atLeast(status(object, 'availableReplicas'), want, 'replicas available'),
    atLeast(status(object, 'readyReplicas'), want, 'replicas ready'),
    surplus(status(object, 'replicas'), want),
  ]);
  return failing ?? current(`${want} of ${want} replicas ready`);
}

export function statefulSetHealth(object: KubeObject): Health {
  // Pods are replaced when somebody deletes them: nothing to wait for.
  if (textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete') return current('updateStrategy is OnDelete');
  const want = wanted(object);
  const replicas = status(object, 'replicas');
  const failing = firstFailing([
    atLeast(replicas, want, 'replicas created'),
    atLeast(status(object, 'readyReplicas'), want, 'replicas ready'),
    surplus(replicas, want),
  ]);
  return failing ?? statefulSetRollout(object, want) ?? current(`${want} of ${want} replicas ready`);
}

function statefulSetRollout(object: KubeObject, want: number): Health | undefined {
  const partition = numberAt(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? -1;
  const updated = status(object, 'updatedReplicas');
  if (partition >= 0) return firstFailing([atLeast(updated, Math.max(0, want - partition), 'replicas updated')]);
  return firstFailing([
    atLeast(status(object, 'currentReplicas'), want, 'replicas at the current revision'),
    [
      textAt(object, 'status', 'updateRevision') === textAt(object, 'status', 'currentRevision'),
      `${updated} of ${want} replicas updated`,
    ],
  ]);
}

export function daemonSetHealth(object: KubeObject): Health {
  if (numberAt(object, 'status', 'observedGeneration') === undefined)
    return inProgress('its controller has not reported status.observedGeneration yet');
  const want = numberAt(object, 'status', 'desiredNumberScheduled');
  if (want === undefined) return inProgress('its controller has not counted the nodes yet');
  const failing = firstFailing([
    atLeast(status(object, 'currentNumberScheduled'), want, 'nodes have a pod'),
    atLeast(status(object, 'updatedNumberScheduled'), want, 'pods updated'),
    atLeast(status(object, 'numberAvailable'), want, 'pods available'),
    atLeast(status(object, 'numberReady'), want, 'pods ready'),
  ]);
  return failing ?? current(`${want} of ${want} pods ready`);
}
