import { textAt, valueAt } from '../../health/index.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import { statusOf } from './conditions.ts';
import type { Context } from './context.ts';
import { objectOr } from './owned-pods.ts';

/** Every claim is bound at once to a volume of the size it asks for; the volume itself is not an object. */
export function reconcileClaim(context: Context, claim: KubeObject): undefined {
  if (isDeleting(claim)) return;
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
