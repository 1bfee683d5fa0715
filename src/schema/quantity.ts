// resource.Quantity: how the server reads amounts ("1000m", 0.5, "1.5Gi") and writes them back ("1", "500m", "1536Mi").
// Values are whole numbers of nanos; finer ones are rounded away from zero, as there.

export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

type Format = 'decimal' | 'binary' | 'exponent';

export interface Quantity {
  readonly nanos: bigint;
  readonly text: string;
}

const NANO = 1_000_000_000n;
const MILLI = 1_000_000n;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?/;
const DECIMAL_SUFFIXES: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_SUFFIXES: Readonly<Record<string, bigint>> = {
  Ki: 1n << 10n,
  Mi: 1n << 20n,
  Gi: 1n << 30n,
  Ti: 1n << 40n,
  Pi: 1n << 50n,
  Ei: 1n << 60n,
};
const BAD_FORM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const BAD_SUFFIX = "unable to parse quantity's suffix";
const BAD_NUMBER = 'unable to parse numeric part of quantity';
/** The server's numbers are 64 bits wide; larger exponents would only cost memory here. */
const MAX_EXPONENT = 64;

/** Throws QuantityError. `text` of the result is the canonical one. */
export function parseQuantity(given: string): Quantity {
  const text = given.trim();
  if (text === '') throw new QuantityError(BAD_FORM);
  if (text === '0') return { nanos: 0n, text };
  const [head, sign, digits = '', fraction = ''] = NUMBER.exec(text) ?? ['', '', ''];
  const suffix = text.slice(head.length);
  if (!/^[eEinumkKMGTP]*[-+]?\d*$/.test(suffix)) throw new QuantityError(BAD_FORM);
  const scale = scaleOf(suffix);
  if (digits === '' && fraction === '' && head !== '') throw new QuantityError(suffix === '' ? BAD_NUMBER : BAD_SUFFIX);
  const magnitude = toNanos(digits.replace(/^0+/, '') || '0', fraction, scale);
  const nanos = sign === '-' ? -magnitude : magnitude;
  return { nanos, text: keepsText(digits, fraction, scale) ? text : canonical(nanos, scale.format) };
}

interface Scale {
  readonly format: Format;
  /** A power of ten, or a factor. */
  readonly exponent: number;
  readonly factor: bigint;
}

function scaleOf(suffix: string): Scale {
  const factor = BINARY_SUFFIXES[suffix];
  if (factor !== undefined) return { format: 'binary', exponent: 0, factor };
  const decimal = DECIMAL_SUFFIXES[suffix];
  if (decimal !== undefined) return { format: 'decimal', exponent: decimal, factor: 1n };
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1];
  if (exponent === undefined) throw new QuantityError(BAD_SUFFIX);
  if (Math.abs(Number(exponent)) > MAX_EXPONENT) throw new QuantityError(BAD_NUMBER);
  return { format: 'exponent', exponent: Number(exponent), factor: 1n };
}

function toNanos(digits: string, fraction: string, { exponent, factor }: Scale): bigint {
  const shift = 9 + exponent - fraction.length;
  const value = BigInt(digits + fraction) * factor;
  return shift >= 0 ? value * 10n ** BigInt(shift) : divideUp(value, 10n ** BigInt(-shift));
}

function divideUp(value: bigint, by: bigint): bigint {
  const whole = value / by;
  if (whole * by === value) return whole;
  return value < 0n ? whole - 1n : whole + 1n;
}

/** The server keeps a text that looks canonical as it is, which lets "+5" and "5." through. */
function keepsText(digits: string, fraction: string, { format, exponent, factor }: Scale): boolean {
  const significant = digits.replace(/^0+/, '') || '0';
  const shifted = significant + fraction;
  if (shifted.length > 18) return false;
  if (format === 'binary') {
    const bits = factor.toString(2).length - 1;
    return (
      fraction === '' && 15 - significant.length - Math.trunc(bits * 0.3) - 1 >= 0 && (BigInt(shifted) & 7n) !== 0n
    );
  }
  return (exponent - fraction.length) % 3 === 0 && exponent - fraction.length >= -9 && !/^0|000$/.test(shifted);
}

function canonical(nanos: bigint, format: Format): string {
  if (nanos === 0n) return '0';
  const small = nanos > -1024n * NANO && nanos < 1024n * NANO;
  if (format === 'binary' && !small && nanos % NANO === 0n) return binaryText(nanos / NANO);
  let [mantissa, exponent] = [nanos, -9];
  while (exponent < 18 && mantissa % 1000n === 0n) [mantissa, exponent] = [mantissa / 1000n, exponent + 3];
  if (format === 'exponent') return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`;
  const suffix = Object.keys(DECIMAL_SUFFIXES).find((name) => DECIMAL_SUFFIXES[name] === exponent) ?? '';
  return `${mantissa}${suffix}`;
}

function binaryText(value: bigint): string {
  let [mantissa, suffix] = [value, ''];
  for (const name of Object.keys(BINARY_SUFFIXES)) {
    if (mantissa % 1024n !== 0n) break;
    [mantissa, suffix] = [mantissa / 1024n, name];
  }
  return `${mantissa}${suffix}`;
}

/** In lists of resources the server keeps no more than thousandths, rounded away from zero. */
export function resourceAmount(given: string): string {
  const { nanos, text } = parseQuantity(given);
  if (nanos % MILLI === 0n) return text;
  return canonical(divideUp(nanos, MILLI) * MILLI, /i$/.test(given) && nanos >= NANO ? 'binary' : 'decimal');
}

/** Of a canonical text, as decoding leaves it; undefined counts as 0. */
export function nanosOf(text: unknown): bigint {
  return typeof text === 'string' ? parseQuantity(text).nanos : 0n;
}

/** Do both say the same amount, in whatever form? False where one is no quantity. */
export function sameQuantity(a: unknown, b: unknown): boolean {
  const [left, right] = [nanosOrNothing(a), nanosOrNothing(b)];
  return left !== undefined && left === right;
}

function nanosOrNothing(value: unknown): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  try {
    return parseQuantity(String(value)).nanos;
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}
