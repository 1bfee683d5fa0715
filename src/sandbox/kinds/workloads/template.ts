// What the kinds with a selector and a pod template have in common.

import type { JsonObject, JsonValue } from '../../../kit/json.ts';
import { isEmptySelector, selects } from '../names.ts';
import { checkTemplate } from '../pods/pod-spec.ts';
import { fields, optional, present, type Report, text } from '../report.ts';

export const NO_MATCH = '`selector` does not match template `labels`';

export function templateLabels(spec: JsonObject): JsonObject {
  return fields(fields(fields(spec['template'])['metadata'])['labels']);
}

/** Labels as the server shows them: sorted, null where there are none. */
export function shownLabels(labels: JsonObject): JsonValue {
  const keys = Object.keys(labels).sort();
  return keys.length === 0 ? null : Object.fromEntries(keys.map((key) => [key, labels[key] ?? '']));
}

export interface Checked {
  readonly spec: JsonObject;
  readonly kind: string;
  /** In the way of the server's own texts: "ReplicaSet". */
  readonly named: string;
}

/** A selector can be used when each of its requirements makes sense. */
export function isUsable(selector: JsonValue | undefined): boolean {
  const given = optional(selector);
  if (!given) return true;
  return !Array.isArray(given['matchExpressions'])
    ? true
    : (given['matchExpressions'] as JsonObject[]).every(({ operator, values }) => {
        const count = Array.isArray(values) ? values.length : 0;
        if (operator === 'In' || operator === 'NotIn') return count > 0;
        return (operator === 'Exists' || operator === 'DoesNotExist') && count === 0;
      });
}

/** Template and labels; a selector that is missing selects nothing, one that is empty everything. */
export function checkSelected(report: Report, spec: JsonObject): void {
  const { selector } = spec;
  const empty = present(selector) && isEmptySelector(selector);
  if (!empty && !selects(selector, templateLabels(spec)))
    report.invalid('spec.template.metadata.labels', shownLabels(templateLabels(spec)), NO_MATCH);
}

export function checkPodTemplate(report: Report, spec: JsonObject, named: string): void {
  const template = fields(spec['template']);
  checkTemplate(report, 'spec.template', template);
  checkLongRunning(report, template, named);
}

/** Pods that are to be replaced when they end must restart, and may not be told when to end. */
export function checkLongRunning(report: Report, template: JsonObject, named: string): void {
  const pod = fields(template['spec']);
  if (pod['restartPolicy'] !== 'Always')
    report.unsupported('spec.template.spec.restartPolicy', text(pod['restartPolicy']), ['Always']);
  if (present(pod['activeDeadlineSeconds']))
    report.forbidden('spec.template.spec.activeDeadlineSeconds', `activeDeadlineSeconds in ${named} is not Supported`);
}
