// Takes the values of Secrets out of everything that is shown: out of the Secrets themselves whatever they hold, out of
// other objects, field changes and free text (errors, notes) wherever a known value of 8 characters or more turns up.

import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
  stringifyJson,
} from '../kit/json.ts';
import type { Path, PathElement } from '../kit/path.ts';
import { isUnknown } from '../kit/unknown.ts';
import type { KubeObject } from '../model/object.ts';
import type { FieldChange } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import { RECORD_ANNOTATIONS } from './noise.ts';
import { bytesOf, isSecret } from './secret-forms.ts';
import { SecretValues } from './secret-values.ts';

export interface Redactor {
  object(object: KubeObject): KubeObject;
  /** `ref` names the object that the field belongs to. */
  fieldChange(ref: Pick<Ref, 'apiVersion' | 'kind'>, change: FieldChange): FieldChange;
  text(text: string): string;
  /** A value of no particular object. */
  value(value: JsonValue): JsonValue;
}

/** A masked value as its parts, for "(value #1 → #2, 24 → 32 bytes)". */
export interface Mask {
  readonly number: number;
  readonly bytes: number;
}

const MASKED_RECORD = '(masked)';
const MASK = /^\(value #(\d+), (\d+) bytes\)$/;

/** The parts of what a redactor put in the place of a Secret's value; undefined for every other text. */
export function parseMask(text: JsonValue | undefined): Mask | undefined {
  const match = typeof text === 'string' ? MASK.exec(text) : null;
  return match ? { number: Number(match[1]), bytes: Number(match[2]) } : undefined;
}

/** Knows the Secrets among `objects`. Values are numbered as they are first shown: one redactor for one output. */
export function createRedactor(objects: Iterable<KubeObject>): Redactor {
  const values = new SecretValues();
  for (const object of objects) values.learn(object);
  const text = (plain: string): string => values.mask(plain);
  const masker = (secret: boolean): Masker => ({ values, secret });
  return {
    text,
    value: (value) => maskAt(masker(false), [], value),
    object: (object) => maskAt(masker(isSecret(object)), [], object) as KubeObject,
    fieldChange: (ref, change) => {
      const at = masker(isSecret(ref));
      const { before, after } = change;
      return {
        path: change.path.map((element) => maskElement(values, element)),
        op: change.op,
        ...(before === undefined ? {} : { before: maskAt(at, change.path, before) }),
        ...(after === undefined ? {} : { after: maskAt(at, change.path, after) }),
      };
    },
  };
}

interface Masker {
  readonly values: SecretValues;
  readonly secret: boolean;
}

function maskAt(masker: Masker, path: Path, value: JsonValue): JsonValue {
  if (masker.secret && isRecord(path)) return MASKED_RECORD;
  if (masker.secret && isValue(path, value)) return maskValue(masker.values, path, value);
  if (typeof value === 'string') return masker.values.mask(value);
  if (isJsonArray(value)) return value.map((item, index) => maskAt(masker, [...path, index], item));
  if (!isJsonObject(value)) return value;
  const masked: MutableJsonObject = {};
  for (const key of Object.keys(value)) {
    const inner = value[key];
    if (inner !== undefined) setOwn(masked, masker.values.mask(key), maskAt(masker, [...path, key], inner));
  }
  return masked;
}

/** data.x or stringData.x of a Secret, and anything that a wrong object may hold there. */
const isValue = (path: Path, value: JsonValue): boolean =>
  (path[0] === 'data' || path[0] === 'stringData') && (path.length >= 2 || !isJsonObject(value));

const isRecord = (path: Path): boolean =>
  path.length === 3 &&
  path[0] === 'metadata' &&
  path[1] === 'annotations' &&
  typeof path[2] === 'string' &&
  RECORD_ANNOTATIONS.includes(path[2]);

function maskValue(values: SecretValues, path: Path, value: JsonValue): JsonValue {
  if (value === null || isUnknown(value)) return value;
  const bytes = bytesOf(typeof value === 'string' ? value : stringifyJson(value), path[0] === 'data');
  return `(value #${values.numberOf(bytes)}, ${bytes.length} bytes)`;
}

function maskElement(values: SecretValues, element: PathElement): PathElement {
  if (typeof element === 'string') return values.mask(element);
  if (typeof element === 'number' || typeof element.value !== 'string') return element;
  return { key: element.key, value: values.mask(element.value) };
}
