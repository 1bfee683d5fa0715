// Scheduler and kubelet: a pod is bound to the node at once and then goes through the phases of its readiness model.
// Absent on purpose: events, probes, resources, scheduling gates, time to terminate (a pod that is deleted ends at once).

import { objectsAt, textAt } from '../../health/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { controllerOf, isDeleting, type KubeObject } from '../../model/object.ts';
import { type NewCondition, statusOf, withConditions } from './conditions.ts';
import { type Context, NODE_NAME, timestamp } from './context.ts';
import { modelFor, type PodPhase, phaseAt } from './models.ts';
import { hasEnded, objectOr } from './owned-pods.ts';

export function reconcilePod(context: Context, pod: KubeObject): number | undefined {
  if (isDeleting(pod)) context.api.remove(pod);
  if (isDeleting(pod) || hasEnded(pod) || isForeign(pod)) return undefined;
  const bound = bind(context, pod);
  const { phase, changesIn } = phaseAt(
    modelFor(context.models, pod.metadata.labels),
    context.now - context.createdAt(pod),
  );
  context.api.updateStatus({ ...bound, status: podStatus(context, bound, outcomeOf(bound, phase)) });
  return changesIn;
}

/** Another scheduler's: it stays Pending until that one has bound it. */
function isForeign(pod: KubeObject): boolean {
  const scheduler = textAt(pod, 'spec', 'schedulerName') || 'default-scheduler';
  return scheduler !== 'default-scheduler' && textAt(pod, 'spec', 'nodeName') === '';
}

function bind(context: Context, pod: KubeObject): KubeObject {
  if (textAt(pod, 'spec', 'nodeName') !== '') return pod;
  const bound = { ...pod, spec: { ...objectOr(pod['spec']), nodeName: NODE_NAME } };
  context.api.update(bound);
  return bound;
}

type Outcome = PodPhase | { readonly is: 'succeeded' } | { readonly is: 'ended'; readonly reason: string };

/** A Job's pod that would be Ready has done its work instead; one that nothing restarts ends where it fails. */
function outcomeOf(pod: KubeObject, phase: PodPhase): Outcome {
  const ofJob = controllerOf(pod)?.kind === 'Job';
  const policy = textAt(pod, 'spec', 'restartPolicy') || 'Always';
  if (phase.is === 'ready' && ofJob && policy !== 'Always') return { is: 'succeeded' };
  if (phase.is === 'failed' && (ofJob || policy === 'Never')) return { is: 'ended', reason: phase.reason };
  return phase;
}

function podStatus(context: Context, pod: KubeObject, outcome: Outcome): JsonObject {
  const old = statusOf(pod);
  const now = timestamp(context);
  const startTime = old['startTime'] ?? now;
  const started = outcome.is !== 'creating';
  const ip = started ? textAt(old, 'podIP') || context.nextPodIP() : undefined;
  return {
    ...old,
    phase: phaseName(outcome),
    conditions: withConditions(pod, podConditions(pod, outcome), now),
    hostIP: '127.0.0.1',
    hostIPs: [{ ip: '127.0.0.1' }],
    ...(ip === undefined ? {} : { podIP: ip, podIPs: [{ ip }] }),
    startTime,
    containerStatuses: objectsAt(pod, 'spec', 'containers').map((container) =>
      containerStatus(pod, container, { outcome, now }),
    ),
  };
}

function phaseName(outcome: Outcome): string {
  if (outcome.is === 'succeeded') return 'Succeeded';
  if (outcome.is === 'ended') return 'Failed';
  if (outcome.is === 'creating') return 'Pending';
  // A crash loop is a pod that did start; every other reason keeps it from starting.
  return outcome.is === 'failed' && outcome.reason !== 'CrashLoopBackOff' ? 'Pending' : 'Running';
}

function podConditions(pod: KubeObject, outcome: Outcome): readonly NewCondition[] {
  const names = objectsAt(pod, 'spec', 'containers').map((container) => textAt(container, 'name'));
  const readiness = ((): Omit<NewCondition, 'type'> => {
    if (outcome.is === 'ready') return { status: 'True' };
    if (outcome.is === 'succeeded') return { status: 'False', reason: 'PodCompleted' };
    if (outcome.is === 'ended') return { status: 'False', reason: 'PodFailed' };
    const message = `containers with unready status: [${names.join(' ')}]`;
    return { status: 'False', reason: 'ContainersNotReady', message };
  })();
  return [
    { type: 'PodReadyToStartContainers', status: outcome.is === 'creating' ? 'False' : 'True' },
    { type: 'Initialized', status: 'True' },
    { type: 'Ready', ...readiness },
    { type: 'ContainersReady', ...readiness },
    { type: 'PodScheduled', status: 'True' },
  ];
}

interface At {
  readonly outcome: Outcome;
  readonly now: string;
}

function containerStatus(pod: KubeObject, container: JsonObject, { outcome, now }: At): JsonObject {
  const name = textAt(container, 'name');
  const old = objectsAt(pod, 'status', 'containerStatuses').find((status) => status['name'] === name);
  const startedAt = textAt(old, 'state', 'running', 'startedAt') || now;
  const up = outcome.is === 'ready' || outcome.is === 'running';
  return {
    name,
    image: textAt(container, 'image'),
    imageID: '',
    ...(up || outcome.is === 'succeeded' ? { containerID: `sandbox://${pod.metadata.uid ?? ''}/${name}` } : {}),
    ready: outcome.is === 'ready',
    started: up,
    restartCount: 0,
    lastState: {},
    state: containerState(outcome, startedAt, now),
  };
}

function containerState(outcome: Outcome, startedAt: string, now: string): JsonObject {
  switch (outcome.is) {
    case 'creating':
      return { waiting: { reason: 'ContainerCreating' } };
    case 'failed':
      return { waiting: { reason: outcome.reason } };
    case 'succeeded':
      return { terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt: now } };
    case 'ended':
      return { terminated: { exitCode: 1, reason: outcome.reason, startedAt, finishedAt: now } };
    default:
      return { running: { startedAt } };
  }
}
