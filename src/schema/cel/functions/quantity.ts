// Quantities: "500Mi", "1.5", "2e3". Kept as an exact number of nano-units.

import type { Environment } from '@marcbachmann/cel-js';

class Quantity {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

const NANO = 1_000_000_000n;
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const FORM = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)((?:[KMGTPE]i|[numkMGTPE])?|[eE][+-]?\d+)$/;

const BAD = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function parse(text: string): Quantity | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [, sign, digits = '', suffix = ''] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  const scaled = BigInt(`${whole}${fraction}` || '0') * NANO;
  const power = exponentOf(suffix) - fraction.length;
  const shifted = power >= 0 ? scaled * 10n ** BigInt(power) : ceilDivide(scaled, 10n ** BigInt(-power));
  const binary = BINARY[suffix];
  const nanos = binary === undefined ? shifted : shifted << BigInt(binary);
  return new Quantity(sign === '-' ? -nanos : nanos);
}

function exponentOf(suffix: string): number {
  if (BINARY[suffix] !== undefined) return 0;
  return DECIMAL[suffix] ?? Number(suffix.slice(1));
}

const ceilDivide = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

function quantity(text: string): Quantity {
  const parsed = parse(text);
  if (!parsed) throw new Error(BAD);
  return parsed;
}

const compare = (a: Quantity, b: Quantity): bigint => (a.nanos < b.nanos ? -1n : a.nanos > b.nanos ? 1n : 0n);

function asInteger(value: Quantity): bigint {
  if (value.nanos % NANO !== 0n) throw new Error('cannot convert value to integer');
  return value.nanos / NANO;
}

export function registerQuantity(environment: Environment): void {
  environment
    .registerType('Quantity', { ctor: Quantity, fields: {} })
    .registerFunction('quantity(string): Quantity', quantity)
    .registerFunction('isQuantity(string): bool', (text: string) => parse(text) !== undefined)
    .registerFunction('Quantity.isLessThan(Quantity): bool', (a: Quantity, b: Quantity) => a.nanos < b.nanos)
    .registerFunction('Quantity.isGreaterThan(Quantity): bool', (a: Quantity, b: Quantity) => a.nanos > b.nanos)
    .registerFunction('Quantity.compareTo(Quantity): int', compare)
    .registerFunction('Quantity.sign(): int', (value: Quantity) => compare(value, new Quantity(0n)))
    .registerFunction('Quantity.isInteger(): bool', (value: Quantity) => value.nanos % NANO === 0n)
    .registerFunction('Quantity.asInteger(): int', asInteger)
    .registerFunction('Quantity.asApproximateFloat(): double', (value: Quantity) => Number(value.nanos) / 1e9)
    .registerFunction('Quantity.add(Quantity): Quantity', (a: Quantity, b: Quantity) => new Quantity(a.nanos + b.nanos))
    .registerFunction('Quantity.add(int): Quantity', (a: Quantity, b: bigint) => new Quantity(a.nanos + b * NANO))
    .registerFunction('Quantity.sub(Quantity): Quantity', (a: Quantity, b: Quantity) => new Quantity(a.nanos - b.nanos))
    .registerFunction('Quantity.sub(int): Quantity', (a: Quantity, b: bigint) => new Quantity(a.nanos - b * NANO))
    .registerOperator('Quantity == Quantity', (a: Quantity, b: Quantity) => a.nanos === b.nanos);
}
