// The texts under which a value of a Secret can turn up elsewhere: as it stands, decoded, inside JSON, inside a URL, and
// inside the base64 of a longer text. Who looks for them decides what stands there instead.

import { getOwn, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../kit/json.ts';
import { holdsUnknown } from '../kit/unknown.ts';
import type { KubeObject } from '../model/object.ts';
import { RECORD_ANNOTATIONS } from './noise.ts';

/** Shorter values would be found inside innocent words all over. */
const SHORTEST_KNOWN = 8;
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

export const isSecret = (ref: { readonly apiVersion: string; readonly kind: string }): boolean =>
  ref.kind === 'Secret' && ref.apiVersion === 'v1';

/** Bytes of a value: `encoded` says that it stands in `data`, as base64. */
export function bytesOf(value: string, encoded: boolean): Buffer {
  return encoded && BASE64.test(value) ? Buffer.from(value, 'base64') : Buffer.from(value, 'utf8');
}

/** Finds known values in texts. */
export class SecretFinder {
  /** Text to look for → the bytes it stands for, in base64. */
  readonly #forms = new Map<string, string>();
  /** Longest first: a value may be part of another one. */
  #sorted: readonly (readonly [string, string])[] | undefined;

  /** Learns the values of a Secret, also the earlier ones that its last-applied annotations hold. Others have none. */
  learn(object: KubeObject): void {
    if (!isSecret(object)) return;
    this.#learnFields(object);
    for (const name of RECORD_ANNOTATIONS) {
      const record = recordIn(object, name);
      if (record !== undefined) this.#learnFields(record);
    }
  }

  /** From now on this text is looked for no more: it is a name that may be shown. */
  forget(text: string): void {
    if (this.#forms.delete(text)) this.#sorted = undefined;
  }

  /** The text with every known value in it replaced by what `markFor` gives for the value's bytes (in base64). */
  replace(text: string, markFor: (value: string) => string): string {
    if (text.length < SHORTEST_KNOWN || this.#forms.size === 0) return text;
    this.#sorted ??= [...this.#forms].sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
    let replaced = text;
    for (const [form, value] of this.#sorted) {
      if (form.length > replaced.length || !replaced.includes(form)) continue;
      const mark = markFor(value);
      replaced = replaced.replaceAll(form, () => mark);
    }
    return replaced;
  }

  #learnFields(object: JsonObject): void {
    for (const [field, encoded] of [
      ['data', true],
      ['stringData', false],
    ] as const) {
      const values = getOwn(object, field);
      if (!isJsonObject(values)) continue;
      for (const value of Object.values(values)) if (typeof value === 'string') this.#learnValue(value, encoded);
    }
  }

  #learnValue(value: string, encoded: boolean): void {
    if (holdsUnknown(value)) return;
    const bytes = bytesOf(value, encoded);
    const base64 = bytes.toString('base64');
    const plain = bytes.toString('utf8');
    const isText = !plain.includes('\uFFFD');
    const forms = [value, base64, ...insideBase64(bytes), ...(isText ? plainForms(plain) : [])];
    for (const form of forms) {
      if (form.length < SHORTEST_KNOWN || this.#forms.has(form)) continue;
      this.#forms.set(form, base64);
      this.#sorted = undefined;
    }
  }
}

/** As it is, without the line end that files have, inside JSON text, and inside a URL. */
function plainForms(plain: string): string[] {
  const trimmed = plain.trim();
  const escaped = JSON.stringify(trimmed).slice(1, -1);
  // Twice: JSON text that is a value of a JSON document, as last-applied annotations are.
  return [plain, trimmed, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(trimmed)];
}

/**
 * The part of a longer text's base64 that is the value's alone, for each of the three places where it may begin. Of a
 * value with a line end also without that.
 */
export function insideBase64(bytes: Buffer): string[] {
  const end = bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
  return [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), end]);
    const whole = Math.floor((shifted.length * 8) / 6);
    return shifted.toString('base64').slice(Math.ceil((shift * 8) / 6), whole);
  });
}

function recordIn(object: KubeObject, annotation: string): JsonObject | undefined {
  const annotations = getOwn(object.metadata, 'annotations');
  const text: JsonValue | undefined = isJsonObject(annotations) ? getOwn(annotations, annotation) : undefined;
  if (typeof text !== 'string') return undefined;
  try {
    const record = parseJson(text);
    return isJsonObject(record) ? record : undefined;
  } catch {
    return undefined; // not JSON: it is masked whole wherever it is shown
  }
}
