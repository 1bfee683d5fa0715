// Where a pod may run: affinities, tolerations, spreading, gates.

import type { JsonObject, JsonValue } from '../../../kit/json.ts';
import { labelValueProblems, qualifiedNameProblems } from '../../meta/names.ts';
import { checkSelector, labelTexts } from '../names.ts';
import { items, number, optional, present, type Report, text, texts } from '../report.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function checkAffinity(report: Report, path: string, affinity: JsonObject): void {
  const node = optional(affinity['nodeAffinity']);
  if (node) checkNodeAffinity(report, `${path}.nodeAffinity`, node);
  for (const name of ['podAffinity', 'podAntiAffinity']) {
    const pods = optional(affinity[name]);
    if (pods) checkPodAffinity(report, `${path}.${name}`, pods);
  }
}

function checkNodeAffinity(report: Report, path: string, affinity: JsonObject): void {
  const required = optional(affinity[REQUIRED]);
  if (required) checkNodeSelector(report, `${path}.${REQUIRED}`, required);
  for (const [index, term] of items(affinity[PREFERRED]).entries()) {
    const at = `${path}.${PREFERRED}[${index}]`;
    checkWeight(report, at, term);
    checkNodeTerm(report, `${at}.preference`, optional(term['preference']) ?? {});
  }
}

export function checkNodeSelector(report: Report, path: string, selector: JsonObject): void {
  const terms = items(selector['nodeSelectorTerms']);
  if (terms.length === 0) report.required(`${path}.nodeSelectorTerms`, 'must have at least one node selector term');
  for (const [index, term] of terms.entries()) checkNodeTerm(report, `${path}.nodeSelectorTerms[${index}]`, term);
}

function checkWeight(report: Report, path: string, term: JsonObject): void {
  const weight = number(term['weight']);
  if (weight < 1 || weight > 100) report.invalid(`${path}.weight`, weight, 'must be in the range 1-100');
}

function checkNodeTerm(report: Report, path: string, term: JsonObject): void {
  for (const [index, requirement] of items(term['matchExpressions']).entries()) {
    checkNodeRequirement(report, `${path}.matchExpressions[${index}]`, requirement);
  }
}

function checkNodeRequirement(report: Report, path: string, requirement: JsonObject): void {
  const values = texts(requirement['values']);
  const at = `${path}.values`;
  switch (requirement['operator']) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) report.required(at, "must be specified when `operator` is 'In' or 'NotIn'");
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) report.forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) report.required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'");
      break;
    default:
      report.invalid(`${path}.operator`, text(requirement['operator']), 'not a valid selector operator');
  }
  const key = text(requirement['key']);
  report.invalidBy(`${path}.key`, key, qualifiedNameProblems(key));
  for (const [index, value] of values.entries()) report.invalidBy(`${at}[${index}]`, value, labelValueProblems(value));
}

function checkPodAffinity(report: Report, path: string, affinity: JsonObject): void {
  for (const [index, term] of items(affinity[REQUIRED]).entries()) {
    checkPodTerm(report, `${path}.${REQUIRED}[${index}]`, term);
  }
  for (const [index, term] of items(affinity[PREFERRED]).entries()) {
    const at = `${path}.${PREFERRED}[${index}]`;
    checkWeight(report, at, term);
    checkPodTerm(report, `${at}.podAffinityTerm`, optional(term['podAffinityTerm']) ?? {});
  }
}

function checkPodTerm(report: Report, path: string, term: JsonObject): void {
  if (present(term['labelSelector'])) checkSelector(report, `${path}.labelSelector`, term['labelSelector']);
  if (present(term['namespaceSelector'])) checkSelector(report, `${path}.namespaceSelector`, term['namespaceSelector']);
  for (const name of texts(term['namespaces'])) report.invalidBy(`${path}.namespace`, name, labelTexts(name));
  const key = text(term['topologyKey']);
  if (key === '') report.required(`${path}.topologyKey`, 'can not be empty');
  report.invalidBy(`${path}.topologyKey`, key, qualifiedNameProblems(key));
}

export function checkTolerations(report: Report, path: string, tolerations: readonly JsonObject[]): void {
  for (const [index, toleration] of tolerations.entries()) checkToleration(report, `${path}[${index}]`, toleration);
}

function checkToleration(report: Report, path: string, toleration: JsonObject): void {
  const { key, operator, value, effect } = toleration;
  if (text(key) !== '') report.invalidBy(`${path}.key`, text(key), qualifiedNameProblems(text(key)));
  else if (operator !== 'Exists') {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    report.invalid(`${path}.operator`, text(operator), detail);
  }
  if (present(toleration['tolerationSeconds']) && effect !== 'NoExecute')
    report.invalid(`${path}.effect`, text(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set");
  if (text(operator) === '' || operator === 'Equal') {
    const problems = labelValueProblems(text(value));
    if (problems.length > 0) report.invalid(`${path}.operator`, text(value), problems.join(';'));
  } else if (operator === 'Exists') {
    if (text(value) !== '')
      report.invalid(`${path}.operator`, text(value), "value must be empty when `operator` is 'Exists'");
  } else report.unsupported(`${path}.operator`, text(operator), ['Equal', 'Exists']);
  if (text(effect) !== '') checkEffect(report, `${path}.effect`, effect);
}

export function checkEffect(report: Report, path: string, effect: JsonValue | undefined): void {
  report.oneOf(path, effect, EFFECTS);
}

export function checkSpread(report: Report, path: string, constraints: readonly JsonObject[]): void {
  const seen = new Set<string>();
  for (const [index, constraint] of constraints.entries()) {
    const at = `${path}[${index}]`;
    const skew = number(constraint['maxSkew']);
    if (skew <= 0) report.invalid(`${at}.maxSkew`, skew, 'must be greater than zero');
    if (text(constraint['topologyKey']) === '') report.required(`${at}.topologyKey`, 'can not be empty');
    report.oneOf(`${at}.whenUnsatisfiable`, constraint['whenUnsatisfiable'], ['DoNotSchedule', 'ScheduleAnyway']);
    const id = `{${text(constraint['topologyKey'])}, ${text(constraint['whenUnsatisfiable'])}}`;
    if (seen.has(id)) report.duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, id);
    seen.add(id);
    if (present(constraint['labelSelector'])) checkSelector(report, `${at}.labelSelector`, constraint['labelSelector']);
  }
}

export function checkGates(report: Report, path: string, spec: JsonObject): void {
  for (const [index, gate] of items(spec['readinessGates']).entries()) {
    const type = text(gate['conditionType']);
    report.invalidBy(`${path}.readinessGates[${index}].conditionType`, type, qualifiedNameProblems(type));
  }
  const seen = new Set<string>();
  for (const [index, gate] of items(spec['schedulingGates']).entries()) {
    const name = text(gate['name']);
    const at = `${path}.schedulingGates[${index}]`;
    report.invalidBy(at, name, qualifiedNameProblems(name));
    if (seen.has(name)) report.duplicate(at, name);
    seen.add(name);
  }
}
