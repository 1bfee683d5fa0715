// Absent on purpose: indexed completion, pod failure policies, activeDeadlineSeconds, ttlSecondsAfterFinished. Finished
// pods are counted where they stand (the real controller tracks them with finalizers): one that somebody deletes before
// the Job is complete is run again.

import { conditionOf, numberAt, valueAt } from '../../health/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import { counted, type NewCondition, statusOf, withConditions } from './conditions.ts';
import { type Context, timestamp } from './context.ts';
import { isActive, isReady, phaseOf, podFromTemplate, podsOf, surplusOf } from './owned-pods.ts';

interface Progress {
  readonly active: readonly KubeObject[];
  readonly succeeded: number;
  readonly failed: number;
}

export function reconcileJob(context: Context, job: KubeObject): undefined {
  const isOver = (type: string): boolean => conditionOf(job, type)?.status === 'True';
  if (isDeleting(job) || isOver('Complete') || isOver('Failed')) return;
  const completions = numberAt(job, 'spec', 'completions') ?? 1;
  const before = progressOf(context, job);
  const exhausted = before.failed > (numberAt(job, 'spec', 'backoffLimit') ?? 6);
  const suspended = valueAt(job, 'spec', 'suspend') === true;
  const parallelism = numberAt(job, 'spec', 'parallelism') ?? 1;
  const want = suspended || exhausted ? 0 : Math.max(0, Math.min(parallelism, completions - before.succeeded));
  scale(context, job, { active: before.active, want });
  const after = progressOf(context, job);
  const conditions = ending({ complete: after.succeeded >= completions, exhausted, suspended }, job);
  context.api.updateStatus({ ...job, status: jobStatus(context, job, { ...after, conditions }) });
}

function progressOf(context: Context, job: KubeObject): Progress {
  const pods = podsOf(context, job);
  const count = (phase: string): number => pods.filter((pod) => phaseOf(pod) === phase).length;
  return { active: pods.filter(isActive), succeeded: count('Succeeded'), failed: count('Failed') };
}

function scale(
  context: Context,
  job: KubeObject,
  { active, want }: { active: readonly KubeObject[]; want: number },
): void {
  for (const pod of surplusOf(active, want)) context.api.remove(pod);
  const name = job.metadata.name ?? '';
  const uid = job.metadata.uid ?? '';
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  for (let count = active.length; count < want; count++)
    context.api.create(podFromTemplate(job, { generateName: `${name}-`, labels }));
}

interface Ending {
  readonly complete: boolean;
  readonly exhausted: boolean;
  readonly suspended: boolean;
}

function ending({ complete, exhausted, suspended }: Ending, job: KubeObject): readonly NewCondition[] {
  if (complete) {
    const why = { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };
    return [
      { type: 'SuccessCriteriaMet', status: 'True', ...why },
      { type: 'Complete', status: 'True', ...why },
    ];
  }
  if (exhausted) {
    const why = { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
    return [
      { type: 'FailureTarget', status: 'True', ...why },
      { type: 'Failed', status: 'True', ...why },
    ];
  }
  if (suspended) return [{ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }];
  if (!conditionOf(job, 'Suspended')) return [];
  return [{ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' }];
}

function jobStatus(
  context: Context,
  job: KubeObject,
  { active, succeeded, failed, conditions }: Progress & { readonly conditions: readonly NewCondition[] },
): JsonObject {
  const now = timestamp(context);
  const old = statusOf(job);
  const complete = conditions.some(({ type }) => type === 'Complete');
  const suspended = conditions.some(({ type, status }) => type === 'Suspended' && status === 'True');
  const all = withConditions(job, conditions, now);
  return {
    ...(suspended ? {} : { startTime: old['startTime'] ?? now }),
    ...counted({ active: active.length, succeeded, failed }),
    ready: active.filter(isReady).length,
    terminating: 0,
    uncountedTerminatedPods: {},
    ...(complete ? { completionTime: now } : {}),
    ...(all.length > 0
      ? { conditions: all.map((condition) => ({ ...condition, lastProbeTime: condition['lastTransitionTime'] })) }
      : {}),
  };
}
