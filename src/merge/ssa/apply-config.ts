// An apply: the configuration is laid over the live object, what this manager applied last time and nobody claims any
// more is pruned, and what it applies now is its own. Overwriting what others own is a conflict unless forced.

import { type JsonValue, jsonEqual } from '../../kit/json.ts';
import {
  difference,
  EMPTY_SET,
  type FieldSet,
  intersection,
  isEmptySet,
  recursiveDifference,
  union,
} from './field-set.ts';
import {
  type Conflict,
  ignoredAt,
  type Manager,
  type Managers,
  type Rules,
  reconcileManagers,
  settleChange,
  type TypedObject,
} from './managers.ts';
import { mergeTyped } from './merge-typed.ts';
import { withNamedFields } from './named-fields.ts';
import { isKeyElement } from './path-element.ts';
import { removeItems } from './remove-items.ts';
import { toFieldSet } from './to-field-set.ts';
import { problemText } from './validate.ts';

export interface ApplyChange {
  readonly live: TypedObject;
  /** Of the same version as `live`. */
  readonly config: TypedObject;
  readonly managers: Managers;
  readonly manager: string;
  readonly force: boolean;
}

export type Applied =
  /** `object`: undefined where the live object already was so. */
  | { readonly object: JsonValue | undefined; readonly managers: Managers }
  | { readonly conflicts: readonly Conflict[] }
  | { readonly message: string };

export function applyConfig(change: ApplyChange, rules: Rules): Applied {
  const { live, config, manager } = change;
  const before = reconcileManagers(live, change.managers, rules);
  const merged = mergeTyped(live.value, config.value, live);
  if ('problems' in merged) return { message: `failed to merge config: ${problemText(merged.problems)}` };
  const claimed = toFieldSet(config.value, config.schema, config.type);
  const set = recursiveDifference(claimed, ignoredAt(rules, config.apiVersion));
  const managers = new Map(before);
  managers.set(manager, { apiVersion: config.apiVersion, applied: true, set });
  const pruned = prune(
    { ...live, value: merged.value ?? null },
    { managers, manager, last: before.get(manager) },
    rules,
  );
  const after: TypedObject = { ...live, value: pruned.value };
  const settled = settleChange({ before: live, after, managers, manager, force: change.force }, rules);
  if ('conflicts' in settled) return settled;
  const isSame = live.value === after.value || jsonEqual(live.value, after.value);
  return { object: isSame ? undefined : after.value, managers: settled.managers };
}

interface Pruning {
  /** With what is applied now. */
  readonly managers: Managers;
  readonly manager: string;
  /** What was applied last time. */
  readonly last: Manager | undefined;
}

/** Without what this manager applied last time, does not apply now, and nobody else owns. */
function prune(merged: TypedObject, { managers, manager, last }: Pruning, rules: Rules): TypedObject {
  if (last === undefined || isEmptySet(last.set)) return merged;
  if (claimsAllAgain({ managers, manager, last })) return merged;
  const then = rules.convert(merged, last.apiVersion);
  if (then === undefined) return merged;
  const named = withNamedFields(last.set, then.schema, then.type);
  const bare: TypedObject = { ...then, value: removeItems(then.value, named, then) };
  const owned = addBackOwned({ merged: then, pruned: bare }, { managers, first: last.apiVersion }, rules);
  const kept = addBackDangling({ merged: then, pruned: owned }, named, { last, rules });
  return rules.convert(kept, managers.get(manager)?.apiVersion ?? merged.apiVersion) ?? kept;
}

/**
 * Is each field of the last apply, with all that leads to it, applied again? Then nothing is pruned, which saves most of
 * the work of most applies. Where other versions are at play, or an item is named by defaults alone (a removal may empty
 * it), the long way decides.
 */
function claimsAllAgain({ managers, manager, last }: Pruning): boolean {
  const now = managers.get(manager);
  if (now === undefined || last === undefined) return false;
  for (const { apiVersion } of managers.values()) if (apiVersion !== now.apiVersion) return false;
  return last.apiVersion === now.apiVersion && covers(now.set, last.set);
}

// `now` is what a configuration names: what it has children of without being a member is a declared field.
function covers(now: FieldSet, last: FieldSet): boolean {
  if (now === last) return true;
  for (const element of last.members)
    if (!now.children.has(element) && (isKeyElement(element) || !now.members.has(element))) return false;
  for (const [element, child] of last.children) {
    const other = now.children.get(element);
    if (other === undefined || !covers(other, child)) return false;
  }
  return true;
}

interface Pair {
  readonly merged: TypedObject;
  readonly pruned: TypedObject;
}

/** The version of the last apply goes first: another one may not know what it needs to be converted. */
function addBackOwned(
  pair: Pair,
  { managers, first }: { managers: Managers; first: string },
  rules: Rules,
): TypedObject {
  const byVersion = new Map<string, FieldSet>([[first, EMPTY_SET]]);
  for (const { apiVersion, set } of managers.values())
    byVersion.set(apiVersion, union(byVersion.get(apiVersion) ?? EMPTY_SET, set));
  if (isEmptySet(byVersion.get(first) ?? EMPTY_SET) && !isVersionOwned(managers, first)) byVersion.delete(first);
  let { merged, pruned } = pair;
  for (const [apiVersion, managed] of byVersion) {
    const mergedThen = rules.convert(merged, apiVersion);
    if (mergedThen === undefined) continue;
    const prunedThen = rules.convert(pruned, apiVersion);
    merged = mergedThen;
    if (prunedThen === undefined) continue;
    pruned = { ...merged, value: removeItems(merged.value, unclaimed(merged, prunedThen, managed), merged) };
  }
  return pruned;
}

const isVersionOwned = (managers: Managers, version: string): boolean =>
  managers.values().some(({ apiVersion }) => apiVersion === version);

function unclaimed(merged: TypedObject, pruned: TypedObject, managed: FieldSet): FieldSet {
  const all = namedFieldsOf(merged.value, merged);
  const left = union(namedFieldsOf(pruned.value, merged), withNamedFields(managed, merged.schema, merged.type));
  return difference(all, left);
}

const namedFieldsOf = (value: JsonValue, { schema, type }: TypedObject): FieldSet =>
  withNamedFields(toFieldSet(value, schema, type), schema, type);

/** Only what this manager applied last time may go: what nobody owns, or only updates made, stays. */
function addBackDangling(
  { merged, pruned }: Pair,
  named: FieldSet,
  { last, rules }: { last: Manager; rules: Rules },
): TypedObject {
  const then = rules.convert(pruned, last.apiVersion);
  if (then === undefined) return merged;
  const gone = difference(namedFieldsOf(merged.value, merged), namedFieldsOf(then.value, merged));
  return { ...merged, value: removeItems(merged.value, intersection(gone, named), merged) };
}
