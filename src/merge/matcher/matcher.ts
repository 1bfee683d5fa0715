// Would a forced server-side apply of `desired` change the object? Told without a call, from what managedFields say that we
// own. "same" is never said wrongly; where the server may have written a value in another form than it was given (a default
// inside an atomic struct, an empty value dropped), the answer is "unknown" and a dry run tells.

import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../model/object.ts';
import type { KindType } from '../../schema/index.ts';
import {
  compareTyped,
  equalSets,
  type FieldSet,
  intersection,
  isEmptySet,
  mergeTyped,
  parseFieldsV1,
  reconcileSet,
  toFieldSet,
  union,
  validateTyped,
} from '../ssa/index.ts';
import { holdsPlainChange } from './plain-change.ts';
import { storedAs } from './stored-as.ts';
import { withoutUntracked } from './untracked.ts';

export interface MatchQuestion {
  /** As it would be applied. */
  readonly desired: KubeObject;
  /** As it is, with managedFields. */
  readonly live: KubeObject;
  readonly fieldManager: string;
  readonly kind: KindType;
  /** The kind has a status subresource: an apply of the object ignores `status`. */
  readonly hasStatus: boolean;
}

/** `different`: applying it changes a value, or who owns one. `unknown`: only the server can tell. */
export type Match = 'same' | 'different' | 'unknown';

export function matchApplied(question: MatchQuestion): Match {
  const { live, fieldManager, kind } = question;
  const desired = withoutUntracked(question.desired, question.hasStatus);
  if (validateTyped(desired, { ...kind, allowDuplicates: false }).length > 0) return 'unknown';
  const wanted = toFieldSet(desired, kind.schema, kind.type);
  const entry = entryOf(live, fieldManager);
  if (entry === undefined) {
    // The first apply of all books what is there already to somebody, whatever it wants itself.
    const isTracked = (live.metadata.managedFields ?? []).length > 0;
    return isEmptySet(wanted) ? (isTracked ? 'same' : 'unknown') : 'different';
  }
  if (entry.apiVersion !== question.desired.apiVersion) return 'unknown';
  const owned = ownedBy(entry, kind);
  if (owned === undefined) return 'unknown';
  return equalSets(owned, wanted) ? matchValues(question, desired) : 'different';
}

/** What an apply of the object claims. */
export function claimedFields(object: KubeObject, { schema, type }: KindType, hasStatus: boolean): FieldSet {
  return toFieldSet(withoutUntracked(object, hasStatus), schema, type);
}

/** What `fieldManager` applied to the object as a whole; what it wrote by other means, or to a subresource, is another entry. */
export function entryOf(live: KubeObject, fieldManager: string): ManagedFieldsEntry | undefined {
  return live.metadata.managedFields?.find(
    ({ manager, operation, subresource }) =>
      manager === fieldManager && operation === 'Apply' && (subresource ?? '') === '',
  );
}

/** undefined: the entry can't be read. */
function ownedBy({ fieldsV1 }: ManagedFieldsEntry, { schema, type }: KindType): FieldSet | undefined {
  try {
    return reconcileSet(parseFieldsV1(fieldsV1), schema, type);
  } catch {
    return undefined;
  }
}

/** Does somebody else own any of the fields? Another way to write the same value takes it from them once. */
function isOthers({ live, fieldManager, desired, kind }: MatchQuestion, fields: FieldSet): boolean {
  const own = entryOf(live, fieldManager);
  return (live.metadata.managedFields ?? []).some((entry) => {
    if (entry === own) return false;
    const set = entry.apiVersion === desired.apiVersion ? ownedBy(entry, kind) : undefined;
    return set === undefined || !isEmptySet(intersection(set, fields));
  });
}

function matchValues(question: MatchQuestion, desired: JsonObject): Match {
  const { live, kind } = question;
  const { managedFields: _, ...metadata } = live.metadata;
  const before = { ...live, metadata };
  const merged = mergeTyped(before as JsonObject, desired, kind);
  if ('problems' in merged || !isJsonObject(merged.value)) return 'unknown';
  if (jsonEqual(merged.value, before)) return 'same';
  const after = storedAs(merged.value, before, kind);
  if (jsonEqual(after, before)) {
    const { added, modified } = compareTyped(before as JsonValue, merged.value, kind);
    return isOthers(question, union(added, modified)) ? 'unknown' : 'same';
  }
  return holdsPlainChange(compareTyped(before as JsonValue, after, kind).modified, { before, after, kind })
    ? 'different'
    : 'unknown';
}
