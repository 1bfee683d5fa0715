import { textAt, valueAt } from '../../health/index.ts';
import { isJsonArray, isJsonObject } from '../../kit/json.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import { statusOf } from './conditions.ts';
import type { Context } from './context.ts';
import { hasEnded, objectOr } from './owned-pods.ts';

const PROTECTION = 'kubernetes.io/pvc-protection';

/** Every claim is bound at once to a volume of the size it asks for; the volume itself is not an object. */
export function reconcileClaim(context: Context, claim: KubeObject): undefined {
  if (isDeleting(claim)) return unprotect(context, claim);
  const volumeName = textAt(claim, 'spec', 'volumeName') || `pvc-${claim.metadata.uid ?? ''}`;
  const bound = { ...claim, spec: { ...objectOr(claim['spec']), volumeName } };
  context.api.update(bound);
  const accessModes = valueAt(claim, 'spec', 'accessModes');
  const capacity = valueAt(claim, 'spec', 'resources', 'requests');
  context.api.updateStatus({
    ...bound,
    status: {
      ...statusOf(claim),
      phase: 'Bound',
      ...(accessModes === undefined ? {} : { accessModes }),
      ...(capacity === undefined ? {} : { capacity }),
    },
  });
}

/** It goes once no pod uses it; a pod that ends makes its claims be looked at again. */
function unprotect({ api }: Context, claim: KubeObject): undefined {
  const { name = '', namespace, finalizers = [] } = claim.metadata;
  if (!finalizers.includes(PROTECTION)) return;
  const pods = api.list('', 'pods', namespace);
  if (pods.some((pod) => isScheduled(pod) && !hasEnded(pod) && claimsOf(pod).includes(name))) return;
  api.update({ ...claim, metadata: { ...claim.metadata, finalizers: finalizers.filter((one) => one !== PROTECTION) } });
}

const isScheduled = (pod: KubeObject): boolean => textAt(pod, 'spec', 'nodeName') !== '';

/** Names of the claims that are the pod's volumes. */
export function claimsOf(pod: KubeObject): string[] {
  const volumes = valueAt(pod, 'spec', 'volumes');
  if (!isJsonArray(volumes)) return [];
  return volumes.flatMap((volume) => {
    const source = isJsonObject(volume) ? volume['persistentVolumeClaim'] : undefined;
    const name = isJsonObject(source) ? source['claimName'] : undefined;
    return typeof name === 'string' ? name : [];
  });
}
