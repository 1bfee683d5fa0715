// Who wrote a field, by the server's account: the manager that has it after the write. Of what was taken away nobody has
// anything, so a write that only takes away is nobody's.

import { getOwn, isJsonObject, type JsonObject, parseJson } from '../kit/json.ts';
import type { Path, PathElement } from '../kit/path.ts';
import type { KubeObject, ManagedFieldsEntry } from '../model/object.ts';

/** Of `managers`, the one who has one of these fields. */
export function authorAmong(
  object: KubeObject,
  paths: readonly Path[],
  managers: readonly string[],
): string | undefined {
  const entries = entriesOf(object, managers);
  return entries.find(({ fieldsV1 }) => fieldsV1 && paths.some((path) => owns(fieldsV1, path)))?.manager;
}

/** Was the field applied, server-side, by one of them? */
export function isApplied(object: KubeObject, path: Path, managers: readonly string[]): boolean {
  const applied = entriesOf(object, managers).filter(({ operation }) => operation === 'Apply');
  return applied.some(({ fieldsV1 }) => fieldsV1 !== undefined && owns(fieldsV1, path));
}

const entriesOf = ({ metadata }: KubeObject, managers: readonly string[]): ManagedFieldsEntry[] =>
  (metadata.managedFields ?? []).filter(({ manager = '' }) => managers.includes(manager));

function owns(fields: JsonObject, [element, ...rest]: Path): boolean {
  if (element === undefined) return true;
  const below = fieldOf(fields, element);
  if (below === undefined) return false;
  // Nothing below it: it is had as a whole.
  return Object.keys(below).length === 0 || owns(below, rest);
}

function fieldOf(fields: JsonObject, element: PathElement): JsonObject | undefined {
  if (typeof element === 'string') return objectAt(fields, `f:${element}`);
  if (typeof element === 'number') return objectAt(fields, `i:${element}`);
  const key = Object.keys(fields).find((name) => name.startsWith('k:') && hasKey(name.slice(2), element));
  return key === undefined ? undefined : objectAt(fields, key);
}

function hasKey(text: string, { key, value }: Extract<PathElement, object>): boolean {
  const keys = parseJson(text);
  return isJsonObject(keys) && getOwn(keys, key) === value;
}

function objectAt(fields: JsonObject, key: string): JsonObject | undefined {
  const found = getOwn(fields, key);
  return isJsonObject(found) ? found : undefined;
}
