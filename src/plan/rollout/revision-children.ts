// The list `children` of a revision: which children are at it, by API group, kind and name.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { splitApiVersion } from '../../model/resource.ts';

/** "Pod./web-0", "Deployment.apps/web": kind, group and name as a revision lists them. */
export type ChildKey = string;

interface ListedChild {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

const keyOf = ({ apiGroup, kind, name }: ListedChild): ChildKey => `${kind}.${apiGroup}/${name}`;

/**
 * The name is relative to the parent: a namespaced one has all its children in its own namespace; below a cluster-scoped
 * one a namespaced child goes by namespace/name.
 */
export function childKey({ apiVersion, kind, metadata }: KubeObject, parent: KubeObject): ChildKey {
  const { name = '', namespace } = metadata;
  const relative = namespace && parent.metadata.namespace === undefined ? `${namespace}/${name}` : name;
  return keyOf({ apiGroup: splitApiVersion(apiVersion).group, kind, name: relative });
}

/** What the revision lists, in its order. What is not of the shape is passed over. */
export function listedChildren(revision: KubeObject): ChildKey[] {
  return entriesOf(revision['children']).map(keyOf);
}

function entriesOf(children: JsonValue | undefined): ListedChild[] {
  return itemsOf(children).flatMap((entry) => {
    if (!isJsonObject(entry) || typeof entry['kind'] !== 'string') return [];
    const { kind } = entry;
    const apiGroup = typeof entry['apiGroup'] === 'string' ? entry['apiGroup'] : '';
    const names = itemsOf(entry['names']).filter((name) => typeof name === 'string');
    return names.map((name) => ({ apiGroup, kind, name }));
  });
}

const itemsOf = (value: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(value) ? value : []);

/** The field for these children: one entry for each group and kind, names in the order given. */
export function childrenField(keys: readonly ChildKey[]): JsonObject[] {
  const entries = new Map<string, { apiGroup: string; kind: string; names: string[] }>();
  for (const key of keys) {
    const { apiGroup, kind, name } = partsOf(key);
    const entry = entries.get(`${kind}.${apiGroup}`) ?? { apiGroup, kind, names: [] };
    entry.names.push(name);
    entries.set(`${kind}.${apiGroup}`, entry);
  }
  return [...entries.values()];
}

function partsOf(key: ChildKey): ListedChild {
  const slash = key.indexOf('/');
  const dot = key.indexOf('.');
  return { kind: key.slice(0, dot), apiGroup: key.slice(dot + 1, slash), name: key.slice(slash + 1) };
}

/** For people: "Pod web-0". */
export function formatChildKey(key: ChildKey): string {
  const { kind, name } = partsOf(key);
  return `${kind} ${name}`;
}

/** The same children, whatever their order: then the revision is not written. */
export function sameChildren(a: readonly ChildKey[], b: readonly ChildKey[]): boolean {
  const has = new Set(a);
  return has.size === new Set(b).size && b.every((key) => has.has(key));
}

/** Those that stay in the order in which they are listed, then the new ones. */
export function mergedOrder(listed: readonly ChildKey[], wanted: readonly ChildKey[]): ChildKey[] {
  const stays = new Set(wanted);
  const kept = [...new Set(listed)].filter((key) => stays.has(key));
  const known = new Set(kept);
  return [...kept, ...wanted.filter((key) => !known.has(key))];
}
