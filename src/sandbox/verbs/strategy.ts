// What a kind adds to an object before it is stored, and what it refuses: the server's strategies as far as they are here.
// Absent: most defaults and validation of built-ins (only what later reads depend on is filled in).

import { isJsonObject, type JsonObject, jsonEqual, type MutableJsonObject, setOwn } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { type CustomCheck, customCreateProblems, customUpdateProblems } from '../crd/custom-problems.ts';
import { CRD_ID } from '../crd/kind.ts';
import { changedCrd, newCrd } from '../crd/prepare.ts';
import { crdProblems, crdUpdateProblems, formatWarnings } from '../crd/validate.ts';
import { type FieldProblem, forbiddenField, invalidValue } from '../http/status-error.ts';
import { configKeyProblems } from '../meta/config-keys.ts';
import { keepNamespace, prepareNamespace } from '../namespaces/rules.ts';
import { hasStatus, type ResourceKind } from '../registry/resource-kind.ts';
import { zeroStatus } from '../typed/normalize.ts';
import { assignClusterIp } from './cluster-ip.ts';

/** Without the status that a create may not set, with what the kind adds. */
export function prepareCreate(core: Core, kind: ResourceKind, object: KubeObject): KubeObject {
  const bare = hasStatus(kind) ? withoutStatus(object) : object;
  if (kind.custom) return bare;
  switch (kind.id) {
    case 'namespaces':
      return prepareNamespace(bare);
    case CRD_ID:
      return newCrd(bare);
    case 'secrets':
      return prepareSecret(bare);
    case 'services':
      return assignClusterIp(core, withZeroStatus(kind, bare));
    case 'pods':
      return { ...bare, status: { phase: 'Pending' } };
    default:
      return hasStatus(kind) ? withZeroStatus(kind, bare) : bare;
  }
}

function withZeroStatus(kind: ResourceKind, object: KubeObject): KubeObject {
  return { ...object, status: zeroStatus(object.apiVersion, kind.kind) ?? {} };
}

function withoutStatus(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object;
  return rest as KubeObject;
}

/** The same for an update of the main resource: status stays, what the server manages stays. */
export function prepareUpdate(_core: Core, kind: ResourceKind, before: KubeObject, after: KubeObject): KubeObject {
  const withOldStatus = hasStatus(kind) ? keepStatus(before, after) : after;
  if (kind.custom) return withOldStatus;
  switch (kind.id) {
    case CRD_ID:
      return changedCrd(withOldStatus);
    case 'secrets':
      return prepareSecret(withOldStatus);
    case 'services':
      return keepClusterIp(before, withOldStatus);
    case 'namespaces':
      return keepNamespace(before, withOldStatus);
    default:
      return withOldStatus;
  }
}

function keepStatus(before: KubeObject, after: KubeObject): KubeObject {
  const bare = withoutStatus(after);
  return before['status'] === undefined ? bare : { ...bare, status: before['status'] };
}

/** A write of the status subresource: of a custom resource only status, of a built-in also what its strategy lets through. */
export function statusUpdate(kind: ResourceKind, before: KubeObject, after: KubeObject): KubeObject {
  const status = after['status'] === undefined ? {} : { status: after['status'] };
  if (kind.custom) return { ...withoutStatus(before), ...status };
  const metadata = {
    ...after.metadata,
    ...(kind.id === 'deployments.apps' ? { labels: before.metadata.labels } : {}),
    ...(kind.id === 'pods' ? { ownerReferences: before.metadata.ownerReferences } : {}),
  };
  const next = { ...withoutStatus(before), metadata, ...status } as KubeObject;
  return kind.id === CRD_ID ? changedCrd(next) : next;
}

/** Secret: stringData is laid over data, encoded, and not kept. */
function prepareSecret(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object;
  const data: MutableJsonObject = {};
  const given: JsonObject = isJsonObject(rest['data']) ? rest['data'] : {};
  for (const key of Object.keys(given)) setOwn(data, key, given[key]);
  const plain: JsonObject = isJsonObject(stringData) ? stringData : {};
  for (const key of Object.keys(plain)) setOwn(data, key, Buffer.from(String(plain[key] ?? '')).toString('base64'));
  const { data: _data, type, ...others } = rest;
  const kept = Object.keys(data).length > 0 ? { data } : {};
  return { ...others, ...kept, type: type === undefined || type === '' ? 'Opaque' : type } as unknown as KubeObject;
}

function keepClusterIp(before: KubeObject, after: KubeObject): KubeObject {
  const old: JsonObject = isJsonObject(before['spec']) ? before['spec'] : {};
  const spec: JsonObject = isJsonObject(after['spec']) ? after['spec'] : {};
  if (spec['type'] === 'ExternalName' || spec['clusterIP'] !== undefined || old['clusterIP'] === undefined)
    return after;
  return { ...after, spec: { ...spec, clusterIP: old['clusterIP'], clusterIPs: old['clusterIPs'] } };
}

/** What checks depend on besides the object. */
export type RequestCheck = Omit<CustomCheck, 'kind'>;

export function createProblems(kind: ResourceKind, object: KubeObject, check: RequestCheck): FieldProblem[] {
  if (kind.custom) return customCreateProblems({ kind, ...check }, object);
  if (kind.id === CRD_ID) {
    check.warnings.push(...formatWarnings(undefined, object));
    return crdProblems(object);
  }
  return kind.id === 'configmaps' || kind.id === 'secrets'
    ? configKeyProblems(object['data'], object['binaryData'])
    : [];
}

export function kindUpdateProblems(
  kind: ResourceKind,
  before: KubeObject,
  after: KubeObject,
  check: RequestCheck,
): FieldProblem[] {
  if (kind.custom) return customUpdateProblems({ kind, ...check }, before, after);
  if (check.subresource) return [];
  if (kind.id === CRD_ID) {
    check.warnings.push(...formatWarnings(before, after));
    return crdUpdateProblems(before, after);
  }
  if (kind.id !== 'configmaps' && kind.id !== 'secrets') return [];
  const problems = [...immutableProblems(before, after), ...configKeyProblems(after['data'], after['binaryData'])];
  if (kind.id === 'secrets' && before['type'] !== after['type']) {
    problems.push(invalidValue('type', after['type'], 'field is immutable'));
  }
  return problems;
}

function immutableProblems(before: KubeObject, after: KubeObject): FieldProblem[] {
  if (before['immutable'] !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const fields = ['immutable', 'data', 'binaryData'];
  return fields
    .filter((field) => !jsonEqual(before[field], after[field]))
    .map((field) => forbiddenField(field, detail));
}
