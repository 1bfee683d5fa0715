// A value that only the server can give (a UID, a cluster IP) is not invented in a plan. It stands as this text, which
// no Kubernetes name, label or UID can be, so wherever a hook copies it the plan still knows that it is unknown.

import { isJsonArray, isJsonObject, type JsonValue } from './json.ts';

export const UNKNOWN = '(known after apply)';

/** Does the value hold an unknown anywhere, also inside a longer string? */
export function holdsUnknown(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.includes(UNKNOWN);
  if (isJsonArray(value)) return value.some(holdsUnknown);
  if (isJsonObject(value)) return Object.values(value).some(holdsUnknown);
  return false;
}
