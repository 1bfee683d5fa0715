// Who owns what, and what an update does to it. Pure values: managers go in and come out, conflicts are told, not thrown.

import type { JsonValue } from '../../kit/json.ts';
import type { KindType } from '../../schema/index.ts';
import { type Comparison, compareTyped, withoutFields } from './compare-typed.ts';
import {
  difference,
  EMPTY_SET,
  type FieldPath,
  type FieldSet,
  intersection,
  isEmptySet,
  pathsOf,
  recursiveDifference,
  union,
} from './field-set.ts';
import { reconcileSet } from './reconcile-set.ts';

export interface Manager {
  /** In the words of which version the set is written. */
  readonly apiVersion: string;
  /** By an apply; else by a create, put, patch. */
  readonly applied: boolean;
  readonly set: FieldSet;
}

/** By an id that the caller chooses. */
export type Managers = ReadonlyMap<string, Manager>;

/** An object in the words of one version. */
export interface TypedObject extends KindType {
  readonly apiVersion: string;
  readonly value: JsonValue;
}

/** The object in the words of another version; undefined: there is no such version any more. */
export type Convert = (object: TypedObject, apiVersion: string) => TypedObject | undefined;

export interface Conflict {
  /** Who owns the field. */
  readonly manager: string;
  readonly path: FieldPath;
}

export interface Rules {
  readonly convert: Convert;
  /** Fields that writes can't change through this endpoint, by version: nobody comes to own them there. */
  readonly ignored?: ReadonlyMap<string, FieldSet>;
}

export interface Change {
  readonly before: TypedObject;
  readonly after: TypedObject;
  readonly managers: Managers;
  /** Who changes. */
  readonly manager: string;
  readonly force: boolean;
}

export const ignoredAt = (rules: Rules, apiVersion: string): FieldSet => rules.ignored?.get(apiVersion) ?? EMPTY_SET;

/** Sets that were written when the schema was another one, in the words of today's; versions that are gone go. */
export function reconcileManagers(live: TypedObject, managers: Managers, { convert }: Rules): Managers {
  const out = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const at = convert(live, manager.apiVersion);
    if (at === undefined) continue;
    const set = reconcileSet(manager.set, at.schema, at.type);
    out.set(id, set === manager.set ? manager : { ...manager, set });
  }
  return out;
}

export type Settled =
  | { readonly managers: Map<string, Manager>; readonly comparison: Comparison }
  | { readonly conflicts: readonly Conflict[] };

/** What the others still own after a change; without force, what they lose by being overwritten is a conflict. */
export function settleChange(change: Change, rules: Rules): Settled {
  const { before, after, manager: self } = change;
  const managers = new Map(change.managers);
  const comparison = compareIgnoring(before, after, rules);
  const byVersion = new Map<string, Comparison>([[after.apiVersion, comparison]]);
  const taken: [string, FieldSet][] = [];
  const removed: [string, FieldSet][] = [];
  for (const [id, other] of change.managers) {
    if (id === self) continue;
    const found = byVersion.get(other.apiVersion) ?? compareAt(change, other.apiVersion, rules);
    if (found === undefined) {
      managers.delete(id);
      continue;
    }
    byVersion.set(other.apiVersion, found);
    const overwritten = intersection(other.set, union(found.modified, found.added));
    if (!isEmptySet(overwritten)) taken.push([id, overwritten]);
    if (!isEmptySet(found.removed)) removed.push([id, found.removed]);
  }
  if (!change.force && taken.length > 0) return { conflicts: conflictsOf(taken) };
  for (const [id, set] of [...taken, ...removed]) takeFrom(managers, id, set);
  for (const [id, { set }] of managers) if (isEmptySet(set)) managers.delete(id);
  return { managers, comparison };
}

function compareIgnoring(before: TypedObject, after: TypedObject, rules: Rules): Comparison {
  return withoutFields(compareTyped(before.value, after.value, after), ignoredAt(rules, after.apiVersion));
}

function compareAt({ before, after }: Change, apiVersion: string, rules: Rules): Comparison | undefined {
  const old = rules.convert(before, apiVersion);
  const next = rules.convert(after, apiVersion);
  // Ignored fields are those of the version that was asked for, also where a conversion keeps the version's name.
  return old && next && withoutFields(compareTyped(old.value, next.value, next), ignoredAt(rules, apiVersion));
}

function takeFrom(managers: Map<string, Manager>, id: string, set: FieldSet): void {
  const manager = managers.get(id);
  if (manager !== undefined) managers.set(id, { ...manager, set: difference(manager.set, set) });
}

const conflictsOf = (taken: readonly (readonly [string, FieldSet])[]): readonly Conflict[] =>
  taken.flatMap(([manager, set]) => [...pathsOf(set)].map((path) => ({ manager, path })));

/** After a create, put or patch: what was changed belongs to `manager`, and to nobody else. Never a conflict. */
export function updateManagers(change: Omit<Change, 'force'>, rules: Rules): Managers {
  const { after, manager } = change;
  const before = reconcileManagers(change.before, change.managers, rules);
  const settled = settleChange({ ...change, managers: before, force: true }, rules);
  if ('conflicts' in settled) return before;
  const { managers, comparison } = settled;
  const { removed, modified, added } = comparison;
  const own = managers.get(manager)?.set ?? EMPTY_SET;
  const changed = union(union(difference(own, removed), modified), added);
  const set = recursiveDifference(changed, ignoredAt(rules, after.apiVersion));
  if (isEmptySet(set)) managers.delete(manager);
  else managers.set(manager, { apiVersion: after.apiVersion, applied: false, set });
  return managers;
}
