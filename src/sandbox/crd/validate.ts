// Validation of CustomResourceDefinitions, in the server's order and words.

import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { type FieldProblem, invalidValue, required, unknownFormats, unsupportedValue } from '../../schema/index.ts';
import { dns1035Problems, subdomainProblems } from '../meta/names.ts';
import { conversionProblems } from './conversion-problems.ts';
import { isEstablished, listAt, objectAt, textAt } from './kind.ts';
import { compileRules } from './rules.ts';
import { deprecationProblems, versionPartProblems } from './version-problems.ts';
import { internalVersions } from './versions.ts';

const APPROVAL = 'api-approved.kubernetes.io';

export function crdProblems(object: KubeObject): FieldProblem[] {
  const spec = objectAt(object['spec']);
  const { name = '' } = object.metadata;
  const problems: FieldProblem[] = [];
  if (name !== '' && name !== `${textAt(objectAt(spec['names'])['plural'])}.${textAt(spec['group'])}`) {
    problems.push(invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  }
  return [...problems, ...specProblems(spec), ...lateProblems(object, undefined)];
}

/** What an update may not be; metadata has been looked at. */
export function crdUpdateProblems(before: KubeObject, after: KubeObject): FieldProblem[] {
  const old = objectAt(before['spec']);
  const now = objectAt(after['spec']);
  const problems = specProblems(now);
  const immutable = (field: string, a: JsonValue | undefined, b: JsonValue | undefined): void => {
    if (!jsonEqual(a, b)) problems.push(invalidValue(field, b ?? null, 'field is immutable'));
  };
  const [oldNames, names] = [objectAt(old['names']), objectAt(now['names'])];
  if (isEstablished(before)) {
    immutable('spec.scope', old['scope'], now['scope']);
    immutable('spec.names.kind', oldNames['kind'], names['kind']);
  }
  immutable('spec.group', old['group'], now['group']);
  immutable('spec.names.plural', oldNames['plural'], names['plural']);
  return [...problems, ...lateProblems(after, before)];
}

/** Formats that nobody checks: the server tells of those that were not there before. */
export function formatWarnings(before: KubeObject | undefined, after: KubeObject): string[] {
  const known = new Set(before ? formatsOf(before) : []);
  return formatsOf(after)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function formatsOf(crd: KubeObject): string[] {
  const { versions, shared } = internalVersions(objectAt(crd['spec']));
  const own = shared.has('schema') ? versions.slice(0, 1) : versions;
  return own.flatMap((version) => {
    const schema = objectAt(version['schema'])['openAPIV3Schema'];
    return isJsonObject(schema) ? unknownFormats(schema) : [];
  });
}

function lateProblems(object: KubeObject, before: KubeObject | undefined): FieldProblem[] {
  const preserves = objectAt(object['spec'])['preserveUnknownFields'] === true;
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [
    ...storedVersionProblems(object),
    ...approvalProblems(object, before),
    ...(preserves ? [invalidValue('spec.preserveUnknownFields', true, detail)] : []),
  ];
}

function specProblems(spec: JsonObject): FieldProblem[] {
  return [
    ...groupProblems(textAt(spec['group'])),
    ...scopeProblems(textAt(spec['scope'])),
    ...versionProblems(spec),
    ...namesProblems(objectAt(spec['names'])),
    ...sharedProblems(spec),
    ...conversionProblems(spec['conversion']),
  ];
}

function groupProblems(group: string): FieldProblem[] {
  const field = 'spec.group';
  if (group === '') return [required(field)];
  const texts = subdomainProblems(group);
  if (texts.length > 0) return [invalidValue(field, group, texts.join(','))];
  return group.includes('.') ? [] : [invalidValue(field, group, 'should be a domain with at least one dot')];
}

function scopeProblems(scope: string): FieldProblem[] {
  if (scope === '') return [required('spec.scope')];
  return scope === 'Namespaced' || scope === 'Cluster'
    ? []
    : [unsupportedValue('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

function versionProblems(spec: JsonObject): FieldProblem[] {
  const { versions, shared, shown } = internalVersions(spec);
  const problems: FieldProblem[] = [];
  versions.forEach((version, index) => {
    if (isJsonObject(objectAt(version['schema'])['openAPIV3Schema'])) return;
    problems.push(required(`spec.versions[${index}].schema.openAPIV3Schema`));
  });
  versions.forEach((version, index) => {
    const path = `spec.versions[${index}]`;
    const name = textAt(version['name']);
    const texts = dns1035Problems(name);
    if (texts.length > 0) problems.push(invalidValue(`${path}.name`, name, texts.join(',')));
    problems.push(...deprecationProblems(version, path));
    const has = (field: Parameters<typeof shared.has>[0]): boolean => !shared.has(field);
    problems.push(...versionPartProblems({ version, path, schemaName: 'schema', has, compileRules }));
  });
  const names = versions.map((version) => textAt(version['name']));
  if (new Set(names).size !== names.length) {
    problems.push(invalidValue('spec.versions', shown, 'must contain unique version names'));
  }
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    problems.push(invalidValue('spec.versions', shown, 'must have exactly one version marked as storage version'));
  }
  const [first] = names;
  const texts = first ? dns1035Problems(first) : [];
  if (texts.length > 0) problems.push(invalidValue('spec.version', first, texts.join(',')));
  return problems;
}

/** What all versions have alike. */
function sharedProblems(spec: JsonObject): FieldProblem[] {
  const { versions, shared } = internalVersions(spec);
  const version = versions[0] ?? {};
  const has = (field: Parameters<typeof shared.has>[0]): boolean => shared.has(field);
  return versionPartProblems({ version, path: 'spec', schemaName: 'validation', has, compileRules });
}

const NAMES = ['plural', 'singular', 'kind', 'listKind'];

function namesProblems(names: JsonObject): FieldProblem[] {
  const problems = NAMES.filter((field) => textAt(names[field]) === '').map((field) => required(`spec.names.${field}`));
  const check = (field: string, name: string, isKind = false): void => {
    const texts = name === '' && !field.includes('[') ? [] : dns1035Problems(isKind ? name.toLowerCase() : name);
    const prefix = isKind ? 'may have mixed case, but should otherwise match: ' : '';
    if (texts.length > 0) problems.push(invalidValue(`spec.names.${field}`, name, `${prefix}${texts.join(',')}`));
  };
  for (const field of NAMES) check(field, textAt(names[field]), field === 'kind' || field === 'listKind');
  listAt(names['shortNames']).forEach((name, index) => {
    check(`shortNames[${index}]`, textAt(name));
  });
  const { kind, listKind } = names;
  if (kind && kind === listKind) {
    problems.push(invalidValue('spec.names.listKind', listKind, 'kind and listKind may not be the same'));
  }
  listAt(names['categories']).forEach((name, index) => {
    check(`categories[${index}]`, textAt(name));
  });
  return problems;
}

function storedVersionProblems(object: KubeObject): FieldProblem[] {
  const field = 'status.storedVersions';
  const stored = listAt(objectAt(object['status'])['storedVersions']).map(textAt);
  if (stored.length === 0) return [invalidValue(field, null, 'must have at least one stored version')];
  const versions = listAt(objectAt(object['spec'])['versions']).map(objectAt);
  const problems = versions
    .filter((version) => version['storage'] === true && !stored.includes(textAt(version['name'])))
    .map((version) => invalidValue(field, stored, `must have the storage version ${textAt(version['name'])}`));
  const names = versions.map((version) => textAt(version['name']));
  stored.forEach((name, index) => {
    if (names.includes(name)) return;
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    problems.push(invalidValue(`${field}[${index}]`, name, why));
  });
  return problems;
}

/** Groups of the Kubernetes community: nobody should make definitions there by mistake. */
function approvalProblems(object: KubeObject, before: KubeObject | undefined): FieldProblem[] {
  if (!/(^|\.)(k8s\.io|kubernetes\.io)$/.test(textAt(objectAt(object['spec'])['group']))) return [];
  const problem = approvalProblem(object.metadata.annotations?.[APPROVAL] ?? '');
  if (!problem) return [];
  const old = before && approvalProblem(before.metadata.annotations?.[APPROVAL] ?? '');
  return old?.reason === problem.reason ? [] : [problem];
}

function approvalProblem(annotation: string): FieldProblem | undefined {
  const field = `metadata.annotations[${APPROVAL}]`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  const must = `protected groups must have approval annotation "${APPROVAL}"`;
  if (annotation === '') return required(field, `${must}, ${see}`);
  if (annotation.startsWith('unapproved') || /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]+/.test(annotation)) return undefined;
  const detail = `${must} with either a URL or a reason starting with "unapproved", ${see}`;
  return invalidValue(field, annotation, detail);
}
