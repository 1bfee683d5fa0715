import { numberAt, valueAt } from '../../health/index.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import { StatusError } from '../http/status-error.ts';
import { counted, withConditions } from './conditions.ts';
import { type Context, timestamp } from './context.ts';
import { availabilityOf, isActive, labelsOf, podFromTemplate, podsOf, surplusOf } from './owned-pods.ts';

export function reconcileReplicaSet(context: Context, set: KubeObject): number | undefined {
  const want = numberAt(set, 'spec', 'replicas') ?? 1;
  const refusal = isDeleting(set) ? undefined : scale(context, set, want);
  const pods = podsOf(context, set).filter(isActive);
  const { ready, available, changesIn } = availabilityOf(context, set, pods);
  const template = labelsOf(valueAt(set, 'spec', 'template', 'metadata', 'labels'));
  const labelled = pods.filter((pod) => Object.entries(template).every(([k, v]) => pod.metadata.labels?.[k] === v));
  const conditions = refusal
    ? withConditions(
        set,
        [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: refusal.message }],
        timestamp(context),
      )
    : [];
  context.api.updateStatus({
    ...set,
    status: {
      replicas: pods.length,
      ...counted({ fullyLabeledReplicas: labelled.length, readyReplicas: ready, availableReplicas: available }),
      observedGeneration: set.metadata.generation ?? 0,
      ...(conditions.length > 0 ? { conditions } : {}),
    },
  });
  return refusal ? RETRY_MS : changesIn;
}

const RETRY_MS = 1_000;

/** Creates or deletes pods until their number is right; the server's refusal when it would not have one. */
function scale(context: Context, set: KubeObject, want: number): StatusError | undefined {
  const active = podsOf(context, set).filter(isActive);
  for (const pod of surplusOf(active, want)) context.api.remove(pod);
  try {
    for (let count = active.length; count < want; count++)
      context.api.create(podFromTemplate(set, { generateName: `${set.metadata.name}-` }));
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  return undefined;
}
