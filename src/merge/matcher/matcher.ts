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
  isEmptySet,
  mergeTyped,
  parseFieldsV1,
  reconcileSet,
  toFieldSet,
  validateTyped,
} from '../ssa/index.ts';
import { canonicalQuantities } from './canonical-quantities.ts';
import { holdsPlainChange } from './plain-change.ts';
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
  if (entry === undefined) return isEmptySet(wanted) ? 'same' : 'different';
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

function matchValues({ live, kind }: MatchQuestion, desired: JsonObject): Match {
  const { managedFields: _, ...metadata } = live.metadata;
  const before = { ...live, metadata };
  const merged = mergeTyped(before as JsonObject, desired, kind);
  if ('problems' in merged || !isJsonObject(merged.value)) return 'unknown';
  if (jsonEqual(merged.value, before)) return 'same';
  const after = canonicalQuantities(merged.value, before, kind);
  if (jsonEqual(after, before)) return 'same';
  return holdsPlainChange(compareTyped(before as JsonValue, after, kind).modified, { before, after, kind })
    ? 'different'
    : 'unknown';
}
