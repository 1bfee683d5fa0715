// From other ways of knowing what is ours to managedFields. Dynamic apply and kubectl's client-side apply keep it in an
// annotation, and the server books what they write as updates. No field is owned by two names that mean us, else it would
// stay when one of them drops it; and moving over is one write, of bookkeeping alone.

import type { JsonObject } from '../../kit/json.ts';
import {
  claimedFields,
  compareTyped,
  decodeManaged,
  difference,
  EMPTY_SET,
  encodeManaged,
  type FieldSet,
  fieldsV1Of,
  intersection,
  isEmptySet,
  lastAppliedOf,
  type Manager,
  managedFieldsOf,
  managerId,
  mergeTyped,
  nameOfId,
  type PathElement,
  recursiveDifference,
  setOfPaths,
  union,
  withManagedFields,
} from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Migration } from '../../model/plan.ts';
import { apiVersionOf } from '../../model/resource.ts';
import { storedForm } from '../stored-form.ts';
import type { KnownKind } from './known-kinds.ts';
import type { AppliedRecord, Legacy } from './legacy.ts';

export interface MigrationSource {
  readonly fieldManager: string;
  readonly legacy: Legacy;
  readonly known: KnownKind;
}

export interface Moved {
  readonly migration: Migration;
  /** The object to be written. */
  readonly after: KubeObject;
}

/** undefined: there is nothing to move over. */
export function migrationFor(observed: KubeObject, desired: KubeObject, source: MigrationSource): Moved | undefined {
  const { fieldManager, legacy, known } = source;
  const records = legacy.records.filter(({ annotation }) => lastAppliedOf(observed, annotation) !== undefined);
  if (records.length === 0 && !mayGive(observed, source)) return undefined;
  const managed = decodeManaged(managedFieldsOf(observed));
  if ('problem' in managed) return undefined;
  const same = sameFields(observed, desired, known);
  const given = [...managed.managers].flatMap(([id, manager]) => {
    const handed = handedOver(id, manager, { source, records, same });
    return handed ? [{ id, ...handed }] : [];
  });
  if (records.length === 0 && given.every((one) => isOwnersOnly(one.set))) return undefined;
  const others = [...managed.managers].filter(([id]) => !given.some((one) => one.id === id));
  const theirs = others.map(([, manager]) => manager.set).reduce(union, EMPTY_SET);
  const recorded = records.map((record) => recordedFields(observed, record, { known, theirs }));
  const id = managerId({ manager: fieldManager, operation: 'Apply', apiVersion: observed.apiVersion });
  const own = managed.managers.get(id)?.set ?? EMPTY_SET;
  const set = [...recorded, ...given.map((one) => one.set)].reduce(union, own);
  const managers = new Map(managed.managers);
  for (const { id: from, left } of given) {
    if (left) managers.set(from, left);
    else managers.delete(from);
  }
  managers.set(id, { apiVersion: observed.apiVersion, applied: true, set });
  const annotations = records.map(({ annotation }) => annotation);
  const entries = encodeManaged({ ...managed, managers });
  return {
    migration: {
      fieldManager,
      from: [...new Set(given.map(({ id: from }) => nameOfId(from).manager ?? ''))],
      annotations,
      fields: fieldsV1Of(set),
    },
    after: withManagedFields(withoutAnnotations(observed, annotations), entries) as KubeObject,
  };
}

/** Nearly all objects are as we apply them, and are looked at again and again: told from the names alone. */
function mayGive({ metadata }: KubeObject, { legacy, fieldManager }: MigrationSource): boolean {
  return (metadata.managedFields ?? []).some(({ manager = '', operation, subresource }) => {
    if (subresource !== undefined) return false;
    return operation === 'Apply'
      ? manager !== fieldManager && legacy.appliers.includes(manager)
      : legacy.writers.includes(manager);
  });
}

interface HandedOver {
  readonly set: FieldSet;
  /** What the other keeps; absent: nothing. */
  readonly left?: Manager;
}

interface Giving {
  readonly source: MigrationSource;
  readonly records: readonly AppliedRecord[];
  readonly same: FieldSet;
}

function handedOver(id: string, manager: Manager, { source, records, same }: Giving): HandedOver | undefined {
  const { manager: name = '', operation, subresource } = nameOfId(id);
  const { legacy, fieldManager, known } = source;
  if (subresource !== undefined) return undefined;
  // The record says better than the update what of it was applied.
  if (operation === 'Update' && records.some(({ managers }) => managers.includes(name))) return { set: EMPTY_SET };
  if (manager.apiVersion !== apiVersionOf(known.type)) return undefined;
  if (operation === 'Apply')
    return name !== fieldManager && legacy.appliers.includes(name) ? { set: manager.set } : undefined;
  if (!legacy.writers.includes(name)) return undefined;
  const set = intersection(manager.set, same);
  if (isEmptySet(set)) return undefined;
  const left = withoutEmptied(difference(manager.set, set), manager.set);
  return isEmptySet(left) ? { set } : { set, left: { ...manager, set: left } };
}

/** Without the maps and lists that had something in them before and have not now: to have made them is to own nothing. */
function withoutEmptied(set: FieldSet, before: FieldSet): FieldSet {
  const isEmptied = (element: PathElement): boolean => before.children.has(element) && !set.children.has(element);
  const members = new Set([...set.members].filter((element) => !isEmptied(element)));
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const below = withoutEmptied(child, before.children.get(element) ?? child);
    if (isEmptySet(below)) members.delete(element);
    else children.set(element, below);
  }
  return { members, children };
}

/** What is applied, without what would change by it. */
function sameFields(observed: KubeObject, desired: KubeObject, { kind, hasStatus }: KnownKind): FieldSet {
  const before = withManagedFields(observed, undefined);
  const merged = mergeTyped(before, desired as JsonObject, kind);
  if ('problems' in merged) return EMPTY_SET;
  const { modified, added } = compareTyped(before, merged.value ?? null, kind);
  return recursiveDifference(claimedFields(desired, kind, hasStatus), union(modified, added));
}

const OWNERS = setOfPaths([['f:metadata', 'f:ownerReferences']]);

/** An adoption is an update, too: that its one field is ours twice harms nobody, and is not worth a write. */
const isOwnersOnly = (set: FieldSet): boolean => isEmptySet(recursiveDifference(set, OWNERS));

interface Recording {
  readonly known: KnownKind;
  /** What those own who hand nothing over. */
  readonly theirs: FieldSet;
}

/** What was applied last and that nobody has changed since. Dynamic apply adds the parent without a word in the record. */
function recordedFields(observed: KubeObject, { annotation }: AppliedRecord, { known, theirs }: Recording): FieldSet {
  const last = storedForm((lastAppliedOf(observed, annotation) ?? {}) as KubeObject);
  const owners = (observed.metadata.ownerReferences ?? []).filter(({ controller }) => controller === true);
  const metadata = { ...last.metadata, ...(owners.length > 0 ? { ownerReferences: owners } : {}) };
  const applied = { ...last, metadata };
  const fields = claimedFields(applied, known.kind, known.hasStatus);
  return recursiveDifference(
    fields,
    intersection(recursiveDifference(fields, sameFields(observed, applied, known)), theirs),
  );
}

function withoutAnnotations(object: KubeObject, dropped: readonly string[]): KubeObject {
  const { annotations = {}, ...metadata } = object.metadata;
  const kept = Object.fromEntries(Object.entries(annotations).filter(([name]) => !dropped.includes(name)));
  return { ...object, metadata: Object.keys(kept).length > 0 ? { ...metadata, annotations: kept } : metadata };
}
