// A value that only the server can give (a UID, a cluster IP) is not invented in a plan. It stands as this text, which
// no Kubernetes name, label or UID can be, so wherever a hook copies it the plan still knows that it is unknown. The
// same holds for what a hook made of Secret values that it was not shown.

import { isJsonArray, isJsonObject, type JsonValue } from './json.ts';

export const UNKNOWN = '(known after apply)';
/** In the place of what a hook made of masked Secret values: nobody will ever know it in this run. */
export const MASKED_UNKNOWN = '(depends on a masked Secret value)';

/** Is the value one of the two, and nothing else? */
export function isUnknown(value: JsonValue | undefined): boolean {
  return value === UNKNOWN || value === MASKED_UNKNOWN;
}

/** Does the value hold an unknown anywhere, also inside a longer string? */
export function holdsUnknown(value: JsonValue | undefined): boolean {
  return holds(value, (text) => text.includes(UNKNOWN) || text.includes(MASKED_UNKNOWN));
}

/** Does it hold one that no later round will make known? */
export function holdsMaskedUnknown(value: JsonValue | undefined): boolean {
  return holds(value, (text) => text.includes(MASKED_UNKNOWN));
}

function holds(value: JsonValue | undefined, found: (text: string) => boolean): boolean {
  if (typeof value === 'string') return found(value);
  if (isJsonArray(value)) return value.some((item) => holds(item, found));
  if (isJsonObject(value)) return Object.values(value).some((item) => holds(item, found));
  return false;
}
