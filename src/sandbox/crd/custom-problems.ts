// What the server refuses of a custom resource, in its order: the schema, the paths of the scale subresource, embedded objects,
// list types, rules (CEL). Updates let through what was invalid before and has not changed.

import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import {
  type FieldProblem,
  invalidValue,
  listTypeProblems,
  schemaProblems,
  structuralOf,
  updateSchemaProblems,
} from '../../schema/index.ts';
import { type ResourceKind, versionOf } from '../registry/resource-kind.ts';
import { inVersion } from './custom.ts';
import { embeddedProblems } from './embedded-problems.ts';
import { ruleProblems } from './rules.ts';
import { scaleProblems } from './scale-problems.ts';

export interface CustomCheck {
  readonly kind: ResourceKind;
  /** The version of the request: its schema counts. */
  readonly version: string;
  readonly subresource?: 'status' | undefined;
  /** Rules that could not be evaluated, and what was let through because it did not change. */
  readonly warnings: string[];
}

export function customCreateProblems(check: CustomCheck, object: KubeObject): FieldProblem[] {
  const version = versionOf(check.kind, check.version);
  if (!version?.schema) return version ? scaleProblems(version, object, true) : [];
  const shown = inVersion(check.kind, check.version, object) as unknown as JsonObject;
  const structural = structuralOf(version.schema);
  const problems = [
    ...schemaProblems(version.schema, shown),
    ...scaleProblems(version, object, true),
    ...embeddedProblems(structural, shown, ''),
    ...listTypeProblems(structural, shown),
  ];
  return withRules(check, version.schema, problems, { after: shown });
}

export function customUpdateProblems(check: CustomCheck, before: KubeObject, after: KubeObject): FieldProblem[] {
  const version = versionOf(check.kind, check.version);
  if (!version?.schema) return version ? scaleProblems(version, after, check.subresource === undefined) : [];
  const old = inVersion(check.kind, check.version, before) as unknown as JsonObject;
  const now = inVersion(check.kind, check.version, after) as unknown as JsonObject;
  const structural = structuralOf(version.schema);
  const problems = [
    ...(check.subresource ? statusProblems(version.schema, old, now) : mainProblems(version.schema, old, now)),
    ...scaleProblems(version, after, check.subresource === undefined),
    ...(check.subresource ? [] : embeddedProblems(structural, now, '')),
  ];
  const doubles = listTypeProblems(structural, now);
  if (doubles.length > 0 && listTypeProblems(structural, old).length === 0) problems.push(...doubles);
  return withRules(check, version.schema, problems, { before: old, after: now });
}

const mainProblems = (schema: JsonObject, before: JsonObject, after: JsonObject): FieldProblem[] =>
  updateSchemaProblems(schema, { before, after });

function statusProblems(schema: JsonObject, before: JsonObject, after: JsonObject): FieldProblem[] {
  const properties = schema['properties'];
  const status = isJsonObject(properties) ? properties['status'] : undefined;
  const value = after['status'];
  if (!isJsonObject(status) || value === undefined) return [];
  return updateSchemaProblems(status, { before: before['status'], after: value }, 'status');
}

const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Rules are not evaluated on an object whose shape is wrong. */
function withRules(
  check: CustomCheck,
  schema: JsonObject,
  problems: FieldProblem[],
  states: { readonly before?: JsonObject; readonly after: JsonObject },
): FieldProblem[] {
  if (!structuralOf(schema).has.rules) return problems;
  if (!problems.some(({ reason }) => BLOCKING.has(reason)))
    return [...problems, ...ruleProblems(schema, states, check.warnings)];
  const detail =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return [...problems, invalidValue('<nil>', null, detail)];
}

/** Warnings of the finalizers that a write adds. */
export function finalizerWarnings(before: KubeObject | undefined, after: KubeObject): string[] {
  const known = new Set(before?.metadata.finalizers ?? []);
  const added = [...new Set(after.metadata.finalizers ?? [])].filter((finalizer) => !known.has(finalizer)).sort();
  return added.filter((finalizer) => !finalizer.includes('/') && !STANDARD.has(finalizer)).map(finalizerWarning);
}

const STANDARD = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

function finalizerWarning(finalizer: string): string {
  const path = finalizer.includes('.') ? ' including a path (/)' : '';
  return `metadata.finalizers: "${finalizer}": prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
}
