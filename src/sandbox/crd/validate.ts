// Validation of CustomResourceDefinitions: names, versions, scope, the root of the schema. Not checked: the rest of a
// schema's structure, names that two CRDs both claim.

import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { type FieldProblem, invalidValue, required, unsupportedValue } from '../http/status-error.ts';
import { subdomainProblems } from '../meta/names.ts';
import { listAt, objectAt, textAt } from './kind.ts';
import { storageVersionOf } from './prepare.ts';

const DNS_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const DNS_1035_PROBLEM =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const APPROVAL = 'api-approved.kubernetes.io';

export function crdProblems(object: KubeObject): FieldProblem[] {
  const spec = objectAt(object['spec']);
  const names = objectAt(spec['names']);
  const name = object.metadata.name ?? '';
  const problems: FieldProblem[] = [];
  if (name !== `${textAt(names['plural'])}.${textAt(spec['group'])}`) {
    problems.push(invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  }
  problems.push(...groupProblems(object, textAt(spec['group'])), ...scopeProblems(spec));
  const schemas = versionProblems(spec);
  problems.push(...schemas, ...namesProblems(names));
  if (storageVersionOf(spec) === '') {
    problems.push(invalidValue('status.storedVersions', null, 'must have at least one stored version'));
  }
  return problems;
}

function groupProblems(object: KubeObject, group: string): FieldProblem[] {
  const field = 'spec.group';
  if (group === '') return [required(field)];
  const problems = subdomainProblems(group).map((text) => invalidValue(field, group, text));
  if (!group.includes('.')) problems.push(invalidValue(field, group, 'should be a domain with at least one dot'));
  const isProtected = /(^|\.)(k8s\.io|kubernetes\.io)$/.test(group);
  if (isProtected && !object.metadata.annotations?.[APPROVAL]) {
    const why = `protected groups must have approval annotation "${APPROVAL}", see https://github.com/kubernetes/enhancements/pull/1111`;
    problems.push(required(`metadata.annotations[${APPROVAL}]`, why));
  }
  return problems;
}

function scopeProblems(spec: JsonObject): FieldProblem[] {
  const scope = textAt(spec['scope']);
  if (scope === '') return [required('spec.scope')];
  return scope === 'Namespaced' || scope === 'Cluster'
    ? []
    : [unsupportedValue('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

function versionProblems(spec: JsonObject): FieldProblem[] {
  const versions = listAt(spec['versions']).map(objectAt);
  const problems: FieldProblem[] = [];
  versions.forEach((version, index) => {
    const schema = objectAt(version['schema'])['openAPIV3Schema'];
    const field =
      versions.length === 1 ? 'spec.validation.openAPIV3Schema' : `spec.versions[${index}].schema.openAPIV3Schema`;
    if (!isJsonObject(schema)) problems.push(required(`spec.versions[${index}].schema.openAPIV3Schema`));
    else if (schema['type'] === undefined) problems.push(required(`${field}.type`, 'must not be empty at the root'));
    else if (schema['type'] !== 'object')
      problems.push(invalidValue(`${field}.type`, schema['type'], 'must be object at the root'));
  });
  if (problems.length > 0) return problems;
  const shown = spec['versions'] === undefined || spec['versions'] === null ? null : versions.map(goVersion);
  const names = versions.map((version) => textAt(version['name']));
  if (new Set(names).size !== names.length)
    problems.push(invalidValue('spec.versions', shown, 'must contain unique version names'));
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    problems.push(invalidValue('spec.versions', shown, 'must have exactly one version marked as storage version'));
  }
  return problems;
}

/** How the server prints a version of its internal type. */
function goVersion(version: JsonObject): JsonObject {
  return {
    Name: version['name'] ?? '',
    Served: version['served'] ?? false,
    Storage: version['storage'] ?? false,
    Deprecated: version['deprecated'] ?? false,
    DeprecationWarning: version['deprecationWarning'] ?? null,
    Schema: null,
    Subresources: version['subresources'] ?? null,
    AdditionalPrinterColumns: version['additionalPrinterColumns'] ?? null,
    SelectableFields: version['selectableFields'] ?? null,
  };
}

function namesProblems(names: JsonObject): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const field of ['plural', 'singular', 'kind', 'listKind']) {
    const value = textAt(names[field]);
    if (value === '') problems.push(required(`spec.names.${field}`));
    else if (!DNS_1035.test(field === 'plural' || field === 'singular' ? value : value.toLowerCase())) {
      problems.push(invalidValue(`spec.names.${field}`, value, DNS_1035_PROBLEM));
    }
  }
  const { kind, listKind } = names;
  if (kind && kind === listKind)
    problems.push(invalidValue('spec.names.listKind', listKind, 'kind and listKind may not be the same'));
  return problems;
}

/** What an update of an established CRD must not change. */
export function crdUpdateProblems(before: KubeObject, after: KubeObject): FieldProblem[] {
  const old = objectAt(before['spec']);
  const now = objectAt(after['spec']);
  const problems: FieldProblem[] = [];
  const immutable = (field: string, a: JsonValue | undefined, b: JsonValue | undefined): void => {
    if (!jsonEqual(a, b)) problems.push(invalidValue(field, b ?? null, 'field is immutable'));
  };
  immutable('spec.group', old['group'], now['group']);
  immutable('spec.scope', old['scope'], now['scope']);
  immutable('spec.names.kind', objectAt(old['names'])['kind'], objectAt(now['names'])['kind']);
  immutable('spec.names.plural', objectAt(old['names'])['plural'], objectAt(now['names'])['plural']);
  const names = listAt(now['versions']).map((version) => objectAt(version)['name']);
  listAt(objectAt(before['status'])['storedVersions']).forEach((stored, index) => {
    if (names.includes(stored)) return;
    const why = `missing from spec.versions; ${stored} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${stored} and removes ${stored} from status.storedVersions`;
    problems.push(invalidValue(`status.storedVersions[${index}]`, stored, why));
  });
  return problems;
}
