// Objects as lines that can be compared between runs and servers: without uids, versions, times and addresses.

import type { JsonObject } from '../kit/json.ts';
import { isDeleting, type KubeObject } from '../model/object.ts';

/** "pod web-0 nginx:1 is Ready" */
export function podLine(pod: KubeObject): string {
  const { containers } = pod['spec'] as { containers: { image: string }[] };
  const { conditions = [] } = (pod['status'] ?? {}) as { conditions?: { type: string; status: string }[] };
  const ready = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  const word = isDeleting(pod) ? 'goes' : ready ? 'is Ready' : 'starts';
  return `pod ${pod.metadata.name} ${containers.map(({ image }) => image)} ${word}`;
}

/** By kind, the names of the children that are at it. */
export function revisionLine(revision: KubeObject): string {
  const children = revision['children'] as readonly { kind: string; names: readonly string[] }[] | undefined;
  return `revision ${JSON.stringify((children ?? []).map(({ kind, names }) => [kind, [...names].sort()]))}`;
}

/** Conditions as "Ready=True". */
export function statusWithoutTimes(of: KubeObject | undefined): JsonObject {
  const {
    conditions = [],
    observedGeneration: _,
    ...status
  } = (of?.['status'] ?? {}) as {
    conditions?: { type: string; status: string }[];
    observedGeneration?: number;
  };
  return { ...status, conditions: conditions.map(({ type, status: is }) => `${type}=${is}`).sort() };
}
