// Random sequences of writes to one object, as data: they can be repeated on another server, and shortened.

import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { pick } from '../random-json.ts';
import { type DifferentialKind, metadata } from './kinds.ts';

type Random = () => number;

export interface Operation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absent: a merge patch's and the like are bodies as they are; "name" is filled in where the body is an object. */
  readonly type?: 'json' | 'merge' | 'strategic' | 'apply';
  readonly subresource?: 'status' | 'scale';
  readonly manager: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly body?: JsonValue;
}

const MANAGERS = ['alice', 'bob', 'carol', 'kubectl'] as const;

const whole = (random: Random, kind: DifferentialKind, partial: boolean): JsonObject => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  metadata: metadata(random, kind.custom),
  ...kind.content(random, partial),
});

/** A patch of the same shape: some leaves become null. */
function asPatch(random: Random, value: JsonValue, depth = 0): JsonValue {
  if (!isJsonObject(value)) return depth > 1 && random() < 0.2 ? null : value;
  const out: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) {
    if (depth === 0 && (key === 'apiVersion' || key === 'kind')) continue;
    if (random() < 0.75) out[key] = asPatch(random, item ?? null, depth + 1);
  }
  return out;
}

function jsonPatch(random: Random, kind: DifferentialKind): JsonValue {
  const content = whole(random, kind, false);
  const paths: [string, JsonValue][] = [['/metadata/labels', { j: 'p' }]];
  for (const [key, item] of Object.entries(content)) {
    if (['apiVersion', 'kind', 'metadata'].includes(key) || item === undefined) continue;
    paths.push([`/${key}`, item]);
    if (isJsonObject(item))
      for (const [inner, value] of Object.entries(item)) paths.push([`/${key}/${inner}`, value ?? null]);
  }
  const [path, value] = pick(random, paths);
  return random() < 0.25 ? [{ op: 'remove', path }] : [{ op: 'add', path, value }];
}

function scaleBody(random: Random, type: Operation['type']): JsonValue {
  const spec = { replicas: pick(random, [0, 1, 2]) };
  if (type === 'json') return [{ op: 'replace', path: '/spec/replicas', value: spec.replicas }];
  return type === 'merge' || type === 'strategic'
    ? { spec }
    : { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {}, spec };
}

function statusBody(random: Random, kind: DifferentialKind, type: Operation['type']): JsonValue {
  const status = kind.status?.(random) ?? {};
  if (type === 'json') return [{ op: 'add', path: '/status', value: status }];
  if (type === 'merge' || type === 'strategic') return { status };
  const more = random() < 0.3 ? { metadata: metadata(random, kind.custom) } : { metadata: {} };
  const content = type === 'apply' ? {} : kind.content(random, false);
  return { apiVersion: kind.apiVersion, kind: kind.kind, ...more, ...content, status };
}

function patchType(random: Random, kind: DifferentialKind): NonNullable<Operation['type']> {
  const types = kind.custom
    ? (['json', 'merge', 'apply'] as const)
    : (['json', 'merge', 'strategic', 'apply'] as const);
  return random() < 0.5 ? 'apply' : pick(random, types);
}

export function randomOperation(random: Random, kind: DifferentialKind): Operation {
  const manager = pick(random, MANAGERS);
  const options = { manager, ...(random() < 0.05 && { dryRun: true }) };
  const choice = random();
  if (choice < 0.06) return { method: 'POST', ...options, body: whole(random, kind, false) };
  if (choice < 0.2) return { method: 'PUT', ...options, body: whole(random, kind, false) };
  if (choice < 0.22) return { method: 'DELETE', ...options };
  if (choice < 0.25) return { method: 'PATCH', type: 'merge', ...options, body: forgetOwners(random) };
  const type = patchType(random, kind);
  const forced = type === 'apply' ? { force: random() < 0.5 } : {};
  const asked = random();
  if (kind.status && asked < 0.15) {
    if (random() < 0.3)
      return { method: 'PUT', subresource: 'status', ...options, body: statusBody(random, kind, undefined) };
    return {
      method: 'PATCH',
      type,
      subresource: 'status',
      ...options,
      ...forced,
      body: statusBody(random, kind, type),
    };
  }
  if (kind.scale && asked > 0.88) {
    if (random() < 0.3) return { method: 'PUT', subresource: 'scale', ...options, body: scaleBody(random, undefined) };
    return { method: 'PATCH', type, subresource: 'scale', ...options, ...forced, body: scaleBody(random, type) };
  }
  return { method: 'PATCH', type, ...options, ...forced, body: patchBody(random, kind, type) };
}

const forgetOwners = (random: Random): JsonValue => ({
  metadata: { managedFields: pick<JsonValue>(random, [[], [{}]]) },
});

function patchBody(random: Random, kind: DifferentialKind, type: NonNullable<Operation['type']>): JsonValue {
  if (type === 'json') return jsonPatch(random, kind);
  if (type === 'apply') return whole(random, kind, random() < 0.6);
  return asPatch(random, whole(random, kind, true));
}

export function randomSequence(random: Random, kind: DifferentialKind, length: number): readonly Operation[] {
  const create: Operation =
    random() < 0.5
      ? { method: 'POST', manager: pick(random, MANAGERS), body: whole(random, kind, false) }
      : { method: 'PATCH', type: 'apply', manager: pick(random, MANAGERS), body: whole(random, kind, false) };
  return [create, ...Array.from({ length: length - 1 }, () => randomOperation(random, kind))];
}
