// What an unquoted YAML word means to kubectl: YAML 1.1 as go-yaml v2 resolves it, then as JSON. It is neither YAML 1.2
// nor YAML 1.1 by the book: no sexagesimals, no dates, 0o777 beside 0777, underscores anywhere in a number.
// The reader and the writer share this file, so that what is written is quoted exactly where it must be.

export type ScalarTag = 'null' | 'bool' | 'int' | 'float' | 'str';

export interface PlainScalar {
  readonly tag: ScalarTag;
  /** A float may be infinite or NaN here: JSON has no word for it, so the reader refuses it. */
  readonly value: null | boolean | number | bigint | string;
  /** An integer outside int64, which Kubernetes reads as a float with fewer digits. */
  readonly inexact?: true;
}

const WORDS: ReadonlyMap<string, PlainScalar> = new Map([
  ...words(['', '~', 'null', 'Null', 'NULL'], { tag: 'null', value: null }),
  ...words(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'], { tag: 'bool', value: true }),
  ...words(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'], { tag: 'bool', value: false }),
  ...words(['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'], { tag: 'float', value: Number.POSITIVE_INFINITY }),
  ...words(['-.inf', '-.Inf', '-.INF'], { tag: 'float', value: Number.NEGATIVE_INFINITY }),
  ...words(['.nan', '.NaN', '.NAN'], { tag: 'float', value: Number.NaN }),
]);

/** Go reads the sign also after 0b. */
const SIGNED_BINARY = /^0b([-+])([01]+)$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]([0-7]+)|0[bB]([01]+)|0([0-7]+)|(0|[1-9][0-9]*))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const DOT_FLOAT = /^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Resolves a plain (unquoted, untagged) scalar. */
export function resolvePlain(text: string): PlainScalar {
  const word = WORDS.get(text);
  if (word) return word;
  const first = text.charAt(0);
  if (first === '.') return DOT_FLOAT.test(text) ? floatOf(text) : { tag: 'str', value: text };
  if (!/[-+0-9]/.test(first)) return { tag: 'str', value: text };
  const digits = text.replaceAll('_', '');
  const integer = INTEGER.exec(digits.replace(SIGNED_BINARY, '$10b$2'));
  if (integer) return integerOf(integer);
  return FLOAT.test(digits) ? floatOf(digits, text) : { tag: 'str', value: text };
}

/** An integer in JSON or YAML decimal: number where exact, bigint up to int64, a rounded number beyond. */
export function decimalInteger(text: string): PlainScalar {
  return sized(BigInt(text.replace(/^\+/, '')));
}

function integerOf(match: RegExpExecArray): PlainScalar {
  const [, sign, hex, octal, binary, oldOctal, decimal] = match;
  const magnitude = BigInt(
    hex !== undefined ? `0x${hex}` : binary !== undefined ? `0b${binary}` : (decimal ?? `0o${octal ?? oldOctal}`),
  );
  return sized(sign === '-' ? -magnitude : magnitude);
}

function sized(value: bigint): PlainScalar {
  if (value > INT64_MAX || value < INT64_MIN) return { tag: 'float', value: Number(value), inexact: true };
  const number = Number(value);
  return { tag: 'int', value: Number.isSafeInteger(number) ? number : value };
}

function floatOf(digits: string, text = digits): PlainScalar {
  const value = Number(digits);
  // Go's ParseFloat refuses what overflows, and the word stays a string.
  if (!Number.isFinite(value)) return { tag: 'str', value: text };
  return { tag: 'float', value: value === 0 ? 0 : value };
}

function words(list: readonly string[], scalar: PlainScalar): [string, PlainScalar][] {
  return list.map((word) => [word, scalar]);
}
