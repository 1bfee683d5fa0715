// PodDisruptionBudget, PriorityClass, Lease, Node.

import { type JsonObject, jsonEqual } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { labelValueProblems, qualifiedNameProblems } from '../../meta/names.ts';
import { goStruct } from '../go-struct.ts';
import { checkSelector } from '../names.ts';
import { checkEffect } from '../pods/scheduling.ts';
import { fields, IMMUTABLE, items, number, present, type Report, text, texts } from '../report.ts';
import type { KindRules } from '../rules.ts';
import { checkAtMostAll, checkNumberOrPercent } from '../workloads/scaling-values.ts';

const HIGHEST_PRIORITY = 1_000_000_000;

export const BUDGET: KindRules = {
  check: (report, object) => {
    const spec = fields(object['spec']);
    const both = 'minAvailable and maxUnavailable cannot be both set';
    if (present(spec['minAvailable']) && present(spec['maxUnavailable']))
      report.invalid('spec', goStruct('policy.PodDisruptionBudgetSpec', spec), both);
    for (const name of ['minAvailable', 'maxUnavailable']) {
      if (!present(spec[name])) continue;
      checkNumberOrPercent(report, `spec.${name}`, spec[name]);
      checkAtMostAll(report, `spec.${name}`, spec[name]);
    }
    checkSelector(report, 'spec.selector', spec['selector']);
    const policy = spec['unhealthyPodEvictionPolicy'];
    if (present(policy)) report.oneOf('spec.unhealthyPodEvictionPolicy', policy, ['AlwaysAllow', 'IfHealthyBudget']);
  },
};

export const PRIORITY_CLASS: KindRules = {
  check: (report, object) => {
    const { name = '' } = object.metadata;
    if (name.startsWith('system-')) {
      const why = "priority class names with 'system-' prefix are reserved for system use only.";
      report.forbidden('metadata.name', `${why} error: ${name} is not a known system priority class`);
    } else if (number(object['value']) > HIGHEST_PRIORITY) {
      const detail = `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`;
      report.forbidden('value', detail);
    }
    report.oneOf('preemptionPolicy', object['preemptionPolicy'], ['PreemptLowerPriority', 'Never']);
  },
  checkUpdate: (report, before, after) => {
    if (number(before['value']) !== number(after['value']))
      report.forbidden('value', 'may not be changed in an update.');
    if (before['preemptionPolicy'] !== after['preemptionPolicy'])
      report.invalid('preemptionPolicy', after['preemptionPolicy'], IMMUTABLE);
  },
};

export const LEASE: KindRules = {
  check: (report, object) => {
    const spec = fields(object['spec']);
    const { leaseDurationSeconds, leaseTransitions } = spec;
    if (present(leaseDurationSeconds) && number(leaseDurationSeconds) <= 0)
      report.invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0');
    report.notNegative('spec.leaseTransitions', leaseTransitions);
  },
};

function checkNode(report: Report, object: KubeObject): void {
  const seen = new Set<string>();
  for (const [index, taint] of items(fields(object['spec'])['taints']).entries()) {
    const path = `metadata.taints[${index}]`;
    checkTaint(report, path, taint);
    const id = `${text(taint['key'])}/${text(taint['effect'])}`;
    if (seen.has(id)) {
      const shown = JSON.stringify(goStruct('core.Taint', taint));
      const message = `Duplicate value: ${shown}: taints must be unique by key and effect pair`;
      report.add(path, 'FieldValueDuplicate', message);
    }
    seen.add(id);
  }
}

function checkTaint(report: Report, path: string, taint: JsonObject): void {
  const [key, value, effect] = [text(taint['key']), text(taint['value']), text(taint['effect'])];
  report.invalidBy(`${path}.key`, key, qualifiedNameProblems(key));
  if (value !== '') report.invalidBy(`${path}.value`, value, labelValueProblems(value));
  if (effect === '') report.required(`${path}.effect`);
  else checkEffect(report, `${path}.effect`, effect);
}

/** A single range of pods' addresses is kept in both of its fields. */
function withRanges(object: KubeObject): KubeObject {
  const spec = fields(object['spec']);
  const range = text(spec['podCIDR']);
  if (range === '' || texts(spec['podCIDRs']).length > 0) return object;
  return { ...object, spec: { ...spec, podCIDRs: [range] } };
}

export const NODE: KindRules = {
  keepsStatus: true,
  create: (_core, object) => withRanges(object),
  update: (_core, _before, object) => withRanges(object),
  check: checkNode,
  checkUpdate: (report, before, after) => {
    checkNode(report, after);
    const [old, now] = [texts(fields(before['spec'])['podCIDRs']), texts(fields(after['spec'])['podCIDRs'])];
    if (old.length > 0 && !jsonEqual(old, now))
      report.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  },
};
