import { objectsAt } from '../../health/index.ts';
import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';

export interface NewCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

/** The object's status; {} where it has none. */
export function statusOf(object: KubeObject): JsonObject {
  const status = object['status'];
  return isJsonObject(status) ? status : {};
}

/**
 * The object's conditions with these in place of those of the same type, in the order given, foreign ones behind.
 * lastTransitionTime moves only when the status does.
 */
export function withConditions(
  object: KubeObject,
  conditions: readonly NewCondition[],
  now: string,
): readonly JsonObject[] {
  const old = objectsAt(object, 'status', 'conditions');
  const types = new Set(conditions.map(({ type }) => type));
  const updated = conditions.map((condition): JsonObject => {
    const before = old.find((item) => item['type'] === condition.type);
    const since = before?.['status'] === condition.status ? (before['lastTransitionTime'] ?? now) : now;
    return { ...condition, lastTransitionTime: since };
  });
  return [...updated, ...old.filter((item) => !types.has(String(item['type'])))];
}

/** A count for a status field that is left out when it is zero, as Go's omitempty does. */
export function counted(counts: Readonly<Record<string, number>>): JsonObject {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}
