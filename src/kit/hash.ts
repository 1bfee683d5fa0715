import { hash } from 'node:crypto';
import { canonicalJson, type JsonValue } from './json.ts';

/** SHA-256 of text, as 64 hex digits. */
export function sha256(text: string): string {
  return hash('sha256', text);
}

/** SHA-256 of the canonical JSON of a value: equal values give equal digests. */
export function digestOf(value: JsonValue): string {
  return sha256(canonicalJson(value));
}
