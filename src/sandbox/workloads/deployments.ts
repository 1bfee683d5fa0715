// The Deployment controller: one ReplicaSet a template, scaled against each other within maxSurge and maxUnavailable.
// Absent: rollback by annotation, proportional scaling of a paused rollout, hash collisions.

import { numberAt, textAt, valueAt } from '../../health/index.ts';
import { cloneJson } from '../../kit/json.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import type { Context } from './context.ts';
import { type Rollout, writeDeploymentStatus } from './deployment-status.ts';
import { controllerRef, isActive, labelsOf, objectOr, ownedBy, podsOf, templateHash } from './owned-pods.ts';
import { rollingStep } from './rolling-step.ts';

const HASH_LABEL = 'pod-template-hash';
const REVISION = 'deployment.kubernetes.io/revision';

export function reconcileDeployment(context: Context, deployment: KubeObject): number | undefined {
  const hash = templateHash(valueAt(deployment, 'spec', 'template'));
  const paused = valueAt(deployment, 'spec', 'paused') === true;
  const idle = isDeleting(deployment) || paused;
  if (!idle && !rolloutOf(context, deployment, hash).fresh) createReplicaSet(context, deployment, hash);
  if (!idle) {
    numberRevisions(context, deployment, hash);
    scaleSets(context, deployment, rolloutOf(context, deployment, hash));
    dropHistory(context, deployment, rolloutOf(context, deployment, hash));
  }
  return writeDeploymentStatus(context, deployment, rolloutOf(context, deployment, hash));
}

function rolloutOf(context: Context, deployment: KubeObject, hash: string): Rollout {
  const sets = ownedBy(deployment, context.api.list('apps', 'replicasets', deployment.metadata.namespace));
  const fresh = sets.find((set) => set.metadata.labels?.[HASH_LABEL] === hash);
  const old = sets.filter((set) => set !== fresh && !isDeleting(set)).toSorted((a, b) => revisionOf(a) - revisionOf(b));
  return { fresh, old };
}

const revisionOf = (set: KubeObject): number => Number(set.metadata.annotations?.[REVISION] ?? 0) || 0;

function createReplicaSet(context: Context, deployment: KubeObject, hash: string): void {
  const { name, namespace } = deployment.metadata;
  const template = objectOr(cloneJson(valueAt(deployment, 'spec', 'template')));
  const metadata = objectOr(template['metadata']);
  const labels = { ...labelsOf(metadata['labels']), [HASH_LABEL]: hash };
  const selector = objectOr(valueAt(deployment, 'spec', 'selector'));
  const minReadySeconds = numberAt(deployment, 'spec', 'minReadySeconds') ?? 0;
  context.api.create({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      ownerReferences: [controllerRef(deployment)],
    },
    spec: {
      replicas: 0,
      ...(minReadySeconds > 0 ? { minReadySeconds } : {}),
      selector: { ...selector, matchLabels: { ...labelsOf(selector['matchLabels']), [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  });
}

/** The newest template has the highest revision; the Deployment carries the same number (kubectl rollout reads it). */
function numberRevisions(context: Context, deployment: KubeObject, hash: string): void {
  const { fresh, old } = rolloutOf(context, deployment, hash);
  if (!fresh) return;
  const highest = Math.max(0, ...old.map(revisionOf));
  const revision = String(revisionOf(fresh) > highest ? revisionOf(fresh) : highest + 1);
  for (const object of [fresh, deployment]) {
    if (object.metadata.annotations?.[REVISION] === revision) continue;
    const annotations = { ...object.metadata.annotations, [REVISION]: revision };
    context.api.update({ ...object, metadata: { ...object.metadata, annotations } });
  }
}

function scaleSets(context: Context, deployment: KubeObject, { fresh, old }: Rollout): void {
  if (!fresh) return;
  const size = (set: KubeObject): number => numberAt(set, 'spec', 'replicas') ?? 1;
  const want = numberAt(deployment, 'spec', 'replicas') ?? 1;
  if (textAt(deployment, 'spec', 'strategy', 'type') === 'Recreate') {
    for (const set of old) resize(context, set, 0);
    const oldIsGone = old.every((set) => podsOf(context, set).every((pod) => !isActive(pod)));
    resize(context, fresh, oldIsGone ? want : size(fresh));
    return;
  }
  const available = (set: KubeObject): number => numberAt(set, 'status', 'availableReplicas') ?? 0;
  const step = rollingStep({
    want,
    maxSurge: valueAt(deployment, 'spec', 'strategy', 'rollingUpdate', 'maxSurge') ?? '25%',
    maxUnavailable: valueAt(deployment, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable') ?? '25%',
    fresh: { size: size(fresh), available: available(fresh) },
    old: old.map((set) => ({ size: size(set), available: available(set) })),
  });
  resize(context, fresh, step.fresh);
  for (const [index, set] of old.entries()) resize(context, set, step.old[index] ?? 0);
}

function resize(context: Context, set: KubeObject, replicas: number): void {
  if (numberAt(set, 'spec', 'replicas') === replicas) return;
  context.api.update({ ...set, spec: { ...objectOr(set['spec']), replicas } });
}

/** Old ReplicaSets without pods are kept for undo, up to revisionHistoryLimit of them. */
function dropHistory(context: Context, deployment: KubeObject, { old }: Rollout): void {
  const limit = numberAt(deployment, 'spec', 'revisionHistoryLimit') ?? 10;
  const empty = old.filter((set) => numberAt(set, 'spec', 'replicas') === 0 && podsOf(context, set).length === 0);
  for (const set of empty.slice(0, Math.max(0, empty.length - limit))) context.api.remove(set);
}
