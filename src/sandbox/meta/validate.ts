// Validation of metadata on create and update, in the server's order and words.

import type { JsonValue } from '../../kit/json.ts';
import { jsonEqual, stringifyJson } from '../../kit/json.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../model/object.ts';
import { splitApiVersion } from '../../model/resource.ts';
import { managerProblems } from '../http/query.ts';
import { type FieldProblem, forbiddenField, invalidValue, required, tooLong } from '../http/status-error.ts';
import { isBuiltInGroup } from '../registry/built-in.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { labelValueProblems, nameRuleOf, pathSegmentProblems, qualifiedNameProblems } from './names.ts';

const ANNOTATIONS_LIMIT = 262_144;
const STANDARD_FINALIZERS = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Everything that a create checks of metadata. */
export function metadataProblems(kind: ResourceKind, object: KubeObject): FieldProblem[] {
  const { metadata } = object;
  return [...nameProblems(kind, metadata), ...setProblems(metadata, kind.custom)];
}

function nameProblems(kind: ResourceKind, metadata: ObjectMeta): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const rule = nameRuleOf(kind.id);
  const { generateName, name = '' } = metadata;
  if (generateName) {
    // The server appends a character before it checks a prefix: one that ends in a dash or dot is fine.
    for (const text of rule(generateName.replace(/[-.]$/, 'a'))) {
      problems.push(invalidValue('metadata.generateName', generateName, text));
    }
  }
  if (name === '') problems.push(required('metadata.name', 'name or generateName is required'));
  else for (const text of rule(name)) problems.push(invalidValue('metadata.name', name, text));
  return problems;
}

/** Of an object inside of another: every name is fine that can stand in a URL. */
export function embeddedMetadataProblems(metadata: ObjectMeta, path: string): FieldProblem[] {
  const names = [
    ...namedProblems('metadata.generateName', metadata.generateName),
    ...namedProblems('metadata.name', metadata.name),
  ];
  return [...names, ...setProblems(metadata, true)].map((problem) => ({
    ...problem,
    field: `${path}${problem.field.slice('metadata'.length)}`,
  }));
}

const namedProblems = (field: string, name: string | undefined): FieldProblem[] =>
  name ? pathSegmentProblems(name).map((text) => invalidValue(field, name, text)) : [];

/** Labels, annotations, owners, finalizers. */
export function setProblems(metadata: ObjectMeta, isCustom: boolean): FieldProblem[] {
  return [
    ...labelProblems(metadata.labels ?? {}),
    ...annotationProblems(metadata.annotations ?? {}),
    ...ownerProblems(metadata.ownerReferences ?? []),
    ...finalizerProblems(metadata.finalizers ?? [], isCustom),
  ];
}

function labelProblems(labels: Readonly<Record<string, string>>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const key of Object.keys(labels).sort()) {
    for (const text of qualifiedNameProblems(key)) problems.push(invalidValue('metadata.labels', key, text));
    const value = labels[key] ?? '';
    for (const text of labelValueProblems(value)) problems.push(invalidValue('metadata.labels', value, text));
  }
  return problems;
}

function annotationProblems(annotations: Readonly<Record<string, string>>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  let size = 0;
  for (const key of Object.keys(annotations).sort()) {
    for (const text of qualifiedNameProblems(key.toLowerCase())) {
      problems.push(invalidValue('metadata.annotations', key, text));
    }
    size += key.length + Buffer.byteLength(annotations[key] ?? '');
  }
  if (size > ANNOTATIONS_LIMIT) problems.push(tooLong('metadata.annotations', ANNOTATIONS_LIMIT));
  return problems;
}

function ownerProblems(owners: readonly OwnerReference[]): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const field = 'metadata.ownerReferences';
  let controller: string | undefined;
  for (const owner of owners) {
    problems.push(...oneOwnerProblems(owner));
    if (owner.controller !== true) continue;
    const text = `${owner.kind}/${owner.name}`;
    if (controller === undefined) controller = text;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${text}`;
      // Shown with the fields in their own order.
      const message = `Invalid value: ${stringifyJson(owners)}: ${detail}`;
      problems.push({ field, reason: 'FieldValueInvalid', message });
    }
  }
  return problems;
}

function oneOwnerProblems(owner: OwnerReference): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const at = (name: string): string => `metadata.ownerReferences.${name}`;
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner as Partial<OwnerReference>;
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  if (version === '') problems.push(invalidValue(at('apiVersion'), apiVersion, 'version must not be empty'));
  if (kind === '') problems.push(invalidValue(at('kind'), kind, 'must not be empty'));
  if (name === '') problems.push(invalidValue(at('name'), name, 'must not be empty'));
  if (uid === '') problems.push(invalidValue(at('uid'), uid, 'must not be empty'));
  if (apiVersion === 'v1' && kind === 'Event') {
    const detail = '/v1, Kind=Event is disallowed from being an owner';
    problems.push(invalidValue('metadata.ownerReferences', owner, detail));
  }
  return problems;
}

function shortFinalizers(finalizers: readonly string[], field: string): FieldProblem[] {
  return finalizers.flatMap((finalizer, index) => {
    const known = finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer);
    if (known) return [];
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalidValue(`${field}[${index}]`, finalizer, detail)];
  });
}

/** Of custom resources short names are only warned of. */
function finalizerProblems(finalizers: readonly string[], isCustom: boolean): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const field = 'metadata.finalizers';
  for (const finalizer of finalizers)
    for (const text of qualifiedNameProblems(finalizer)) problems.push(invalidValue(field, finalizer, text));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    problems.push(invalidValue(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  if (!isCustom) problems.push(...shortFinalizers(finalizers, field));
  return problems;
}

const IMMUTABLE = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

/** What an update must not change. `after` has had its system fields filled in from `before`. */
export function updateProblems(before: KubeObject, after: KubeObject): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const old = before.metadata;
  const now = after.metadata;
  if (old.deletionTimestamp !== undefined) {
    const added = (now.finalizers ?? []).filter((finalizer) => !(old.finalizers ?? []).includes(finalizer)).sort();
    if (added.length > 0) {
      const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
      problems.push(forbiddenField('metadata.finalizers', detail));
    }
  }
  for (const name of IMMUTABLE) {
    if (!jsonEqual(old[name], now[name])) {
      problems.push(invalidValue(`metadata.${name}`, (now[name] ?? null) as JsonValue, 'field is immutable'));
    }
  }
  for (const [index, { manager = '' }] of (now.managedFields ?? []).entries()) {
    const [problem] = managerProblems(manager, `metadata.managedFields[${index}].manager`);
    if (problem) problems.push(problem, problem);
  }
  const isCustom = !isBuiltInGroup(splitApiVersion(after.apiVersion).group);
  const all = [...setProblems(now, isCustom), ...problems];
  // The server checks metadata twice, by its general rules and by the kind's, and reports both.
  return [...all, ...all];
}
