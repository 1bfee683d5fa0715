// metadata.ownerReferences are told apart by UID. The list rule would take the name, and two owners may share one; and it
// would drop the whole list with the last entry that was applied. An object's controller is not a manifest's to drop: a
// child that lost it would be an orphan until it is adopted again.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import { mergeThreeWay, type ThreeWay, withoutNulls } from './three-way.ts';

/** The merged list; undefined: the object has no owners then. */
export function mergeOwnerReferences({ observed, lastApplied, desired }: ThreeWay): JsonValue | undefined {
  if (desired === undefined && lastApplied === undefined) return observed;
  const [present, applied, wanted] = [listOf(observed), listOf(lastApplied), listOf(desired)];
  const replaced = wanted.some(isController);
  const merged = present.flatMap((owner): JsonValue[] => {
    const want = wanted.find(same(owner));
    const mine = applied.find(same(owner));
    if (want !== undefined) return [mergeThreeWay({ observed: owner, lastApplied: mine, desired: want })];
    const goes = mine !== undefined && (replaced || !isController(owner));
    return goes ? [] : [owner];
  });
  const added = wanted.filter((owner) => !present.some(same(owner)));
  const owners = [...merged, ...added.map(withoutNulls)];
  return owners.length === 0 ? undefined : owners;
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter((item) => isJsonObject(item)) : [];

const isController = (owner: JsonObject): boolean => owner['controller'] === true;

const same =
  (owner: JsonObject) =>
  (other: JsonObject): boolean =>
    owner['uid'] === other['uid'];
