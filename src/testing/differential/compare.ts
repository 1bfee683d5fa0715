// One sequence on two servers: the first step where they answer differently, or undefined.
// Not compared of custom resources: whether a step that changed nothing was written. The server keeps null and empty maps in
// metadata that an apply has emptied, does not show them, and writes once more when the next request comes.

import { isJsonArray, isJsonObject, type JsonValue, parseJson, stringifyJson } from '../../kit/json.ts';
import type { Transport } from '../../ports/transport.ts';
import type { DifferentialKind } from './kinds.ts';
import type { Operation } from './operations.ts';

const TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export interface Place {
  readonly transport: Transport;
  readonly namespace: string;
}

/** What is compared of an answer. */
export interface Outcome {
  readonly status: number;
  readonly body: JsonValue;
  /** Has the object's resourceVersion changed with this step? */
  readonly written: boolean;
}

export interface Difference {
  readonly step: number;
  readonly outcomes: readonly Outcome[];
}

export async function firstDifference(
  places: readonly Place[],
  kind: DifferentialKind,
  sequence: readonly Operation[],
  name: string,
): Promise<Difference | undefined> {
  const versions = places.map(() => '');
  for (const [step, operation] of sequence.entries()) {
    const outcomes = await Promise.all(
      places.map(async (place, index) => {
        const { status, body } = await send(place, kind, operation, name);
        const version = versionOf(body) ?? versions[index] ?? '';
        const written = version !== versions[index];
        if (operation.subresource !== 'scale' && !operation.dryRun) versions[index] = version;
        return { status, body: comparable(status, body), written: operation.dryRun ? false : written };
      }),
    );
    const shown = outcomes.map(({ status, body }) => stringifyJson(sortKeys({ status, body })));
    const sameWrites = kind.custom === true || outcomes.every(({ written }) => written === outcomes[0]?.written);
    if (!sameWrites || shown.some((text) => text !== shown[0])) return { step, outcomes };
  }
  return undefined;
}

async function send(
  { transport, namespace }: Place,
  kind: DifferentialKind,
  operation: Operation,
  name: string,
): Promise<{ status: number; body: JsonValue }> {
  const { method, type, subresource, manager, force, dryRun } = operation;
  const base = kind.apiVersion === 'v1' ? '/api/v1' : `/apis/${kind.apiVersion}`;
  const collection = `${base}/namespaces/${namespace}/${kind.resource}`;
  const query = [`fieldManager=${manager}`, ...(force ? ['force=true'] : []), ...(dryRun ? ['dryRun=All'] : [])].join(
    '&',
  );
  const path = method === 'POST' ? collection : `${collection}/${name}${subresource ? `/${subresource}` : ''}`;
  const response = await transport.request({
    method,
    path: method === 'DELETE' ? path : `${path}?${query}`,
    headers: { 'content-type': type ? TYPES[type] : 'application/json' },
    ...(operation.body === undefined ? {} : { body: stringifyJson(named(operation.body, name)) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? parseJson(text) : text };
}

/** Whole objects get the name; patches have none. */
function named(body: JsonValue, name: string): JsonValue {
  if (!isJsonObject(body) || body['kind'] === undefined) return body;
  return { ...body, metadata: { ...(isJsonObject(body['metadata']) ? body['metadata'] : {}), name } };
}

const versionOf = (body: JsonValue): string | undefined => {
  const found = isJsonObject(body) && isJsonObject(body['metadata']) ? body['metadata']['resourceVersion'] : undefined;
  return typeof found === 'string' ? found : undefined;
};

const CHANCE = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'time',
  'clusterIP',
  'clusterIPs',
  'nodePort',
]);

/** Of a validation that failed only that it did: its words are compared elsewhere. */
function comparable(status: number, body: JsonValue): JsonValue {
  if (isJsonObject(body) && body['kind'] === 'Status') {
    const { reason, message, details } = body;
    if (status === 422 || status === 200) return { reason: reason ?? '' };
    const causes = isJsonObject(details) && isJsonArray(details['causes']) ? details['causes'] : [];
    const shown = causes.map((cause) => stringifyJson(sortKeys(cause))).sort();
    return {
      reason: reason ?? '',
      ...(shown.length > 0 ? { causes: shown } : { message: withoutChance(message ?? '') }),
    };
  }
  return withoutChance(body);
}

function withoutChance(value: JsonValue, key = ''): JsonValue {
  if (typeof value === 'string') return value.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>');
  if (isJsonArray(value)) {
    const items = value.map((item) => withoutChance(item));
    return key === 'managedFields' ? items.map((item) => stringifyJson(sortKeys(item))).sort() : items;
  }
  if (!isJsonObject(value)) return value;
  const out: Record<string, JsonValue> = {};
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    out[name] = CHANCE.has(name) && name !== 'f:time' ? '<chance>' : withoutChance(item, name);
  }
  return out;
}

function sortKeys(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key] ?? null)]),
  );
}
