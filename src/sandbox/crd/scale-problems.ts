// The fields that a CRD's scale subresource points to: replicas that fit a Scale, a selector that is text.

import { isJsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { type FieldProblem, invalidValue } from '../../schema/index.ts';
import type { ServedVersion } from '../registry/resource-kind.ts';

/** `withSpec`: a write of status checks status only. */
export function scaleProblems({ scale }: ServedVersion, object: KubeObject, withSpec: boolean): FieldProblem[] {
  if (!scale) return [];
  return [
    ...(withSpec ? replicaProblems(object, scale.spec) : []),
    ...replicaProblems(object, scale.status),
    ...(scale.selector ? selectorProblems(object, scale.selector) : []),
  ];
}

function replicaProblems(object: KubeObject, path: readonly string[]): FieldProblem[] {
  const found = lookUp(object, path);
  const field = `.${path.join('.')}`;
  if ('problem' in found) return [invalidValue(field, 0, found.problem)];
  const { value } = found;
  if (value === undefined) return [];
  if (typeof value !== 'bigint' && !Number.isInteger(value)) {
    return [
      invalidValue(
        field,
        0,
        `${field} accessor error: ${goText(value)} is of the type ${goType(value)}, expected int64`,
      ),
    ];
  }
  const replicas = value as number | bigint;
  if (replicas < 0) return [invalidValue(field, replicas, 'should be a non-negative integer')];
  return replicas > 2 ** 31 - 1 ? [invalidValue(field, replicas, 'should be less than or equal to 2147483647')] : [];
}

function selectorProblems(object: KubeObject, path: readonly string[]): FieldProblem[] {
  const found = lookUp(object, path);
  const field = `.${path.join('.')}`;
  if ('problem' in found) return [invalidValue(field, '', found.problem)];
  const { value } = found;
  if (value === undefined || typeof value === 'string') return [];
  const detail = `${field} accessor error: ${goText(value)} is of the type ${goType(value)}, expected string`;
  return [invalidValue(field, '', detail)];
}

function lookUp(object: KubeObject, path: readonly string[]): { value: JsonValue | undefined } | { problem: string } {
  let value: JsonValue | undefined = object as unknown as JsonValue;
  for (const [index, key] of path.entries()) {
    if (value === undefined || value === null) return { value: undefined };
    if (!isJsonObject(value)) {
      const at = path.slice(0, index + 1).join('.');
      return {
        problem: `.${at} accessor error: ${goText(value)} is of the type ${goType(value)}, expected map[string]interface{}`,
      };
    }
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return { value };
}

function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'bigint') return 'int64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** As Go's %v prints plain values. */
function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${goText(value[key] ?? null)}`).join(' ')}]`;
}
