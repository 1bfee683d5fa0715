// The scale subresource: a small autoscaling/v1 object over a workload's replica fields.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { invalid, invalidValue, StatusError } from '../http/status-error.ts';
import type { ScalePaths } from '../registry/resource-kind.ts';

function at(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((v, key) => (isJsonObject(v) ? v[key] : undefined), value);
}

export function scaleOf(object: KubeObject, paths: ScalePaths): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = at(object, paths.spec);
  const selector = paths.selector ? selectorText(at(object, paths.selector)) : '';
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: { replicas: at(object, paths.status) ?? 0, ...(selector === '' ? {} : { selector }) },
  } as unknown as KubeObject;
}

/** A read of a custom resource's Scale before its replicas have been set. */
export function checkReplicas(object: KubeObject, paths: ScalePaths): void {
  const replicas = at(object, paths.spec);
  if (!paths.custom || (replicas !== undefined && replicas !== null)) return;
  const message = `the spec replicas field ".${paths.spec.join('.')}" does not exist`;
  const details = { causes: [{ message }] };
  throw new StatusError(500, `Internal error occurred: ${message}`, { reason: 'InternalError', details });
}

/** A selector as text: CRDs keep text, built-ins a map or a LabelSelector. */
function selectorText(selector: JsonValue | undefined): string {
  if (typeof selector === 'string') return selector;
  if (!isJsonObject(selector)) return '';
  const labels = isJsonObject(selector['matchLabels']) ? selector['matchLabels'] : {};
  const terms = Object.keys(labels)
    .sort()
    .map((key) => `${key}=${labels[key]}`);
  const expressions = isJsonArray(selector['matchExpressions']) ? selector['matchExpressions'] : [];
  return [...terms, ...expressions.filter(isJsonObject).map(expressionText)].join(',');
}

function expressionText(expression: JsonObject): string {
  const { key, operator, values } = expression;
  if (operator === 'Exists') return String(key);
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${String(operator).toLowerCase()} (${isJsonArray(values) ? values.join(',') : ''})`;
}

/** The object with the replicas that a Scale asks for. */
export function withScale(object: KubeObject, paths: ScalePaths, scale: JsonObject): KubeObject {
  const replicas = at(scale, ['spec', 'replicas']) ?? 0;
  // A custom resource's own check says it in other words.
  if (!paths.custom && typeof replicas === 'number' && replicas < 0) {
    const problem = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, object.metadata.name ?? '', [problem]);
  }
  const resourceVersion = at(scale, ['metadata', 'resourceVersion']);
  const scaled = setAt(object, paths.spec, replicas) as KubeObject;
  const metadata = { ...scaled.metadata, ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}) };
  return { ...scaled, metadata };
}

function setAt(value: JsonValue | undefined, [key, ...rest]: readonly string[], leaf: JsonValue): JsonValue {
  if (key === undefined) return leaf;
  const copy: MutableJsonObject = isJsonObject(value) ? { ...value } : {};
  setOwn(copy, key, setAt(copy[key], rest, leaf));
  return copy;
}
