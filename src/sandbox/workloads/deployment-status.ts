import { numberAt, objectsAt, textAt } from '../../health/index.ts';
import { type JsonObject, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { counted, statusOf, withConditions } from './conditions.ts';
import { type Context, timestamp } from './context.ts';

/** The ReplicaSet of the present template and those of earlier ones, oldest first. */
export interface Rollout {
  readonly fresh: KubeObject | undefined;
  readonly old: readonly KubeObject[];
}

const NO_DEADLINE = 2_147_483_647;

/** Writes counts and conditions. Returns the milliseconds until the progress deadline where it is running. */
export function writeDeploymentStatus(context: Context, deployment: KubeObject, rollout: Rollout): number | undefined {
  const counts = countsOf(deployment, rollout);
  const now = timestamp(context);
  const progress = progressing(context, deployment, { rollout, counts });
  const available = availableCondition(deployment, numberAt(counts, 'availableReplicas') ?? 0);
  const conditions = withConditions(deployment, [available, progress.condition], now).map((condition) => ({
    ...condition,
    lastUpdateTime: condition['type'] === 'Progressing' ? progress.since : updateTime(deployment, condition, now),
  }));
  context.api.updateStatus({ ...deployment, status: { ...counts, conditions } });
  return progress.deadlineIn;
}

type Counts = JsonObject;

function countsOf(deployment: KubeObject, { fresh, old }: Rollout): Counts {
  const sets = fresh ? [fresh, ...old] : old;
  const total = (field: string): number => sets.reduce((sum, set) => sum + (numberAt(set, 'status', field) ?? 0), 0);
  const want = numberAt(deployment, 'spec', 'replicas') ?? 1;
  const available = total('availableReplicas');
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...counted({
      replicas: total('replicas'),
      updatedReplicas: numberAt(fresh, 'status', 'replicas') ?? 0,
      readyReplicas: total('readyReplicas'),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, Math.max(want, total('replicas')) - available),
    }),
  };
}

function availableCondition(deployment: KubeObject, available: number) {
  const want = numberAt(deployment, 'spec', 'replicas') ?? 1;
  const unavailable = textAt(deployment, 'spec', 'strategy', 'type') === 'Recreate' ? 0 : Math.floor(want / 4);
  const enough = available >= want - unavailable;
  return {
    type: 'Available',
    status: enough ? 'True' : 'False',
    reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: `Deployment ${enough ? 'has' : 'does not have'} minimum availability.`,
  } as const;
}

function updateTime(deployment: KubeObject, condition: JsonObject, now: string): string {
  const old = objectsAt(deployment, 'status', 'conditions').find((item) => item['type'] === condition['type']);
  const same = old?.['status'] === condition['status'] && old?.['reason'] === condition['reason'];
  return same ? textAt(old, 'lastUpdateTime') || now : now;
}

interface Progress {
  readonly condition: {
    readonly type: 'Progressing';
    readonly status: 'True' | 'False';
    readonly reason: string;
    readonly message: string;
  };
  /** When the rollout last got on: the deadline counts from here. */
  readonly since: string;
  readonly deadlineIn?: number;
}

function progressing(
  context: Context,
  deployment: KubeObject,
  { rollout, counts }: { rollout: Rollout; counts: Counts },
): Progress {
  const now = timestamp(context);
  const old = objectsAt(deployment, 'status', 'conditions').find((item) => item['type'] === 'Progressing');
  const oldSince = textAt(old, 'lastUpdateTime') || now;
  const set = `ReplicaSet "${rollout.fresh?.metadata.name ?? ''}"`;
  const say = (status: 'True' | 'False', reason: string, message: string) =>
    ({ type: 'Progressing', status, reason, message: `${set} ${message}` }) as const;
  if (isComplete(deployment, counts)) {
    const since = old?.['reason'] === 'NewReplicaSetAvailable' ? oldSince : now;
    return { condition: say('True', 'NewReplicaSetAvailable', 'has successfully progressed.'), since };
  }
  const deadline = (numberAt(deployment, 'spec', 'progressDeadlineSeconds') ?? NO_DEADLINE) * 1_000;
  const since = jsonEqual(counts, withoutConditions(deployment)) && old ? oldSince : now;
  const left = Date.parse(since) + deadline - context.now;
  if (left <= 0) return { condition: say('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'), since };
  const deadlineIn = deadline >= NO_DEADLINE ? {} : { deadlineIn: left };
  return { condition: say('True', 'ReplicaSetUpdated', 'is progressing.'), since, ...deadlineIn };
}

function isComplete(deployment: KubeObject, counts: Counts): boolean {
  const want = numberAt(deployment, 'spec', 'replicas') ?? 1;
  return ['replicas', 'updatedReplicas', 'availableReplicas'].every((name) => (numberAt(counts, name) ?? 0) === want);
}

function withoutConditions(deployment: KubeObject): JsonObject {
  const { conditions: _, ...counts } = statusOf(deployment);
  return counts;
}
