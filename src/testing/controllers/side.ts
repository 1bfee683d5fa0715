// One of the two servers of the comparison: what is done to it and what is seen of it, in a namespace of its own.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Transport } from '../../ports/transport.ts';

export interface Side {
  readonly name: string;
  readonly transport: Transport;
  readonly namespace: string;
}

/** Path of the collection below a namespace: "apis/apps/v1/deployments". */
export const COLLECTIONS = [
  'api/v1/pods',
  'api/v1/services',
  'api/v1/endpoints',
  'api/v1/configmaps',
  'api/v1/serviceaccounts',
  'apis/apps/v1/deployments',
  'apis/apps/v1/replicasets',
  'apis/apps/v1/statefulsets',
  'apis/apps/v1/daemonsets',
  'apis/apps/v1/controllerrevisions',
  'apis/batch/v1/jobs',
  'apis/discovery.k8s.io/v1/endpointslices',
  'apis/policy/v1/poddisruptionbudgets',
] as const;
export type CollectionPath = (typeof COLLECTIONS)[number];

/** All objects of the namespace, by collection. */
export type World = Readonly<Record<CollectionPath, readonly KubeObject[]>>;

export function pathIn({ namespace }: Side, collection: CollectionPath, name?: string): string {
  const cut = collection.lastIndexOf('/');
  const base = `/${collection.slice(0, cut)}/namespaces/${namespace}/${collection.slice(cut + 1)}`;
  return name === undefined ? base : `${base}/${name}`;
}

export async function worldOf(side: Side): Promise<World> {
  const lists = await Promise.all(
    COLLECTIONS.map(async (collection) => [collection, await listOf(side, collection)] as const),
  );
  return Object.fromEntries(lists) as unknown as World;
}

export async function listOf(side: Side, collection: CollectionPath): Promise<readonly KubeObject[]> {
  const { items, kind } = await ask(side, 'GET', pathIn(side, collection));
  // Lists leave the kind of their items out.
  const named = { kind: String(kind).replace(/List$/, '') };
  return (isJsonArray(items) ? items : []).map((item) => ({ ...(item as unknown as KubeObject), ...named }));
}

export type PatchType = 'merge' | 'strategic' | 'apply';
const CONTENT_TYPES: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

export const create = (side: Side, collection: CollectionPath, object: JsonObject): Promise<JsonObject> =>
  ask(side, 'POST', pathIn(side, collection), { body: object });

export function patch(
  side: Side,
  path: string,
  body: JsonObject,
  { type = 'strategic' }: { readonly type?: PatchType } = {},
): Promise<JsonObject> {
  const query = type === 'apply' ? '?fieldManager=test&force=true' : '?fieldManager=test';
  return ask(side, 'PATCH', `${path}${query}`, { body, contentType: CONTENT_TYPES[type] });
}

export const remove = (side: Side, path: string, options: JsonObject = {}): Promise<JsonObject> =>
  ask(side, 'DELETE', path, { body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options } });

interface Sent {
  readonly body?: JsonValue;
  readonly contentType?: string;
  /** Statuses that are no failure beside those of success. */
  readonly unless?: readonly number[];
}

/** The answer's body. Throws unless it is a success. */
export async function ask(
  { name, transport }: Side,
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  { body, contentType = 'application/json', unless = [] }: Sent = {},
): Promise<JsonObject> {
  const headers = { accept: 'application/json', 'content-type': contentType, 'user-agent': 'test' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await transport.request({ method, path, headers, ...sent });
  const text = await response.text();
  if (response.status >= 300 && !unless.includes(response.status))
    throw new Error(`${name}: ${method} ${path} was answered with ${response.status}: ${text}`);
  const answer = parseJson(text);
  return isJsonObject(answer) ? answer : {};
}
