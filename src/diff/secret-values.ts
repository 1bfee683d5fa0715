// The values of Secrets, and the number under which each is shown. Equal values have one number, given in the order in
// which they are asked for: output that is made in the same order is the same, and nothing printed is derived from a
// value but its length.

import { getOwn, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../kit/json.ts';
import { UNKNOWN } from '../kit/unknown.ts';
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

export class SecretValues {
  readonly #numbers = new Map<string, number>();
  /** Text to look for → the bytes it stands for, in base64. Longest first once sorted. */
  readonly #forms = new Map<string, string>();
  #sorted: readonly (readonly [string, string])[] | undefined;

  /** Learns the values of a Secret, also the earlier ones that its last-applied annotations hold. */
  learn(object: KubeObject): void {
    if (!isSecret(object)) return;
    this.#learnFields(object);
    for (const name of RECORD_ANNOTATIONS) {
      const record = recordIn(object, name);
      if (record !== undefined) this.#learnFields(record);
    }
  }

  /** The number of a value, given now if it has none. */
  numberOf(bytes: Buffer): number {
    return this.#number(bytes.toString('base64'));
  }

  /** The text with every known value in it replaced by "(value #n)". */
  mask(text: string): string {
    if (text.length < SHORTEST_KNOWN || this.#forms.size === 0) return text;
    this.#sorted ??= [...this.#forms].sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
    let masked = text;
    for (const [form, value] of this.#sorted) {
      if (form.length <= masked.length && masked.includes(form)) {
        const mark = `(value #${this.#number(value)})`;
        masked = masked.replaceAll(form, () => mark);
      }
    }
    return masked;
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
    if (value.includes(UNKNOWN)) return;
    const bytes = bytesOf(value, encoded);
    const base64 = bytes.toString('base64');
    const plain = bytes.toString('utf8');
    const isText = !plain.includes('\uFFFD');
    for (const form of [value, base64, base64.replace(/=+$/, ''), ...(isText ? plainForms(plain) : [])]) {
      if (form.length < SHORTEST_KNOWN || this.#forms.has(form)) continue;
      this.#forms.set(form, base64);
      this.#sorted = undefined;
    }
  }

  #number(value: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.#numbers.size + 1);
    return this.#numbers.size;
  }
}

/** As it is, without the line end that files have, inside JSON text, and inside a URL. */
function plainForms(plain: string): string[] {
  const trimmed = plain.trim();
  return [plain, trimmed, JSON.stringify(trimmed).slice(1, -1), encodeURIComponent(trimmed)];
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
