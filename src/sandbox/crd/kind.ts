// A CustomResourceDefinition → the ResourceKind that it makes the server serve.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { compareVersions } from '../registry/registry.ts';
import type { PrinterColumn, ResourceKind, ScalePaths, ServedVersion } from '../registry/resource-kind.ts';

export const CRD_ID = 'customresourcedefinitions.apiextensions.k8s.io';

export const objectAt = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
export const textAt = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
export const listAt = (value: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(value) ? value : []);
const textsAt = (value: JsonValue | undefined): string[] => listAt(value).filter((v) => typeof v === 'string');

/** Its names were accepted and it is served. */
export function isEstablished(crd: KubeObject): boolean {
  const conditions = listAt(objectAt(crd['status'])['conditions']).map(objectAt);
  return conditions.some((condition) => condition['type'] === 'Established' && condition['status'] === 'True');
}

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

export function kindOfCrd(crd: KubeObject): ResourceKind {
  const spec = objectAt(crd['spec']);
  const names = objectAt(spec['names']);
  const group = textAt(spec['group']);
  const resource = textAt(names['plural']);
  const versions = listAt(spec['versions']).map(objectAt);
  const storage = versions.find((version) => version['storage'] === true);
  const storageSchema = schemaAt(storage);
  const served = versions
    .filter((version) => version['served'] === true)
    .map((version) => servedVersion(version, storageSchema, { group, kind: textAt(names['kind']), versions }));
  return {
    id: `${resource}.${group}`,
    group,
    resource,
    kind: textAt(names['kind']),
    listKind: textAt(names['listKind']),
    singular: textAt(names['singular']),
    namespaced: spec['scope'] === 'Namespaced',
    shortNames: textsAt(names['shortNames']),
    categories: textsAt(names['categories']),
    verbs: VERBS,
    versions: served.sort((a, b) => compareVersions(a.name, b.name)),
    storageVersion: textAt(storage?.['name']),
    ...(storageSchema ? { storageSchema } : {}),
    custom: true,
    selectableFields: selectableFields(versions),
  };
}

function schemaAt(version: JsonObject | undefined): JsonObject | undefined {
  const schema = objectAt(version?.['schema'])['openAPIV3Schema'];
  return isJsonObject(schema) ? schema : undefined;
}

interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly JsonObject[];
}

function servedVersion(version: JsonObject, storageSchema: JsonObject | undefined, of: Definition): ServedVersion {
  const subresources = objectAt(version['subresources']);
  const scale = subresources['scale'];
  const schema = schemaAt(version);
  const columns = listAt(version['additionalPrinterColumns']);
  return {
    name: textAt(version['name']),
    status: subresources['status'] !== undefined && subresources['status'] !== null,
    ...(isJsonObject(scale) ? { scale: scalePaths(scale) } : {}),
    ...(columns.length > 0 ? { columns: columns.filter(isJsonObject) as unknown as PrinterColumn[] } : {}),
    ...(schema ? { schema } : {}),
    ...(schema && !jsonEqual(schema, storageSchema) ? { differs: true } : {}),
    ...(version['deprecated'] === true ? { deprecation: deprecationOf(version, of) } : {}),
  };
}

function deprecationOf(version: JsonObject, { group, kind, versions }: Definition): string {
  const given = version['deprecationWarning'];
  if (typeof given === 'string') return given;
  const name = textAt(version['name']);
  const others = versions.filter((other) => other['served'] === true && other['deprecated'] !== true);
  const [better] = others
    .map((other) => textAt(other['name']))
    .filter((other) => compareVersions(other, name) < 0)
    .sort(compareVersions);
  return `${group}/${name} ${kind} is deprecated${better === undefined ? '' : `; use ${group}/${better} ${kind}`}`;
}

const dotted = (value: JsonValue | undefined): string[] =>
  textAt(value)
    .split('.')
    .filter((part) => part !== '');

function scalePaths(scale: JsonObject): ScalePaths {
  const selector = dotted(scale['labelSelectorPath']);
  return {
    spec: dotted(scale['specReplicasPath']),
    status: dotted(scale['statusReplicasPath']),
    custom: true,
    ...(selector.length > 0 ? { selector } : {}),
  };
}

function selectableFields(versions: readonly JsonObject[]): string[] {
  const fields = versions.flatMap((version) => listAt(version['selectableFields']).map(objectAt));
  return [...new Set(fields.map((field) => dotted(field['jsonPath']).join('.')))];
}
