// Which objects are a parent's outputs, and of which input each is.

import type { MapDefinition } from '../../model/definition.ts';
import { controllerOf, type KubeObject, sortedByPlace } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import type { ChildGroup, ParentView } from '../../model/view.ts';
import { MAP_KEY_HASH_LABEL, mapKeyHash, mapKeyIn, mapKeyOf } from './map-key.ts';
import type { OutputSet } from './payload.ts';

interface KeyedInput {
  readonly mapKey: string;
  readonly input: KubeObject;
}

/** The inputs of one parent, with their keys. */
export class InputKeys {
  readonly inputs: readonly KeyedInput[];
  readonly #controller: string;
  readonly #known: ReadonlySet<string>;
  #byHash: ReadonlyMap<string, string> | undefined;

  constructor({ name }: Pick<MapDefinition, 'name'>, groups: readonly ChildGroup[]) {
    this.#controller = name;
    this.inputs = groups.flatMap(({ objects }) => objects.map((input) => ({ input, mapKey: mapKeyOf(name, input) })));
    this.#known = new Set(this.inputs.map(({ mapKey }) => mapKey));
  }

  has(mapKey: string): boolean {
    return this.#known.has(mapKey);
  }

  /** Of which input the object is; undefined: it was not made by this controller. */
  keyOf(output: KubeObject): string | undefined {
    return mapKeyIn(output, this.#controller) ?? this.#byLabel(output.metadata.labels?.[MAP_KEY_HASH_LABEL]);
  }

  /** Somebody has taken the annotation off: as long as its input is there, the label says whose it is. */
  #byLabel(hash: string | undefined): string | undefined {
    if (hash === undefined) return undefined;
    this.#byHash ??= new Map(this.inputs.map(({ mapKey }) => [mapKeyHash(mapKey), mapKey]));
    return this.#byHash.get(hash);
  }
}

/** Sorted by namespace and name, kind by kind. Orphans are nobody's: outputs are not adopted. */
export function outputsOf(
  { parent, children }: Pick<ParentView, 'parent' | 'children'>,
  keys: InputKeys,
): ChildGroup[] {
  return children.map(({ type, objects }) => {
    const own = objects.filter(
      (object) => controllerOf(object)?.uid === parent.metadata.uid && keys.keyOf(object) !== undefined,
    );
    return { type, objects: sortedByPlace(own, (object) => object) };
  });
}

export interface SortedOutputs {
  /** One for each input, in their order. */
  readonly live: readonly (OutputSet & { readonly input: KubeObject })[];
  /** Of inputs that are gone, by key. */
  readonly detached: readonly OutputSet[];
}

export function sortOutputs(groups: readonly ChildGroup[], keys: InputKeys): SortedOutputs {
  const types = groups.map(({ type }) => type);
  const byKey = new Map<string, KubeObject[][]>();
  for (const [index, { objects }] of groups.entries()) {
    for (const object of objects) {
      const key = keys.keyOf(object);
      if (key === undefined) continue;
      const lists = byKey.get(key) ?? types.map(() => []);
      byKey.set(key, lists);
      lists[index]?.push(object);
    }
  }
  const groupsOf = (lists: KubeObject[][] | undefined): ChildGroup[] =>
    types.map((type: ResourceType, index) => ({ type, objects: lists?.[index] ?? [] }));
  const gone = [...byKey].filter(([key]) => !keys.has(key)).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    live: keys.inputs.map(({ mapKey, input }) => ({ mapKey, input, outputs: groupsOf(byKey.get(mapKey)) })),
    detached: gone.map(([mapKey, lists]) => ({ mapKey, outputs: groupsOf(lists) })),
  };
}
