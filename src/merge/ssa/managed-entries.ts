// metadata.managedFields ↔ managers. An entry is identified by manager, operation, subresource and, for updates, version:
// an applier has one entry for all versions.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../kit/json.ts';
import { fieldsV1Of, parseFieldsV1 } from './fields-v1.ts';
import { compareText } from './go-text.ts';
import type { Manager, Managers } from './managers.ts';

export interface Managed {
  readonly managers: Managers;
  /** When the manager last changed something, RFC 3339; absent: not known. */
  readonly times: ReadonlyMap<string, string>;
  /** The entries as they came: what has not changed is written as it was. */
  readonly entries: ReadonlyMap<string, JsonObject>;
}

export const NOTHING_MANAGED: Managed = { managers: new Map(), times: new Map(), entries: new Map() };

export interface ManagerName {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
}

/** The text is part of the order in which old entries are merged. */
export function managerId({ manager, operation, apiVersion, subresource }: ManagerName): string {
  return JSON.stringify({
    ...(manager !== '' && { manager }),
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource && { subresource }),
  });
}

export const nameOfId = (id: string): Partial<ManagerName> => JSON.parse(id) as Partial<ManagerName>;

/** Why managedFields can't be read. */
export interface Unreadable {
  readonly problem: string;
}

export function decodeManaged(value: JsonValue | undefined): Managed | Unreadable {
  if (!isJsonArray(value) || value.length === 0) return NOTHING_MANAGED;
  const managers = new Map<string, Manager>();
  const times = new Map<string, string>();
  const entries = new Map<string, JsonObject>();
  for (const [index, item] of value.entries()) {
    const entry = isJsonObject(item) ? item : {};
    const problem = entryProblem(entry, index);
    if (problem !== undefined) return { problem };
    const operation = entry['operation'] === 'Apply' ? 'Apply' : 'Update';
    const apiVersion = textOf(entry, 'apiVersion');
    const subresource = textOf(entry, 'subresource');
    const id = managerId({ manager: textOf(entry, 'manager'), operation, apiVersion, subresource });
    try {
      managers.set(id, { apiVersion, applied: operation === 'Apply', set: parseFieldsV1(entry['fieldsV1']) });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { problem: `error decoding versioned set: ${error.message}` };
    }
    entries.set(id, entry);
    if (typeof entry['time'] === 'string') times.set(id, entry['time']);
  }
  return { managers, times, entries };
}

const textOf = (entry: JsonObject, key: string): string => (typeof entry[key] === 'string' ? entry[key] : '');

function entryProblem(entry: JsonObject, index: number): string | undefined {
  const { operation, apiVersion, fieldsType } = entry;
  if (operation !== 'Apply' && operation !== 'Update') return 'operation must be `Apply` or `Update`';
  if (apiVersion === undefined || apiVersion === '') return 'apiVersion must not be empty';
  if (fieldsType === 'FieldsV1') return undefined;
  return fieldsType === undefined || fieldsType === ''
    ? `missing fieldsType in managed fields entry ${index}`
    : `invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`;
}

/** undefined: nobody manages anything, and the object has no managedFields. */
export function encodeManaged({ managers, times, entries }: Managed): readonly JsonObject[] | undefined {
  if (managers.size === 0) return undefined;
  const out: JsonObject[] = [];
  for (const [id, manager] of managers) out.push(entryOf(id, manager, { time: times.get(id), old: entries.get(id) }));
  return out.sort(compareEntries);
}

function entryOf(
  id: string,
  manager: Manager,
  { time, old }: { time: string | undefined; old: JsonObject | undefined },
): JsonObject {
  const fieldsV1 = fieldsV1Of(manager.set);
  const isSame = old?.['fieldsV1'] === fieldsV1 && old['time'] === time && old['apiVersion'] === manager.apiVersion;
  if (isSame && old !== undefined) return old;
  const { manager: name, subresource, operation } = nameOfId(id);
  return {
    ...(name !== undefined && { manager: name }),
    operation: manager.applied ? 'Apply' : (operation ?? 'Update'),
    apiVersion: manager.apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource && { subresource }),
  };
}

/** By operation, time (in seconds), manager, version, subresource. Times are all written in UTC, so text order is time order. */
function compareEntries(a: JsonObject, b: JsonObject): number {
  for (const key of ['operation', 'time', 'manager', 'apiVersion', 'subresource']) {
    const found = compareText(textOf(a, key), textOf(b, key));
    if (found !== 0) return found;
  }
  return 0;
}

/** The object with these managedFields; undefined: without any. The object itself where they are so already. */
export function withManagedFields(object: JsonObject, managedFields: readonly JsonObject[] | undefined): JsonObject {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  if (metadata['managedFields'] === managedFields) return object;
  const { managedFields: _, ...rest } = metadata;
  const changed = { ...object };
  setOwn(changed, 'metadata', managedFields === undefined ? rest : { ...rest, managedFields });
  return changed;
}

export function managedFieldsOf(object: JsonObject): JsonValue | undefined {
  return isJsonObject(object['metadata']) ? object['metadata']['managedFields'] : undefined;
}
