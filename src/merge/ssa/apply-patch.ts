// An apply request at an endpoint of the API server: its checks, the migration of objects that nobody tracked, and of
// those that kubectl applied on its own, around the apply itself.

import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { type Applied, applyConfig } from './apply-config.ts';
import { type ConflictCause, conflictCauses, conflictMessage } from './conflict-text.ts';
import { type Endpoint, rulesOf } from './endpoint.ts';
import { difference, equalSets, hasPath, isEmptySet, setOfPaths } from './field-set.ts';
import { clientSideFields, KUBECTL, withLastAppliedUpdated } from './last-applied.ts';
import {
  decodeManaged,
  encodeManaged,
  type Managed,
  managedFieldsOf,
  managerId,
  withManagedFields,
} from './managed-entries.ts';
import type { Conflict, Manager, Managers, TypedObject } from './managers.ts';
import { stripUntracked, updateManaged } from './track-update.ts';
import { problemText, validateTyped } from './validate.ts';

export interface ApplyRequest {
  /** undefined: the object is created. */
  readonly live: JsonObject | undefined;
  readonly config: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  /** Now, RFC 3339 in whole seconds. */
  readonly time: string;
}

export type ApplyAnswer =
  /** `object` has its managedFields; it is not defaulted. */
  | { readonly kind: 'applied'; readonly object: JsonObject }
  | {
      readonly kind: 'conflicts';
      readonly message: string;
      readonly causes: readonly ConflictCause[];
      readonly conflicts: readonly Conflict[];
    }
  /** The request is at fault (400), or it can't be read as the kind (500). */
  | { readonly kind: 'refused'; readonly code: 400 | 500; readonly message: string };

export function applyPatch(request: ApplyRequest, endpoint: Endpoint): ApplyAnswer {
  const { config, manager } = request;
  const wrongKind = config['kind'] !== endpoint.kind || config['apiVersion'] !== endpoint.apiVersion;
  if (wrongKind) return { kind: 'refused', code: 400, message: `invalid object type: ${showKind(config)}` };
  const live = request.live ?? endpoint.empty;
  const managed = decodeManaged(managedFieldsOf(live));
  if ('problem' in managed)
    return { kind: 'refused', code: 500, message: `failed to decode managed fields: ${managed.problem}` };
  const run: Run = { request, endpoint, live: withManagedFields(live, undefined), managed };
  const first = applyTracked(run, request.force);
  if ('refused' in first) return first.refused;
  const outcome = manager === KUBECTL && 'conflicts' in first ? migrated(run, first.conflicts) : first;
  if ('refused' in outcome) return outcome.refused;
  if ('conflicts' in outcome) {
    const { conflicts } = outcome;
    return { kind: 'conflicts', message: conflictMessage(conflicts), causes: conflictCauses(conflicts), conflicts };
  }
  const object = manager === KUBECTL ? withLastAppliedUpdated(outcome.object, config) : outcome.object;
  return { kind: 'applied', object: withManagedFields(object, encodeManaged(outcome.managed)) };
}

const showKind = (config: JsonObject): string => {
  const apiVersion = typeof config['apiVersion'] === 'string' ? config['apiVersion'] : '';
  return `${apiVersion === '' ? '/' : apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${config['kind'] ?? ''}`;
};

interface Run {
  readonly request: ApplyRequest;
  readonly endpoint: Endpoint;
  /** Without managedFields. */
  readonly live: JsonObject;
  readonly managed: Managed;
}

interface Refused {
  readonly refused: Extract<ApplyAnswer, { kind: 'refused' }>;
}

type Outcome =
  | { readonly object: JsonObject; readonly managed: Managed }
  | { readonly conflicts: readonly Conflict[] }
  | Refused;

/** Conflicts over what kubectl had applied from its own side are none: where there is no other one, it may force. */
function migrated(run: Run, conflicts: readonly Conflict[]): Outcome {
  const allowed = clientSideFields(run.live, run.endpoint);
  const fields = setOfPaths(conflicts.map(({ path }) => path));
  if (isEmptySet(difference(fields, allowed))) return applyTracked(run, true);
  return { conflicts: conflicts.filter(({ path }) => !hasPath(allowed, path)) };
}

/** What is there already when the first apply comes belongs to somebody of its own. */
function trackedBefore({ managed, live, request, endpoint }: Run): Managed {
  if (managed.managers.size > 0) return managed;
  const { time } = request;
  return updateManaged(managed, { live: undefined, object: live, manager: 'before-first-apply', time }, endpoint);
}

function applyTracked(run: Run, force: boolean): Outcome {
  const { request, endpoint, live } = run;
  const managed = trackedBefore(run);
  const typed = typedPair(run);
  if ('refused' in typed) return typed;
  const { apiVersion, subresource } = endpoint;
  const name = request.manager === '' ? 'unknown' : request.manager;
  const id = managerId({ manager: name, operation: 'Apply', apiVersion, subresource });
  const change = { ...typed, managers: managed.managers, manager: id, force };
  const applied: Applied = applyConfig(change, rulesOf(endpoint));
  if ('message' in applied) return refused(500, applied.message);
  if ('conflicts' in applied) return applied;
  const managers = withSameSet(stripUntracked(applied.managers, id), managed.managers.get(id), id);
  const times = applied.object === undefined ? managed.times : new Map(managed.times).set(id, request.time);
  const object = applied.object === undefined ? live : (applied.object as JsonObject);
  return { object, managed: { ...managed, managers, times } };
}

/** What is claimed again is the set that it was: it need not be written anew. */
function withSameSet(managers: Managers, before: Manager | undefined, id: string): Managers {
  const own = managers.get(id);
  if (own === undefined || before === undefined || own.set === before.set || !equalSets(own.set, before.set))
    return managers;
  return new Map(managers).set(id, { ...own, set: before.set });
}

const refused = (code: 400 | 500, message: string): Refused => ({
  refused: { kind: 'refused', code, message },
});

type TypedPair = { readonly live: TypedObject; readonly config: TypedObject };

function typedPair({ request, endpoint, live }: Run): TypedPair | Refused {
  const { apiVersion } = endpoint;
  if ((managedFieldsOf(request.config) ?? null) !== null) return refused(400, 'metadata.managedFields must be nil');
  const config = endpoint.at(request.config, apiVersion);
  const current = endpoint.at(live, apiVersion);
  if (config === undefined || current === undefined)
    return refused(500, `no corresponding type for ${showKind(request.config)}`);
  const wrong = validateTyped(config.value, config);
  if (wrong.length > 0)
    return refused(500, `failed to create typed patch object (${showObject(request.config)}): ${problemText(wrong)}`);
  const odd = validateTyped(current.value, { ...current, allowDuplicates: true });
  if (odd.length === 0) return { live: current, config };
  return refused(500, `failed to create typed live object (${showObject(live)}): ${problemText(odd)}`);
}

function showObject(object: JsonObject): string {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const text = (key: string): string => (typeof metadata[key] === 'string' ? metadata[key] : '');
  return `${text('namespace')}/${text('name')}; ${showKind(object)}`;
}
