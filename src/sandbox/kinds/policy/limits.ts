// ResourceQuota and LimitRange.

import type { JsonObject, JsonValue } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { qualifiedNameProblems } from '../../meta/names.ts';
import { nanosOf } from '../../typed/quantity.ts';
import { checkAmount, checkContainerResourceName, checkResourceName } from '../pods/resources.ts';
import { fields, IMMUTABLE, items, keysOf, type Report, text, texts } from '../report.ts';
import type { KindRules } from '../rules.ts';

const SCOPES = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
];
const QUOTA_NAME =
  /^(count\/|requests\.|limits\.)|^(cpu|memory|ephemeral-storage|pods|services|secrets|configmaps|resourcequotas|replicationcontrollers|persistentvolumeclaims|services\.nodeports|services\.loadbalancers|storage)$|^hugepages-/;
const OF_PODS = /^(cpu|memory|ephemeral-storage|(requests|limits)\.(cpu|memory|ephemeral-storage))$/;
const PAIRS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];
const NANO = 1_000_000_000n;

function checkQuota(report: Report, object: KubeObject): void {
  const spec = fields(object['spec']);
  const hard = fields(spec['hard']);
  for (const name of keysOf(hard)) {
    const path = `spec.hard[${name}]`;
    checkResourceName(report, path, name);
    if (!name.includes('/') && !QUOTA_NAME.test(name))
      report.invalid(path, name, 'must be a standard resource for quota');
    checkAmount(report, path, name, hard[name]);
  }
  checkScopes(report, texts(spec['scopes']), keysOf(hard));
}

function checkScopes(report: Report, scopes: readonly string[], names: readonly string[]): void {
  for (const scope of scopes) {
    if (!SCOPES.includes(scope)) report.invalid('spec.scopes', scopes, 'unsupported scope');
    for (const name of names) {
      if (QUOTA_NAME.test(name) && !name.includes('/') && !scopeFits(scope, name))
        report.invalid('spec.scopes', scopes, 'unsupported scope applied to resource');
    }
  }
  for (const pair of PAIRS)
    if (pair.every((scope) => scopes.includes(scope))) report.invalid('spec.scopes', scopes, 'conflicting scopes');
}

function scopeFits(scope: string, name: string): boolean {
  if (scope === 'BestEffort') return name === 'pods';
  if (!SCOPES.includes(scope)) return true;
  return name === 'pods' || OF_PODS.test(name);
}

export const QUOTA: KindRules = {
  check: checkQuota,
  checkUpdate: (report, before, after) => {
    checkQuota(report, after);
    const scopes = (object: KubeObject): string => [...new Set(texts(fields(object['spec'])['scopes']))].sort().join();
    if (scopes(before) !== scopes(after))
      report.invalid('spec.scopes', texts(fields(after['spec'])['scopes']), IMMUTABLE);
  },
};

function checkRange(report: Report, object: KubeObject): void {
  const seen = new Set<string>();
  for (const [index, limit] of items(fields(object['spec'])['limits']).entries()) {
    const path = `spec.limits[${index}]`;
    const type = text(limit['type']);
    const problems = qualifiedNameProblems(type);
    report.invalidBy(`${path}.type`, type, problems);
    if (problems.length === 0 && !type.includes('/') && !/^(Pod|Container|PersistentVolumeClaim)$/.test(type))
      report.invalid(`${path}.type`, type, 'must be a standard limit type or fully qualified');
    if (seen.has(type)) report.duplicate(`${path}.type`, type);
    seen.add(type);
    checkLimit(report, path, limit, type);
  }
}

function checkLimit(report: Report, path: string, limit: JsonObject, type: string): void {
  const names = new Set<string>();
  const check = (list: string): void => {
    for (const name of keysOf(limit[list])) {
      const at = `${path}.${list}[${name}]`;
      if (type === 'Pod' || type === 'Container') checkContainerResourceName(report, at, name);
      else checkResourceName(report, at, name);
      names.add(name);
    }
  };
  check('max');
  check('min');
  for (const list of ['default', 'defaultRequest']) {
    if (type !== 'Pod') check(list);
    else if (keysOf(limit[list]).length > 0)
      report.forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'");
  }
  const storage = ['min', 'max'].some((list) => fields(limit[list])['storage'] !== undefined);
  if (type === 'PersistentVolumeClaim' && !storage) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    report.required(`${path}.limits`, detail);
  }
  check('maxLimitRequestRatio');
  for (const name of names) checkBounds(report, path, name, type === 'Pod' ? withoutDefaults(limit) : limit);
}

const withoutDefaults = ({ default: _a, defaultRequest: _b, ...rest }: JsonObject): JsonObject => rest;

/** Which amount must not be above which, which of them is at fault, and how they are called. */
const ORDER = [
  ['min', 'max', 'min', 'min value', 'max value'],
  ['min', 'defaultRequest', 'defaultRequest', 'min value', 'default request value'],
  ['defaultRequest', 'max', 'defaultRequest', 'default request value', 'max value'],
  ['defaultRequest', 'default', 'defaultRequest', 'default request value', 'default limit value'],
] as const;

function checkBounds(report: Report, path: string, name: string, limit: JsonObject): void {
  const amount = (list: string): JsonValue | undefined => fields(limit[list])[name];
  const above = (low: string, high: string): boolean =>
    amount(low) !== undefined && amount(high) !== undefined && nanosOf(amount(low)) > nanosOf(amount(high));
  for (const [low, high, at, lowWord, highWord] of ORDER) {
    if (!above(low, high)) continue;
    const detail = `${lowWord} ${text(amount(low))} is greater than ${highWord} ${text(amount(high))}`;
    report.invalid(`${path}.${at}[${name}]`, amount(at), detail);
  }
  // Here the server shows the bound, not the default that breaks it.
  if (above('min', 'default')) {
    const detail = `min value ${text(amount('min'))} is greater than default value ${text(amount('default'))}`;
    report.invalid(`${path}.default[${name}]`, amount('min'), detail);
  }
  if (above('default', 'max')) {
    const detail = `default value ${text(amount('default'))} is greater than max value ${text(amount('max'))}`;
    report.invalid(`${path}.default[${name}]`, amount('max'), detail);
  }
  const ratio = amount('maxLimitRequestRatio');
  if (ratio !== undefined && nanosOf(ratio) < NANO)
    report.invalid(`${path}.maxLimitRequestRatio[${name}]`, ratio, `ratio ${text(ratio)} is less than 1`);
}

export const LIMIT_RANGE: KindRules = { check: checkRange };
