import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from './json.ts';

/** SHA-256 of text, as 64 hex digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** SHA-256 of the canonical JSON of a value: equal values give equal digests. */
export function digestOf(value: JsonValue): string {
  return sha256(canonicalJson(value));
}
