// Rules for texts that stand in many kinds.

import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { labelValueProblems, qualifiedNameProblems } from '../meta/names.ts';
import { fields, items, keysOf, optional, type Report, text, texts } from './report.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_PROBLEM =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/** DNS-1123 label. */
export function labelTexts(name: string): string[] {
  const problems = name.length > 63 ? ['must be no more than 63 characters'] : [];
  if (LABEL.test(name)) return problems;
  return [...problems, SUBDOMAIN.test(name) ? 'must not contain dots' : LABEL_PROBLEM];
}

/** Names of ports: of containers, in services, in probes. */
export function portNameTexts(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (/^-|-$/.test(name)) problems.push('must not begin or end with a hyphen');
  return problems;
}

export const PORT_RANGE = 'must be between 1 and 65535, inclusive';

export const isPort = (value: number): boolean => value >= 1 && value <= 65_535;

/** A port by number or name. */
export function checkPort(report: Report, path: string, port: JsonValue | undefined): void {
  if (typeof port === 'string') report.invalidBy(path, port, portNameTexts(port));
  else if (!isPort(Number(port ?? 0))) report.invalid(path, port ?? 0, PORT_RANGE);
}

export function checkLabels(report: Report, path: string, labels: JsonValue | undefined): void {
  for (const key of keysOf(labels)) {
    report.invalidBy(path, key, qualifiedNameProblems(key));
    const value = text(fields(labels)[key]);
    report.invalidBy(path, value, labelValueProblems(value));
  }
}

export function checkSelector(report: Report, path: string, selector: JsonValue | undefined): void {
  checkLabels(report, `${path}.matchLabels`, fields(selector)['matchLabels']);
  for (const [index, requirement] of items(fields(selector)['matchExpressions']).entries()) {
    checkRequirement(report, `${path}.matchExpressions[${index}]`, requirement);
  }
}

function checkRequirement(report: Report, path: string, requirement: JsonObject): void {
  const operator = text(requirement['operator']);
  const values = texts(requirement['values']);
  const key = text(requirement['key']);
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) report.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      report.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else report.invalid(`${path}.operator`, operator, 'not a valid selector operator');
  report.invalidBy(`${path}.key`, key, qualifiedNameProblems(key));
  for (const [index, value] of values.entries())
    report.invalidBy(`${path}.values[${index}]`, value, labelValueProblems(value));
}

/** Does a well-formed label selector select these labels? */
export function selects(selector: JsonValue | undefined, labels: JsonObject): boolean {
  const given = optional(selector);
  if (!given) return false;
  const wanted = fields(given['matchLabels']);
  if (!Object.keys(wanted).every((key) => labels[key] === wanted[key])) return false;
  return items(given['matchExpressions']).every((requirement) => {
    const key = text(requirement['key']);
    const has = Object.hasOwn(labels, key);
    const listed = has && texts(requirement['values']).includes(text(labels[key]));
    switch (requirement['operator']) {
      case 'In':
        return listed;
      case 'NotIn':
        return !listed;
      case 'Exists':
        return has;
      default:
        return !has;
    }
  });
}

export function isEmptySelector(selector: JsonValue | undefined): boolean {
  const { matchLabels, matchExpressions } = fields(selector);
  return Object.keys(fields(matchLabels)).length === 0 && items(matchExpressions).length === 0;
}
