// Ordered creation from the lowest ordinal, ordered deletion and replacement from the highest, one pod at a time, each
// step only when the pods before are Ready (podManagementPolicy Parallel: creation and scaling all at once).
// Absent: ControllerRevision objects. So a pod below the partition that has to be made again gets the new template.

import { numberAt, objectsAt, textAt, valueAt } from '../../health/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import { counted, statusOf } from './conditions.ts';
import type { Context } from './context.ts';
import { availabilityOf, hasEnded, isReady, objectOr, podFromTemplate, podsOf, templateHash } from './owned-pods.ts';

const HASH_LABEL = 'controller-revision-hash';

interface Members {
  readonly want: number;
  readonly first: number;
  readonly revision: string;
  readonly ordered: boolean;
}

export function reconcileStatefulSet(context: Context, set: KubeObject): number | undefined {
  const members: Members = {
    want: numberAt(set, 'spec', 'replicas') ?? 1,
    first: numberAt(set, 'spec', 'ordinals', 'start') ?? 0,
    revision: `${set.metadata.name}-${templateHash(valueAt(set, 'spec', 'template'))}`,
    ordered: textAt(set, 'spec', 'podManagementPolicy') !== 'Parallel',
  };
  if (!isDeleting(set) && settle(context, set, members)) replaceOne(context, set, members);
  return writeStatus(context, set, members.revision);
}

/** Creates what is missing and removes what is too much. True when every member is there and Ready and no other is. */
function settle(context: Context, set: KubeObject, members: Members): boolean {
  const { want, first, ordered } = members;
  const pods = byOrdinal(context, set);
  let settled = true;
  for (let ordinal = first; ordinal < first + want; ordinal++) {
    const pod = pods.get(ordinal);
    if (!pod) createMember(context, set, { ordinal, revision: members.revision });
    else if (hasEnded(pod) && !isDeleting(pod)) context.api.remove(pod);
    else if (isReady(pod) && !isDeleting(pod)) continue;
    settled = false;
    if (ordered) return false;
  }
  const surplus = [...pods].filter(([ordinal]) => ordinal < first || ordinal >= first + want).sort(([a], [b]) => b - a);
  for (const [, pod] of surplus) {
    if (!isDeleting(pod)) context.api.remove(pod);
    settled = false;
    if (ordered) return false;
  }
  return settled;
}

/** Rolling update: deletes the highest member that has an old template; settle() makes it again. */
function replaceOne(context: Context, set: KubeObject, { want, first, revision }: Members): void {
  if (textAt(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return;
  const partition = numberAt(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0;
  const pods = byOrdinal(context, set);
  for (let ordinal = first + want - 1; ordinal >= first + partition; ordinal--) {
    const pod = pods.get(ordinal);
    if (!pod || pod.metadata.labels?.[HASH_LABEL] === revision) continue;
    context.api.remove(pod);
    return;
  }
}

function byOrdinal(context: Context, set: KubeObject): ReadonlyMap<number, KubeObject> {
  const prefix = `${set.metadata.name}-`;
  const pods = podsOf(context, set).filter(({ metadata }) => metadata.name?.startsWith(prefix));
  return new Map(pods.map((pod) => [Number(pod.metadata.name?.slice(prefix.length)), pod]));
}

function createMember(context: Context, set: KubeObject, at: { ordinal: number; revision: string }): void {
  const name = `${set.metadata.name}-${at.ordinal}`;
  const volumes = claimVolumes(context, set, name);
  const labels = {
    [HASH_LABEL]: at.revision,
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(at.ordinal),
  };
  const pod = podFromTemplate(set, { name, labels });
  const claimed = new Set(volumes.map((volume) => volume['name']));
  const others = objectsAt(pod, 'spec', 'volumes').filter((volume) => !claimed.has(volume['name']));
  const subdomain = textAt(set, 'spec', 'serviceName');
  context.api.create({
    ...pod,
    spec: {
      ...objectOr(pod['spec']),
      hostname: name,
      ...(subdomain === '' ? {} : { subdomain }),
      ...(volumes.length > 0 ? { volumes: [...volumes, ...others] } : {}),
    },
  });
}

/** Creates the member's claims that are not there (they outlive the pod) and names them as its volumes. */
function claimVolumes(context: Context, set: KubeObject, podName: string): readonly JsonObject[] {
  const { namespace } = set.metadata;
  return objectsAt(set, 'spec', 'volumeClaimTemplates').map((template) => {
    const volume = textAt(template, 'metadata', 'name');
    const claimName = `${volume}-${podName}`;
    if (!context.api.get('', 'persistentvolumeclaims', namespace, claimName)) {
      const metadata = { ...objectOr(template['metadata']), name: claimName, ...(namespace ? { namespace } : {}) };
      context.api.create({ ...template, apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, status: undefined });
    }
    return { name: volume, persistentVolumeClaim: { claimName } };
  });
}

function writeStatus(context: Context, set: KubeObject, updateRevision: string): number | undefined {
  const pods = podsOf(context, set);
  const { ready, available, changesIn } = availabilityOf(context, set, pods);
  const at = (revision: string): number =>
    pods.filter((pod) => !isDeleting(pod) && pod.metadata.labels?.[HASH_LABEL] === revision).length;
  const updated = at(updateRevision);
  const want = numberAt(set, 'spec', 'replicas') ?? 1;
  const rolledOut = updated === pods.length && updated >= want && ready === pods.length;
  const currentRevision = rolledOut ? updateRevision : textAt(statusOf(set), 'currentRevision') || updateRevision;
  context.api.updateStatus({
    ...set,
    status: {
      observedGeneration: set.metadata.generation ?? 0,
      replicas: pods.length,
      ...counted({ readyReplicas: ready, currentReplicas: at(currentRevision), updatedReplicas: updated }),
      availableReplicas: available,
      currentRevision,
      updateRevision,
      collisionCount: 0,
    },
  });
  return changesIn;
}
