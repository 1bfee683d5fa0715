import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';

export interface PodCells {
  readonly ready: string;
  readonly status: string;
  readonly restarts: number;
}

const list = (value: JsonValue | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : [];
const object = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** READY, STATUS and RESTARTS of a pod, from its phase and its containers' states. */
export function podCells(pod: KubeObject): PodCells {
  const status = object(pod['status']);
  const containers = list(object(pod['spec'])['containers']);
  const states = list(status['containerStatuses']);
  const waiting = states.map((state) => object(object(state['state'])['waiting'])['reason']).find((reason) => reason);
  const terminated = states
    .map((state) => object(object(state['state'])['terminated'])['reason'])
    .find((reason) => reason);
  const reason = status['reason'] ?? waiting ?? terminated ?? status['phase'] ?? 'Unknown';
  return {
    ready: `${states.filter((state) => state['ready'] === true).length}/${containers.length}`,
    status: pod.metadata.deletionTimestamp === undefined ? String(reason) : 'Terminating',
    restarts: states.reduce((sum, state) => sum + Number(state['restartCount'] ?? 0), 0),
  };
}
