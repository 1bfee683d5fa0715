// The first revision of a deleted CRD: it waits for its instances.

import { formatTime } from '../../kit/clock.ts';
import type { KubeObject } from '../../model/object.ts';
import { withMetadata } from '../meta/metadata.ts';
import { listAt, objectAt } from './kind.ts';
import { condition } from './prepare.ts';

export const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

export function prepareCrdDelete(object: KubeObject, finalizers: readonly string[], now: number): KubeObject {
  const time = formatTime(now);
  const status = objectAt(object['status']);
  const terminating = condition({
    type: 'Terminating',
    time,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  });
  const kept = finalizers.includes(CLEANUP) ? finalizers : [...finalizers, CLEANUP];
  return {
    ...withMetadata(object, { deletionTimestamp: time, finalizers: kept }),
    status: { ...status, conditions: [...listAt(status['conditions']), terminating] },
  };
}
