// Environment variables and what they refer to.

import type { JsonObject } from '../../../kit/json.ts';
import { configKeyTexts } from '../../meta/config-keys.ts';
import { qualifiedNameProblems, subdomainProblems } from '../../meta/names.ts';
import { items, optional, present, type Report, text } from '../report.ts';

const NAME_PROBLEM = "a valid environment variable name must consist only of printable ASCII characters other than '='";
const VARIABLE_SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const VARIABLE_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** Fields that can be named at all; of these only some can be a variable. */
const KNOWN_FIELDS = new Set([
  ...VARIABLE_FIELDS,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
  'status.nominatedNodeName',
  'spec.hostUsers',
]);
const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const MAP_KEY = /^(metadata\.(?:annotations|labels))\['(.*)'\]$/;

const isVariableName = (name: string): boolean => /^[ -<>-~]+$/.test(name);

export function checkEnvironment(report: Report, path: string, container: JsonObject): void {
  for (const [index, variable] of items(container['env']).entries()) {
    const at = `${path}.env[${index}]`;
    const name = text(variable['name']);
    if (name === '') report.required(`${at}.name`);
    else if (!isVariableName(name)) report.invalid(`${at}.name`, name, NAME_PROBLEM);
    const source = optional(variable['valueFrom']);
    if (source) checkSource(report, `${at}.valueFrom`, variable, source);
  }
  for (const [index, source] of items(container['envFrom']).entries()) {
    checkBulkSource(report, `${path}.envFrom`, index, source);
  }
}

function checkSource(report: Report, path: string, variable: JsonObject, source: JsonObject): void {
  const given = VARIABLE_SOURCES.filter((name) => present(source[name]));
  const field = optional(source['fieldRef']);
  if (field) checkFieldRef(report, `${path}.fieldRef`, field, VARIABLE_FIELDS);
  const resource = optional(source['resourceFieldRef']);
  if (resource) checkResourceRef(report, `${path}.resourceFieldRef`, resource);
  for (const name of ['configMapKeyRef', 'secretKeyRef']) {
    const reference = optional(source[name]);
    if (reference) checkKeyRef(report, `${path}.${name}`, reference);
  }
  if (given.length === 0) {
    const list = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    report.invalid(path, '', `must specify one of: ${list}`);
  } else if (text(variable['value']) !== '') {
    report.invalid(path, '', 'may not be specified when `value` is not empty');
  } else if (given.length > 1) report.invalid(path, '', 'may not have more than one field specified at a time');
}

function checkKeyRef(report: Report, path: string, reference: JsonObject): void {
  const name = text(reference['name']);
  report.invalidBy(`${path}.name`, name, subdomainProblems(name));
  const key = text(reference['key']);
  if (key === '') report.required(`${path}.key`);
  else report.invalidBy(`${path}.key`, key, configKeyTexts(key));
}

export function checkFieldRef(report: Report, path: string, reference: JsonObject, allowed: readonly string[]): void {
  const field = text(reference['fieldPath']);
  const version = text(reference['apiVersion']);
  if (version === '') {
    report.required(`${path}.apiVersion`);
    return;
  }
  if (field === '') {
    report.required(`${path}.fieldPath`);
    return;
  }
  const [, map, key = ''] = MAP_KEY.exec(field) ?? [];
  if (map !== undefined) {
    const problems = qualifiedNameProblems(map === 'metadata.annotations' ? key.toLowerCase() : key);
    report.invalidBy(path, key, problems);
    return;
  }
  const at = `${path}.fieldPath`;
  if (version !== 'v1') {
    report.invalid(at, field, `error converting fieldPath: unsupported pod version: ${version}`);
    return;
  }
  if (!KNOWN_FIELDS.has(field)) {
    report.invalid(at, field, `error converting fieldPath: field label not supported: ${field}`);
    return;
  }
  if (!allowed.includes(field)) report.unsupported(at, field, allowed);
}

export function checkResourceRef(report: Report, path: string, reference: JsonObject, inVolume = false): void {
  const resource = text(reference['resource']);
  if (inVolume && text(reference['containerName']) === '') {
    report.required(`${path}.containerName`);
    return;
  }
  if (resource === '') {
    report.required(`${path}.resource`);
    return;
  }
  if (RESOURCES.includes(resource) || /^(limits|requests)\.hugepages-/.test(resource)) {
    const divisor = text(reference['divisor']);
    const [good, words] = divisorsOf(resource);
    if (divisor !== '' && divisor !== '0' && !good.test(divisor))
      report.invalid(
        `${path}.divisor`,
        divisor,
        `only divisor's values ${words} are supported with the ${kindOfResource(resource)} resource`,
      );
    return;
  }
  report.unsupported(`${path}.resource`, resource, RESOURCES);
}

const kindOfResource = (resource: string): string => resource.split('.')[1] ?? '';

function divisorsOf(resource: string): [RegExp, string] {
  if (resource.endsWith('.cpu')) return [/^1m?$/, '1m and 1'];
  return [/^1([kMGTPE]|[KMGTPE]i)?$/, '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei'];
}

function checkBulkSource(report: Report, list: string, index: number, source: JsonObject): void {
  const path = `${list}[${index}]`;
  const prefix = text(source['prefix']);
  if (prefix !== '' && !isVariableName(prefix)) report.invalid(`${path}.prefix`, prefix, NAME_PROBLEM);
  const given = ['configMapRef', 'secretRef'].filter((name) => present(source[name]));
  for (const name of given) {
    if (text(optional(source[name])?.['name']) === '') report.required(`${path}.${name}.name`);
  }
  if (given.length === 0) report.invalid(list, '', 'must specify one of: `configMapRef` or `secretRef`');
  else if (given.length > 1) report.invalid(list, '', 'may not have more than one field specified at a time');
}
