// Which parents a change of any object concerns, by the rules of their customize hooks. Rules that are the same are kept
// once, and found by the object's name or namespace where they name one, so that an event does not cost a look at every
// parent.

import { canonicalJson, jsonEqual } from '../kit/json.ts';
import type { RelatedRule } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import { groupResourceOf, type ResourceType } from '../model/resource.ts';
import { matchesRule, matchesSelector, type NamespaceLabels } from '../plan/index.ts';
import type { CacheChange } from '../ports/cache.ts';

/** Whoever is concerned: compared as text. */
export type ParentId = string;

interface Entry {
  readonly rule: RelatedRule;
  readonly places: readonly string[];
  readonly key: string;
  readonly parents: Set<ParentId>;
}

export class RelatedIndex {
  readonly #entries = new Map<string, Entry>();
  /** "configmaps default/a", "configmaps default/", "configmaps /a", "configmaps /": what a rule names, and what not. */
  readonly #byPlace = new Map<string, Set<Entry>>();
  readonly #byParent = new Map<ParentId, Set<Entry>>();
  /** Those with a namespaceSelector. */
  readonly #selecting = new Set<Entry>();

  add(parent: ParentId, rule: RelatedRule, type: ResourceType): void {
    const key = `${groupResourceOf(type)} ${canonicalJson(rule as unknown as [])}`;
    const entry = this.#entries.get(key) ?? this.#newEntry(key, rule, type);
    entry.parents.add(parent);
    setOf(this.#byParent, parent).add(entry);
  }

  /** From now on these rules alone are the parent's. */
  replace(parent: ParentId, rules: readonly { readonly rule: RelatedRule; readonly type: ResourceType }[]): void {
    const before = this.#byParent.get(parent) ?? new Set();
    this.#byParent.delete(parent);
    for (const { rule, type } of rules) this.add(parent, rule, type);
    const now = this.#byParent.get(parent);
    for (const entry of before) {
      if (now?.has(entry)) continue;
      entry.parents.delete(parent);
      if (entry.parents.size === 0) this.#drop(entry);
    }
  }

  concernedBy({ type, before, after }: CacheChange, labelsOf: NamespaceLabels): ReadonlySet<ParentId> {
    const concerned = new Set<ParentId>();
    if (this.#entries.size === 0) return concerned;
    const objects = [before, after].filter((object) => object !== undefined);
    for (const object of objects) {
      for (const place of placesAround(type, object)) {
        for (const entry of this.#byPlace.get(place) ?? [])
          if (matchesRule(entry.rule, object, labelsOf)) addAll(concerned, entry.parents);
      }
    }
    if (type.group === '' && type.resource === 'namespaces') this.#byNamespace({ before, after }, concerned);
    return concerned;
  }

  /** A namespace came, went, or has other labels: what is in it comes into view, or goes out of it. */
  #byNamespace({ before, after }: Pick<CacheChange, 'before' | 'after'>, concerned: Set<ParentId>): void {
    if (before && after && jsonEqual(before.metadata.labels, after.metadata.labels)) return;
    for (const { rule, parents } of this.#selecting) {
      const [was, is] = [before, after].map(
        (object) =>
          object !== undefined &&
          rule.namespaceSelector !== undefined &&
          matchesSelector(rule.namespaceSelector, object.metadata.labels),
      );
      if (was !== is) addAll(concerned, parents);
    }
  }

  #newEntry(key: string, rule: RelatedRule, type: ResourceType): Entry {
    const resource = groupResourceOf(type);
    const places = (rule.names ?? ['']).map((name) => placeOf(resource, rule.namespace, name));
    const entry: Entry = { rule, places, key, parents: new Set() };
    this.#entries.set(key, entry);
    for (const place of places) setOf(this.#byPlace, place).add(entry);
    if (rule.namespaceSelector) this.#selecting.add(entry);
    return entry;
  }

  #drop(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#selecting.delete(entry);
    for (const place of entry.places) {
      const entries = this.#byPlace.get(place);
      entries?.delete(entry);
      if (entries?.size === 0) this.#byPlace.delete(place);
    }
  }
}

const placeOf = (resource: string, namespace: string | undefined, name: string): string =>
  `${resource} ${namespace ?? ''}/${name}`;

/** Every place at which a rule that may mean the object is kept. */
function placesAround(type: ResourceType, { metadata }: KubeObject): ReadonlySet<string> {
  const resource = groupResourceOf(type);
  const { name = '', namespace } = metadata;
  const namespaces = [namespace, undefined];
  return new Set(namespaces.flatMap((place) => [placeOf(resource, place, name), placeOf(resource, place, '')]));
}

function setOf<V>(map: Map<string, Set<V>>, key: string): Set<V> {
  const known = map.get(key);
  if (known) return known;
  const made = new Set<V>();
  map.set(key, made);
  return made;
}

function addAll<V>(into: Set<V>, values: Iterable<V>): void {
  for (const value of values) into.add(value);
}
