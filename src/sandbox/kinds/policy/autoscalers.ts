// HorizontalPodAutoscaler in version v2, in which it is checked whatever version it came in.

import type { JsonObject } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { pathSegmentProblems } from '../../meta/names.ts';
import { nanosOf } from '../../typed/quantity.ts';
import { checkSelector } from '../names.ts';
import { fields, items, number, optional, present, type Report, text } from '../report.ts';
import type { KindRules } from '../rules.ts';

const SOURCES: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};
const TYPES = Object.keys(SOURCES);

function check(report: Report, object: KubeObject): void {
  const spec = fields(object['spec']);
  const maximum = number(spec['maxReplicas']);
  const minimum = spec['minReplicas'];
  if (present(minimum) && number(minimum) < 1)
    report.invalid('spec.minReplicas', minimum, 'must be greater than or equal to 1');
  if (maximum === 0) report.required('spec.maxReplicas', 'must be set and greater than 0');
  else if (maximum < 0) report.invalid('spec.maxReplicas', maximum, 'must be greater than or equal to 1');
  if (present(minimum) && maximum < number(minimum))
    report.invalid('spec.maxReplicas', maximum, 'must be greater than or equal to `minReplicas`');
  checkReference(report, 'spec.scaleTargetRef', fields(spec['scaleTargetRef']));
  checkMetrics(report, spec);
  const behavior = fields(spec['behavior']);
  for (const name of ['scaleUp', 'scaleDown']) {
    const rules = optional(behavior[name]);
    if (rules) checkRules(report, `spec.behavior.${name}`, rules);
  }
}

function checkReference(report: Report, path: string, reference: JsonObject): void {
  for (const name of ['kind', 'name']) {
    const given = text(reference[name]);
    if (given === '') report.required(`${path}.${name}`);
    else report.invalidBy(`${path}.${name}`, given, pathSegmentProblems(given));
  }
  const version = text(reference['apiVersion']);
  const parts = version.split('/').length;
  if (parts > 2) report.invalid(`${path}.apiVersion`, version, `unexpected GroupVersion string: ${version}`);
  else if (parts < 2 && !(version === 'v1' && reference['kind'] === 'ReplicationController'))
    report.invalid(`${path}.apiVersion`, version, 'apiVersion must specify API group');
}

function checkMetrics(report: Report, spec: JsonObject): void {
  const metrics = items(spec['metrics']);
  for (const [index, metric] of metrics.entries()) checkMetric(report, `spec.metrics[${index}]`, metric);
  if (spec['minReplicas'] !== 0) return;
  if (!metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    report.forbidden('spec.metrics', detail);
  }
}

function checkMetric(report: Report, path: string, metric: JsonObject): void {
  const type = text(metric['type']);
  if (type === '') report.required(`${path}.type`, 'must specify a metric source type');
  report.oneOf(`${path}.type`, type, TYPES);
  const given = ['object', 'external', 'pods', 'resource', 'containerResource'].filter((name) => present(metric[name]));
  const first = given[0];
  if (first !== undefined) checkSource(report, `${path}.${first}`, first, fields(metric[first]));
  const expected = SOURCES[type];
  if (expected === undefined) report.unsupported(`${path}.type`, type, TYPES);
  else if (!given.includes(expected))
    report.required(`${path}.${expected}`, 'must populate information for the given metric source');
  if (given.length === 1) return;
  for (const name of given.filter((candidate) => candidate !== expected))
    report.forbidden(`${path}.${name}`, 'must populate the given metric source only');
}

function checkSource(report: Report, path: string, kind: string, source: JsonObject): void {
  const target = fields(source['target']);
  const { averageUtilization, averageValue, value } = target;
  if (kind === 'resource' || kind === 'containerResource') {
    if (text(source['name']) === '') report.required(`${path}.name`, 'must specify a resource name');
    if (kind === 'containerResource' && text(source['container']) === '')
      report.required(`${path}.container`, 'must specify a container');
    checkTarget(report, `${path}.target`, target);
    if (!present(averageUtilization) && !present(averageValue))
      report.required(
        `${path}.target.averageUtilization`,
        'must set either a target raw value or a target utilization',
      );
    else if (present(averageUtilization) && present(averageValue))
      report.forbidden(`${path}.target.averageValue`, 'may not set both a target raw value and a target utilization');
    return;
  }
  if (kind === 'object') checkReference(report, `${path}.describedObject`, fields(source['describedObject']));
  const metric = fields(source['metric']);
  if (text(metric['name']) === '') report.required(`${path}.metric.name`, 'must specify a metric name');
  else report.invalidBy(`${path}.metric.name`, text(metric['name']), pathSegmentProblems(text(metric['name'])));
  if (present(metric['selector'])) checkSelector(report, `${path}.metric.selector`, metric['selector']);
  checkTarget(report, `${path}.target`, target);
  if (kind === 'pods') {
    if (!present(averageValue))
      report.required(`${path}.target.averageValue`, 'must specify a positive target averageValue');
  } else if (!present(value) && !present(averageValue)) {
    const detail =
      kind === 'object'
        ? 'must set either a target value or averageValue'
        : 'must set either a target value for metric or a per-pod target';
    report.required(`${path}.target.averageValue`, detail);
  }
}

function checkTarget(report: Report, path: string, target: JsonObject): void {
  const type = text(target['type']);
  if (type === '') report.required(`${path}.type`, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    report.invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue');
  for (const name of ['value', 'averageValue']) {
    const amount = target[name];
    if (present(amount) && nanosOf(amount) <= 0n) report.invalid(`${path}.${name}`, amount, 'must be positive');
  }
  const utilization = target['averageUtilization'];
  if (present(utilization) && number(utilization) < 1)
    report.invalid(`${path}.averageUtilization`, utilization, 'must be greater than 0');
}

function checkRules(report: Report, path: string, rules: JsonObject): void {
  const window = rules['stabilizationWindowSeconds'];
  const at = `${path}.stabilizationWindowSeconds`;
  if (present(window) && number(window) < 0) report.invalid(at, window, 'must be greater than or equal to zero');
  if (present(window) && number(window) > 3600) report.invalid(at, window, 'must be less than or equal to 3600');
  const select = rules['selectPolicy'];
  if (present(select)) report.oneOf(`${path}.selectPolicy`, select, ['Disabled', 'Max', 'Min']);
  const policies = items(rules['policies']);
  if (policies.length === 0) report.required(`${path}.policies`, 'must specify at least one Policy');
  for (const [index, policy] of policies.entries()) {
    const here = `${path}.policies[${index}]`;
    report.oneOf(`${here}.type`, policy['type'], ['Percent', 'Pods']);
    for (const name of ['value', 'periodSeconds'])
      if (number(policy[name]) <= 0)
        report.invalid(`${here}.${name}`, number(policy[name]), 'must be greater than zero');
    if (number(policy['periodSeconds']) > 1800)
      report.invalid(`${here}.periodSeconds`, number(policy['periodSeconds']), 'must be less than or equal to 1800');
  }
}

export const AUTOSCALER: KindRules = { check };
