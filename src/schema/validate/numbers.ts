// Limits of numbers. JSON integers are int64, other numbers (and integers beyond int64) float64; limits are float64 in the
// schema and are cut to int64 where the value is one.

import { goNumber } from '../field-problem.ts';
import { failed, general, type Result, type SchemaError, stated } from './result.ts';
import type { NumberLimits } from './value-schema.ts';

const MAX_INT64 = 2n ** 63n;

/** Is it an int64 to the server? */
export function isInteger(value: number | bigint): boolean {
  if (typeof value === 'bigint') return value >= -MAX_INT64 && value < MAX_INT64;
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

export function checkNumber(
  value: number | bigint,
  limits: NumberLimits & { readonly format: string },
  path: string,
  result: Result,
): void {
  result.add(outOfRange(value, limits, 'Checked', path));
  const { multipleOf, maximum, minimum } = limits;
  if (multipleOf !== undefined) {
    const range = outOfRange(multipleOf, limits, 'MultipleOf', path);
    result.add(range);
    result.add(multipleProblem(value, multipleOf, path, range === undefined));
  }
  if (minimum !== undefined) {
    const range = outOfRange(minimum, limits, 'Minimum boundary', path);
    result.add(range);
    result.add(minimumProblem(value, minimum, limits.exclusiveMinimum, { path, native: range === undefined }));
  }
  if (maximum !== undefined) {
    const range = outOfRange(maximum, limits, 'Maximum boundary', path);
    result.add(range);
    result.add(maximumProblem(value, maximum, limits.exclusiveMaximum, { path, native: range === undefined }));
  }
}

function outOfRange(
  value: number | bigint,
  { type, format }: { readonly type: string; readonly format: string },
  what: string,
  path: string,
): SchemaError | undefined {
  const fits =
    type === 'integer'
      ? isInteger(value) && (format !== 'int32' || isInt32(value))
      : format !== 'float' || isFloat32(value);
  if (fits) return undefined;
  const wanted = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
  return general(`${what} value must be of type ${wanted} in ${path}`);
}

const isInt32 = (value: number | bigint): boolean => Number(value) >= -(2 ** 31) && Number(value) < 2 ** 31;
const isFloat32 = (value: number | bigint): boolean => Number.isFinite(Math.fround(Number(value)));

interface Place {
  readonly path: string;
  /** The limit fits the value's type. */
  readonly native: boolean;
}

/** Both as int64 where the value is one, else as float64. */
function comparable(value: number | bigint, limit: number, native: boolean): [number | bigint, number | bigint] {
  return native && isInteger(value) && Number.isFinite(limit) ? [value, Math.trunc(limit)] : [Number(value), limit];
}

function maximumProblem(
  value: number | bigint,
  limit: number,
  exclusive: boolean,
  place: Place,
): SchemaError | undefined {
  const [actual, most] = comparable(value, limit, place.native);
  if (exclusive ? actual < most : actual <= most) return undefined;
  return failed(place.path, value, `should be less than ${exclusive ? '' : 'or equal to '}${goNumber(most)}`);
}

function minimumProblem(
  value: number | bigint,
  limit: number,
  exclusive: boolean,
  place: Place,
): SchemaError | undefined {
  const [actual, least] = comparable(value, limit, place.native);
  if (exclusive ? actual > least : actual >= least) return undefined;
  return failed(place.path, value, `should be greater than ${exclusive ? '' : 'or equal to '}${goNumber(least)}`);
}

function multipleProblem(
  value: number | bigint,
  limit: number,
  path: string,
  native: boolean,
): SchemaError | undefined {
  const asIntegers = native && isInteger(value);
  const factor = asIntegers ? Math.trunc(limit) : limit;
  if (factor <= 0) {
    return stated(path, factor, `factor MultipleOf declared for ${path} must be positive: ${goNumber(factor)}`);
  }
  if (asIntegers ? BigInt(value) % BigInt(factor) === 0n : isWhole(quotient(Number(value), factor))) return undefined;
  return failed(path, value, `should be a multiple of ${goNumber(factor)}`);
}

const quotient = (value: number, factor: number): number => (factor < 1 ? (1 / factor) * value : value / factor);

/** A whole number up to the rounding of a division, as the server's JSON library sees it. */
export function isWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > 2 ** 53) return false;
  const rounded = Math.trunc(value);
  if (value === rounded) return true;
  return rounded !== 0 && Math.abs(value - rounded) / (Math.abs(value) + Math.abs(rounded)) < 1e-9;
}
