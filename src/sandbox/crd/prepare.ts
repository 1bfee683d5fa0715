// What the server makes of a CustomResourceDefinition that is written: defaults, stored versions; and the status that its
// controllers set right after (names accepted, established).

import { formatTime } from '../../kit/clock.ts';
import { type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { listAt, objectAt, textAt } from './kind.ts';

export function defaultCrd(object: KubeObject): KubeObject {
  const spec = objectAt(object['spec']);
  const names = objectAt(spec['names']);
  const kind = textAt(names['kind']);
  const filled: JsonObject = {
    ...names,
    ...(names['singular'] || kind === '' ? {} : { singular: kind.toLowerCase() }),
    ...(names['listKind'] || kind === '' ? {} : { listKind: `${kind}List` }),
  };
  const versions = spec['versions'];
  return {
    ...object,
    spec: {
      ...spec,
      names: filled,
      ...(Array.isArray(versions) ? { versions: versions.map(defaultVersion) } : {}),
      conversion: spec['conversion'] ?? { strategy: 'None' },
    },
  };
}

function defaultVersion(version: JsonValue): JsonValue {
  const { name, served, storage, ...rest } = objectAt(version);
  return { ...(name === undefined ? {} : { name }), served: served ?? false, storage: storage ?? false, ...rest };
}

/** A new definition: nothing is accepted yet. */
export function newCrd(object: KubeObject): KubeObject {
  const crd = defaultCrd(object);
  const stored = storageVersionOf(objectAt(crd['spec']));
  const storedVersions = stored === undefined ? null : [stored];
  return { ...crd, status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions } };
}

/** A changed definition: its status stays, but for a version that is stored from now on. */
export function changedCrd(object: KubeObject): KubeObject {
  const crd = defaultCrd(object);
  const status = objectAt(crd['status']);
  const stored = storageVersionOf(objectAt(crd['spec']));
  const known = listAt(status['storedVersions']);
  if (stored === undefined || known.includes(stored)) return crd;
  return { ...crd, status: { ...status, storedVersions: [...known, stored] } };
}

/**
 * The object with the status that belongs to its spec; conditions that are there keep their times. `taken`: names that
 * other definitions of the group hold. A definition that wants one of them is not served until it is free.
 */
export function establishedCrd(object: KubeObject, { taken, now }: { taken: TakenNames; now: number }): KubeObject {
  const spec = objectAt(object['spec']);
  const old = objectAt(object['status']);
  const names = objectAt(spec['names']);
  const refusal = conflictOf(names, taken);
  const wanted = refusal ? refusedConditions(refusal) : acceptedConditions();
  const status: JsonObject = {
    conditions: mergeConditions(listAt(old['conditions']).map(objectAt), wanted, formatTime(now)),
    acceptedNames: refusal ? freeNames(names, taken) : names,
    storedVersions: old['storedVersions'] ?? null,
  };
  return jsonEqual(status, object['status']) ? object : { ...object, status };
}

/** The name of the first version that is to be stored. */
function storageVersionOf(spec: JsonObject): string | undefined {
  const version = listAt(spec['versions'])
    .map(objectAt)
    .find(({ storage }) => storage === true);
  return version && textAt(version['name']);
}

export interface TakenNames {
  /** plural, singular and short names share one space. */
  readonly resources: ReadonlySet<string>;
  /** kind and listKind share another. */
  readonly kinds: ReadonlySet<string>;
}

/** The names that other accepted definitions of the group hold. */
export function takenNames(group: string, self: string, all: Iterable<KubeObject>): TakenNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const crd of all) {
    if (crd.metadata.name === self || objectAt(crd['spec'])['group'] !== group) continue;
    const names = objectAt(objectAt(crd['status'])['acceptedNames']);
    const shortNames = listAt(names['shortNames']).map(textAt);
    for (const name of [textAt(names['plural']), textAt(names['singular']), ...shortNames]) resources.add(name);
    for (const name of [textAt(names['kind']), textAt(names['listKind'])]) kinds.add(name);
  }
  resources.delete('');
  kinds.delete('');
  return { resources, kinds };
}

interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** The last of the conflicts, as the server reports it. */
function conflictOf(names: JsonObject, taken: TakenNames): Refusal | undefined {
  const inUse = (name: string, space: ReadonlySet<string>): boolean => space.has(name);
  const refusal = (reason: string, name: string): Refusal => ({
    reason,
    message: `${JSON.stringify(name)} is already in use`,
  });
  const [plural, singular, kind, listKind] = ['plural', 'singular', 'kind', 'listKind'].map((field) =>
    textAt(names[field]),
  );
  if (inUse(listKind ?? '', taken.kinds)) return refusal('ListKindConflict', listKind ?? '');
  if (inUse(kind ?? '', taken.kinds)) return refusal('KindConflict', kind ?? '');
  const short = listAt(names['shortNames'])
    .map(textAt)
    .filter((name) => inUse(name, taken.resources));
  if (short.length > 0)
    return { reason: 'ShortNamesConflict', message: short.map((name) => refusal('', name).message).join(', ') };
  if (inUse(singular ?? '', taken.resources)) return refusal('SingularConflict', singular ?? '');
  return inUse(plural ?? '', taken.resources) ? refusal('PluralConflict', plural ?? '') : undefined;
}

function freeNames(names: JsonObject, taken: TakenNames): JsonObject {
  const free = (field: string, space: ReadonlySet<string>): JsonObject => {
    const name = textAt(names[field]);
    return name === '' || space.has(name) ? {} : { [field]: name };
  };
  return {
    plural: '',
    kind: '',
    ...free('plural', taken.resources),
    ...free('singular', taken.resources),
    ...free('kind', taken.kinds),
    ...free('listKind', taken.kinds),
  };
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function acceptedConditions(): Condition[] {
  return [
    { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    },
  ];
}

function refusedConditions({ reason, message }: Refusal): Condition[] {
  return [
    { type: 'NamesAccepted', status: 'False', reason, message },
    { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
  ];
}

/** Wanted conditions over old ones: the time changes with the status only; an established definition stays so. */
function mergeConditions(old: readonly JsonObject[], wanted: readonly Condition[], time: string): JsonObject[] {
  const merged = wanted.map(({ type, status, reason, message }): JsonObject => {
    const known = old.find((one) => one['type'] === type);
    const stays = type === 'Established' && known?.['status'] === 'True';
    if (known && (stays || (known['status'] === status && known['reason'] === reason))) return known;
    const since = known?.['status'] === status ? known['lastTransitionTime'] : time;
    return { type, status, lastTransitionTime: since, reason, message };
  });
  return [...merged, ...old.filter((one) => !wanted.some(({ type }) => type === one['type']))];
}

export function condition(from: { type: string; time: string; reason: string; message: string }): JsonObject {
  const { type, time, reason, message } = from;
  return { type, status: 'True', lastTransitionTime: time, reason, message };
}
