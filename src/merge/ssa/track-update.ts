// Whose are the fields after a create, put or patch: managedFields of the new object, made of those of the live one.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { capManagers } from './cap-managers.ts';
import { type Endpoint, rulesOf, UNTRACKED } from './endpoint.ts';
import { difference, isEmptySet, union } from './field-set.ts';
import {
  decodeManaged,
  encodeManaged,
  type Managed,
  managedFieldsOf,
  managerId,
  NOTHING_MANAGED,
  withManagedFields,
} from './managed-entries.ts';
import { type Managers, updateManagers } from './managers.ts';

export interface UpdateRequest {
  /** undefined: the object is created. */
  readonly live: JsonObject | undefined;
  /** What will be stored, as decoded and defaulted, before the server adds to it. May hold managedFields of its own. */
  readonly object: JsonObject;
  /** Who writes. */
  readonly manager: string;
  /** Now, RFC 3339 in whole seconds. */
  readonly time: string;
}

/** The object with its managedFields. */
export function trackUpdate(request: UpdateRequest, endpoint: Endpoint): JsonObject {
  const { live } = request;
  const object = withManagedFields(request.object, undefined);
  const managed = managedBefore(request, endpoint);
  // Objects that nobody has tracked so far are not tracked from now on either, until somebody applies.
  if (managed.managers.size === 0 && live !== undefined) return object;
  return withManagedFields(object, encodeManaged(updateManaged(managed, { ...request, object }, endpoint)));
}

/** The writer may have sent other managedFields, or taken them all away; a subresource's writer may not. */
function managedBefore({ live, object }: UpdateRequest, endpoint: Endpoint): Managed {
  const old = live && managedFieldsOf(live);
  if (endpoint.subresource !== undefined) return readable(old);
  const given = managedFieldsOf(object);
  if (given === old && given !== undefined) return readable(old);
  if (isReset(given)) return NOTHING_MANAGED;
  const managed = decodeManaged(given);
  return 'problem' in managed || managed.managers.size === 0 ? readable(old) : managed;
}

function readable(managedFields: JsonValue | undefined): Managed {
  const managed = decodeManaged(managedFields);
  return 'problem' in managed ? NOTHING_MANAGED : managed;
}

/** An empty list, or a list of one empty entry. */
function isReset(managedFields: JsonValue | undefined): boolean {
  if (!isJsonArray(managedFields)) return false;
  const [only] = managedFields;
  return (
    managedFields.length === 0 || (managedFields.length === 1 && isJsonObject(only) && Object.keys(only).length === 0)
  );
}

/** The change is booked to somebody of its own first: what it took, also from earlier writes of the same manager. */
const CURRENT = 'current-operation';

export function updateManaged(managed: Managed, request: UpdateRequest, endpoint: Endpoint): Managed {
  const { apiVersion, subresource } = endpoint;
  const before = endpoint.at(withManagedFields(request.live ?? endpoint.empty, undefined), apiVersion);
  const after = endpoint.at(request.object, apiVersion);
  if (before === undefined || after === undefined) return NOTHING_MANAGED;
  const settled = updateManagers({ before, after, managers: managed.managers, manager: CURRENT }, rulesOf(endpoint));
  const name = request.manager === '' ? 'unknown' : request.manager;
  const id = managerId({ manager: name, operation: 'Update', apiVersion, subresource });
  return capManagers(bookCurrent({ ...managed, managers: settled }, id, request.time));
}

function bookCurrent(managed: Managed, id: string, time: string): Managed {
  const current = managed.managers.get(CURRENT);
  const managers = new Map(managed.managers);
  managers.delete(CURRENT);
  const set = current && difference(current.set, UNTRACKED);
  if (current === undefined || set === undefined || isEmptySet(set)) return { ...managed, managers };
  const previous = managers.get(id);
  managers.set(id, { ...current, set: previous === undefined ? set : union(previous.set, set) });
  return { ...managed, managers, times: new Map(managed.times).set(id, time) };
}

/** Without what nobody can own. */
export function stripUntracked(managers: Managers, id: string): Managers {
  const manager = managers.get(id);
  if (manager === undefined) return managers;
  const set = difference(manager.set, UNTRACKED);
  const stripped = new Map(managers);
  if (isEmptySet(set)) stripped.delete(id);
  else stripped.set(id, { ...manager, set });
  return stripped;
}
