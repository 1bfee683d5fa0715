// Role, ClusterRole and their bindings.

import { type JsonObject, jsonEqual } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { pathSegmentProblems, subdomainProblems } from '../../meta/names.ts';
import { goStruct } from '../go-struct.ts';
import { checkSelector } from '../names.ts';
import { fields, items, optional, type Report, text, texts } from '../report.ts';
import type { KindRules } from '../rules.ts';
import { isUsable } from '../workloads/template.ts';

const GROUP = 'rbac.authorization.k8s.io';

function checkRules(report: Report, object: KubeObject, namespaced: boolean): void {
  for (const [index, rule] of items(object['rules']).entries()) checkRule(report, `rules[${index}]`, rule, namespaced);
}

function checkRule(report: Report, path: string, rule: JsonObject, namespaced: boolean): void {
  const urls = texts(rule['nonResourceURLs']);
  if (texts(rule['verbs']).length === 0) report.required(`${path}.verbs`, 'verbs must contain at least one value');
  if (urls.length > 0) {
    const at = `${path}.nonResourceURLs`;
    if (namespaced) {
      report.invalid(at, urls, 'namespaced rules cannot apply to non-resource URLs');
      return;
    }
    if (['apiGroups', 'resources', 'resourceNames'].some((name) => texts(rule[name]).length > 0))
      report.invalid(at, urls, 'rules cannot apply to both regular resources and non-resource URLs');
    return;
  }
  if (texts(rule['apiGroups']).length === 0)
    report.required(`${path}.apiGroups`, 'resource rules must supply at least one api group');
  if (texts(rule['resources']).length === 0)
    report.required(`${path}.resources`, 'resource rules must supply at least one resource');
}

export const ROLE: KindRules = { check: (report, object) => checkRules(report, object, true) };

export const CLUSTER_ROLE: KindRules = {
  check: (report, object) => {
    checkRules(report, object, false);
    const aggregation = optional(object['aggregationRule']);
    if (aggregation) checkAggregation(report, 'aggregationRule.clusterRoleSelectors', aggregation);
  },
};

function checkAggregation(report: Report, path: string, aggregation: JsonObject): void {
  const selectors = items(aggregation['clusterRoleSelectors']);
  if (selectors.length === 0)
    report.required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  for (const [index, selector] of selectors.entries()) {
    const at = `${path}[${index}]`;
    const before = report.problems.length;
    checkSelector(report, at, selector);
    if (report.problems.length > before || !isUsable(selector))
      report.add(at, 'FieldValueInvalid', 'Invalid value: null: invalid label selector.');
  }
}

const bindingRules = (roleKinds: readonly string[], namespaced: boolean): KindRules => {
  const check = (report: Report, object: KubeObject): void => {
    const reference = fields(object['roleRef']);
    report.oneOf('roleRef.apiGroup', reference['apiGroup'], [GROUP]);
    report.oneOf('roleRef.kind', reference['kind'], roleKinds);
    const name = text(reference['name']);
    if (name === '') report.required('roleRef.name');
    else report.invalidBy('roleRef.name', name, pathSegmentProblems(name));
    for (const [index, subject] of items(object['subjects']).entries())
      checkSubject(report, `subjects[${index}]`, subject, namespaced);
  };
  return {
    check,
    checkUpdate: (report, before, after) => {
      check(report, after);
      if (!jsonEqual(before['roleRef'], after['roleRef']))
        report.invalid('roleRef', goStruct('rbac.RoleRef', fields(after['roleRef'])), 'cannot change roleRef');
    },
  };
};

function checkSubject(report: Report, path: string, subject: JsonObject, namespaced: boolean): void {
  const name = text(subject['name']);
  const group = text(subject['apiGroup']);
  if (name === '') report.required(`${path}.name`);
  switch (subject['kind']) {
    case 'ServiceAccount':
      if (name !== '') report.invalidBy(`${path}.name`, name, subdomainProblems(name));
      if (group !== '') report.unsupported(`${path}.apiGroup`, group, ['']);
      if (!namespaced && text(subject['namespace']) === '') report.required(`${path}.namespace`);
      break;
    case 'User':
    case 'Group':
      if (group !== GROUP) report.unsupported(`${path}.apiGroup`, group, [GROUP]);
      break;
    default:
      report.unsupported(`${path}.kind`, text(subject['kind']), ['ServiceAccount', 'User', 'Group']);
  }
}

export const ROLE_BINDING = bindingRules(['Role', 'ClusterRole'], true);
export const CLUSTER_ROLE_BINDING = bindingRules(['ClusterRole'], false);
