// ReplicationController.

import type { JsonObject } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { checkTemplate } from '../pods/pod-spec.ts';
import { fields, optional, type Report } from '../report.ts';
import type { KindRules } from '../rules.ts';
import { checkLongRunning, NO_MATCH, shownLabels, templateLabels } from './template.ts';

function check(report: Report, object: KubeObject): void {
  const spec = fields(object['spec']);
  report.notNegative('spec.minReadySeconds', spec['minReadySeconds']);
  const selector = fields(spec['selector']);
  if (Object.keys(selector).length === 0) report.required('spec.selector');
  report.notNegative('spec.replicas', spec['replicas']);
  checkControlled(report, spec, selector);
}

function checkControlled(report: Report, spec: JsonObject, selector: JsonObject): void {
  const template = optional(spec['template']);
  if (!template) {
    report.required('spec.template');
    return;
  }
  const labels = templateLabels(spec);
  if (Object.keys(selector).length > 0 && !Object.keys(selector).every((key) => labels[key] === selector[key]))
    report.invalid('spec.template.metadata.labels', shownLabels(labels), NO_MATCH);
  checkTemplate(report, 'spec.template', template);
  checkLongRunning(report, template, 'ReplicationController');
}

export const CONTROLLER: KindRules = { check };
