// The grace that a pod on a node is given: it is marked, and stays until its kubelet deletes it with a grace of zero.

import { formatTime } from '../../kit/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { withMetadata } from '../meta/metadata.ts';

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** Is the pod being deleted, and this delete leaves it no less time? */
export function awaitsGrace(pod: KubeObject, asked: number | undefined): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds: left = 0 } = pod.metadata;
  return deletionTimestamp !== undefined && left > 0 && (asked === undefined || asked >= left);
}

/** The pod with the time that a delete leaves it; as it is when it has none left. */
export function withinGrace(
  pod: KubeObject,
  { now, asked }: { readonly now: number; readonly asked: number | undefined },
): KubeObject {
  const { deletionTimestamp, deletionGracePeriodSeconds: left = 0 } = pod.metadata;
  if (deletionTimestamp === undefined) return markedForDeletion(pod, now, firstGrace(pod, asked));
  if (left === 0 || asked === undefined) return pod;
  const shortened = formatTime(Date.parse(deletionTimestamp) + (asked - left) * 1_000);
  return withMetadata(pod, { deletionTimestamp: shortened, deletionGracePeriodSeconds: asked });
}

function firstGrace(pod: KubeObject, asked: number | undefined): number {
  const { nodeName, terminationGracePeriodSeconds } = objectOf(pod['spec']);
  const { phase } = objectOf(pod['status']);
  if (!nodeName || phase === 'Failed' || phase === 'Succeeded') return 0;
  if (asked !== undefined) return asked;
  if (typeof terminationGracePeriodSeconds !== 'number') return 0;
  return terminationGracePeriodSeconds < 0 ? 1 : terminationGracePeriodSeconds;
}

/** What the first delete writes on an object that does not go at once. */
export function markedForDeletion(object: KubeObject, now: number, grace: number): KubeObject {
  const { generation } = object.metadata;
  return withMetadata(object, {
    deletionTimestamp: formatTime(now + grace * 1_000),
    deletionGracePeriodSeconds: grace,
    ...(generation ? { generation: generation + 1 } : {}),
  });
}
