import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';

/** One of status.conditions[], with what is absent as "". */
export interface Condition {
  readonly type: string;
  /** "True", "False", "Unknown" or "". */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

/** The value at a place given by field names; undefined where a step is missing or not an object. */
export function valueAt(root: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

export function textAt(root: JsonValue | undefined, ...path: readonly string[]): string {
  const value = valueAt(root, ...path);
  return typeof value === 'string' ? value : '';
}

/** The number at a place; undefined where there is none. */
export function numberAt(root: JsonValue | undefined, ...path: readonly string[]): number | undefined {
  const value = valueAt(root, ...path);
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : undefined;
}

/** The objects of a list; anything else in it is passed over. */
export function objectsAt(root: JsonValue | undefined, ...path: readonly string[]): readonly JsonObject[] {
  const value = valueAt(root, ...path);
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

/** status.conditions[] of this type; the first one where there are several. */
export function conditionOf(object: KubeObject, type: string): Condition | undefined {
  const found = objectsAt(object, 'status', 'conditions').find((item) => item['type'] === type);
  if (!found) return undefined;
  const observedGeneration = numberAt(found, 'observedGeneration');
  return {
    type,
    status: textAt(found, 'status'),
    reason: textAt(found, 'reason'),
    message: textAt(found, 'message'),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
}

/** "ContainersNotReady: containers with unready status: [web]", or what there is of it; `fallback` for nothing. */
export function explain(condition: Condition | undefined, fallback: string): string {
  const text = [condition?.reason, condition?.message].filter(Boolean).join(': ');
  return text.replace(/\s+/g, ' ').trim() || fallback;
}
