import type { JsonObject } from '../kit/json.ts';
import type { ObjectOfKind } from './shapes.ts';

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

/** The status of a condition of the object: "True", "False", "Unknown"; undefined where there is no such condition. */
export function conditionStatus(object: ObjectOfKind, type: string): string | undefined {
  const conditions = (object as { readonly status?: JsonObject }).status?.['conditions'];
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as JsonObject[]).find((one) => one['type'] === type)?.['status'] as string | undefined;
}

/** An item for status.conditions. It has no lastTransitionTime: the same state must give the same answer. */
export function condition(type: string, isTrue: boolean, why: { reason?: string; message?: string } = {}): Condition {
  return { type, status: isTrue ? 'True' : 'False', ...why };
}
