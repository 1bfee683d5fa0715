// What a Job does about pods that fail.

import type { JsonObject } from '../../../kit/json.ts';
import { fields, items, optional, present, type Report, text } from '../report.ts';

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

export function checkFailurePolicy(report: Report, path: string, policy: JsonObject, job: JsonObject): void {
  const pod = fields(fields(job['template'])['spec']);
  const containers = new Set(
    [...items(pod['containers']), ...items(pod['initContainers'])].map(({ name }) => text(name)),
  );
  for (const [index, rule] of items(policy['rules']).entries()) {
    const at = `${path}.rules[${index}]`;
    checkAction(report, `${at}.action`, text(rule['action']), job);
    const codes = optional(rule['onExitCodes']);
    if (codes) checkExitCodes(report, `${at}.onExitCodes`, codes, containers);
    const conditions = items(rule['onPodConditions']);
    const shown = 'specifying';
    if (codes && conditions.length > 0)
      noValue(report, at, `${shown} both OnExitCodes and OnPodConditions is not supported`);
    if (!codes && conditions.length === 0)
      noValue(report, at, `${shown} one of OnExitCodes and OnPodConditions is required`);
  }
}

const noValue = (report: Report, path: string, detail: string): void =>
  report.add(path, 'FieldValueInvalid', `Invalid value: ${detail}`);

function checkAction(report: Report, path: string, action: string, job: JsonObject): void {
  if (action === '') report.required(path, `valid values: [${ACTIONS.map((name) => `"${name}"`).join(' ')}]`);
  else if (action !== 'FailIndex') report.oneOf(path, action, ACTIONS);
  else if (!present(job['backoffLimitPerIndex']))
    report.invalid(path, action, 'requires the backoffLimitPerIndex to be set');
}

function checkExitCodes(report: Report, path: string, codes: JsonObject, containers: Set<string>): void {
  const operator = text(codes['operator']);
  if (operator === '') report.required(`${path}.operator`, 'valid values: ["In" "NotIn"]');
  else report.oneOf(`${path}.operator`, operator, ['In', 'NotIn']);
  const container = codes['containerName'];
  if (present(container) && !containers.has(text(container))) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    report.invalid(`${path}.containerName`, container, detail);
  }
  const values = (codes['values'] ?? []) as readonly number[];
  if (values.length === 0) report.invalid(`${path}.values`, null, 'at least one value is required');
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0)
      report.invalid(`${path}.values[${index}]`, value, 'must not be 0 for the In operator');
    if (seen.has(value)) report.duplicate(`${path}.values[${index}]`, value);
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value))
    report.invalid(`${path}.values`, values, 'must be ordered');
}
