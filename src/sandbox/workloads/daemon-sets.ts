import { numberAt, textAt, valueAt } from '../../health/index.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import { counted, statusOf } from './conditions.ts';
import { type Context, NODE_NAME } from './context.ts';
import {
  availabilityOf,
  hasEnded,
  isActive,
  objectOr,
  podFromTemplate,
  podsOf,
  surplusOf,
  templateHash,
} from './owned-pods.ts';

const HASH_LABEL = 'controller-revision-hash';

/** One pod on the one node, whatever its selectors and tolerations say; replaced in place when the template changes. */
export function reconcileDaemonSet(context: Context, set: KubeObject): number | undefined {
  const hash = templateHash(valueAt(set, 'spec', 'template'));
  if (!isDeleting(set)) settlePods(context, set, hash);
  const pods = podsOf(context, set).filter(isActive);
  const { ready, available, changesIn } = availabilityOf(context, set, pods);
  const updated = pods.filter((pod) => pod.metadata.labels?.[HASH_LABEL] === hash).length;
  context.api.updateStatus({
    ...set,
    status: {
      ...(valueAt(statusOf(set), 'conditions') === undefined ? {} : { conditions: statusOf(set)['conditions'] }),
      currentNumberScheduled: pods.length,
      numberMisscheduled: 0,
      desiredNumberScheduled: 1,
      numberReady: ready,
      observedGeneration: set.metadata.generation ?? 0,
      ...counted({ updatedNumberScheduled: updated, numberAvailable: available, numberUnavailable: 1 - available }),
    },
  });
  return changesIn;
}

function settlePods(context: Context, set: KubeObject, hash: string): void {
  const replaces = textAt(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete';
  const isOld = (pod: KubeObject): boolean => replaces && pod.metadata.labels?.[HASH_LABEL] !== hash;
  const pods = podsOf(context, set).filter((pod) => !isDeleting(pod));
  const unusable = pods.filter((pod) => hasEnded(pod) || isOld(pod));
  const usable = pods.filter((pod) => !unusable.includes(pod));
  for (const pod of [...unusable, ...surplusOf(usable, 1)]) context.api.remove(pod);
  if (usable.length > 0 || podsOf(context, set).length > 0) return;
  const generation = numberAt(set, 'metadata', 'generation') ?? 1;
  const labels = { [HASH_LABEL]: hash, 'pod-template-generation': String(generation) };
  const pod = podFromTemplate(set, { generateName: `${set.metadata.name}-`, labels });
  context.api.create({ ...pod, spec: { ...objectOr(pod['spec']), nodeName: NODE_NAME } });
}
