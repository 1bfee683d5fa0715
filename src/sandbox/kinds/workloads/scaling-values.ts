// Numbers that may also be given in percent.

import type { JsonValue } from '../../../kit/json.ts';
import { NOT_NEGATIVE, type Report } from '../report.ts';

const PERCENT_PROBLEM =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number that is not negative, or a percentage. */
export function checkNumberOrPercent(report: Report, path: string, value: JsonValue | undefined): void {
  if (typeof value === 'string') {
    if (!/^\d+%$/.test(value)) report.invalid(path, value, PERCENT_PROBLEM);
  } else if (Number(value ?? 0) < 0) report.invalid(path, value ?? 0, NOT_NEGATIVE);
}

export function checkAtMostAll(report: Report, path: string, value: JsonValue | undefined): void {
  if (typeof value === 'string' && /^\d+%$/.test(value) && Number.parseInt(value, 10) > 100)
    report.invalid(path, value, 'must not be greater than 100%');
}

export function isNothing(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return (/^(\d+)%$/.exec(value)?.[1] ?? '0').replace(/^0+/, '') === '';
  return Number(value ?? 0) === 0;
}
