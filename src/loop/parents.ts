// Which parents there are, and which of them an event concerns. Controllers may come and go.

import { jsonEqual } from '../kit/json.ts';
import { definitionId } from '../model/definition.ts';
import { controllerOf, isDeleting, type KubeObject } from '../model/object.ts';
import { groupResourceOf, type ResourceType } from '../model/resource.ts';
import type { CacheChange, ObjectCache } from '../ports/cache.ts';
import {
  adopts,
  adoptsByLabels,
  type ConcernedParent,
  type Controller,
  isInputOf,
  isParentOf,
  type RelatedReader,
} from '../reconcile/index.ts';
import { Adopters } from './adopters.ts';

/** "CompositeController/catset catsets.ctl.enisoc.com default/web": definition, resource and name of the parent. */
export type ParentKey = string;

/** Which parents of a definition are meant: those of a namespace, named ones, those of some shards. */
export type ParentTarget = (parent: KubeObject, definition: string) => boolean;

export interface FoundParent {
  readonly controller: Controller;
  readonly parent: KubeObject;
}

export interface ParentSources {
  readonly cache: ObjectCache;
  readonly related: Pick<RelatedReader, 'concernedBy'>;
}

interface Name {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Parents have a controller's turns by its definition. */
export const definitionOfKey = (key: ParentKey): string => key.slice(0, key.indexOf(' '));

const placeOf = ({ definition, parentType }: Controller): string =>
  `${definitionId(definition)} ${groupResourceOf(parentType)}`;

export const parentKeyOf = (controller: Controller, { metadata }: KubeObject): ParentKey => keyOf(controller, metadata);

const keyOf = (controller: Controller, { namespace = '', name = '' }: Name): ParentKey =>
  `${placeOf(controller)} ${namespace}/${name}`;

export class Parents {
  readonly #cache: ObjectCache;
  readonly #isTarget: ParentTarget;
  readonly #related: Pick<RelatedReader, 'concernedBy'>;
  /** By definition and parent resource: the beginning of their keys. */
  readonly #controllers = new Map<string, Controller>();
  /** By the same; of those that adopt by labels. */
  readonly #adopters = new Map<string, Adopters>();
  /** Resource → whose parents, and whose children or revisions, it is. */
  #byParentType = new Map<string, Controller[]>();
  #byChildType = new Map<string, Controller[]>();
  #byInputType = new Map<string, Controller[]>();

  constructor({ cache, related }: ParentSources, target: ParentTarget) {
    this.#cache = cache;
    this.#related = related;
    this.#isTarget = target;
  }

  /** Its caches are open. */
  add(controller: Controller): void {
    this.#controllers.set(placeOf(controller), controller);
    if (adoptsByLabels(controller)) {
      const adopters = new Adopters(controller);
      this.#adopters.set(placeOf(controller), adopters);
      for (const parent of this.#listed(controller)) adopters.seen(parent);
    }
    this.#index();
  }

  /** All controllers of a definition. */
  remove(definition: string): void {
    for (const [place, controller] of this.#controllers) {
      if (definitionId(controller.definition) !== definition) continue;
      this.#controllers.delete(place);
      this.#adopters.delete(place);
    }
    this.#index();
  }

  /** Those of one definition, or all. */
  all(definition?: string): ParentKey[] {
    return [...this.#controllers.values()]
      .filter((controller) => definition === undefined || definitionId(controller.definition) === definition)
      .flatMap((controller) => this.#listed(controller).map(({ metadata }) => keyOf(controller, metadata)));
  }

  find(key: ParentKey): FoundParent | undefined {
    const [definition, resource, path = ''] = key.split(' ');
    const controller = this.#controllers.get(`${definition} ${resource}`);
    if (!controller?.parentScope) return undefined;
    const [namespace, name = ''] = path.split('/');
    const parent = this.#cache.get(controller.parentScope, name, namespace === '' ? undefined : namespace);
    const id = definitionId(controller.definition);
    const wanted = parent && this.#isTarget(parent, id) && isParentOf(controller, parent);
    // Whoever is worked on is known as he is, whether or not an event told of him.
    if (wanted) this.#adopters.get(`${definition} ${resource}`)?.seen(parent);
    return wanted ? { controller, parent } : undefined;
  }

  /** Parents that must be looked at because of an event, in any cache of any controller. */
  concernedBy(change: CacheChange): ParentKey[] {
    const object = change.after ?? change.before;
    if (!object) return [];
    const resource = groupResourceOf(change.type);
    const parents = this.#byParentType.get(resource) ?? [];
    for (const controller of parents) this.#parentMoved(controller, change);
    const keys = parents
      .filter((controller) => !isIgnored(change, controller))
      .map((controller) => keyOf(controller, object.metadata));
    const owners = (this.#byChildType.get(resource) ?? []).flatMap((controller) => this.#ownersOf(change, controller));
    const looking = this.#related.concernedBy(change).flatMap((concerned) => this.#keysOf(concerned));
    const taking = (this.#byInputType.get(resource) ?? []).flatMap((controller) => this.#takersOf(change, controller));
    return [...new Set([...keys, ...owners, ...looking, ...taking])];
  }

  #index(): void {
    this.#byParentType = new Map();
    this.#byChildType = new Map();
    this.#byInputType = new Map();
    for (const controller of this.#controllers.values()) {
      enter(this.#byParentType, controller.parentType, controller);
      const { childTypes, revisions } = controller;
      for (const type of [...childTypes, ...(revisions ? [revisions.type] : [])])
        enter(this.#byChildType, type, controller);
      for (const { type } of controller.inputs ?? []) enter(this.#byInputType, type, controller);
    }
  }

  #parentMoved(controller: Controller, { before, after }: CacheChange): void {
    const adopters = this.#adopters.get(placeOf(controller));
    if (after) adopters?.seen(after);
    else if (before) adopters?.gone(before);
  }

  /** Parents of which it is, or was, an input. */
  #takersOf({ before, after }: CacheChange, controller: Controller): ParentKey[] {
    const versions = [before, after].filter((object) => object !== undefined);
    const { namespace } = versions[0]?.metadata ?? {};
    const near = this.#listed(controller, controller.parentType.namespaced ? namespace : undefined);
    const takers = near.filter((parent) => versions.some((object) => isInputOf(parent, object)));
    return takers.map(({ metadata }) => keyOf(controller, metadata));
  }

  #listed(controller: Controller, namespace?: string): KubeObject[] {
    if (!controller.parentScope) return [];
    const live = this.#cache.list(controller.parentScope, namespace);
    const id = definitionId(controller.definition);
    return live.filter((parent) => isParentOf(controller, parent) && this.#isTarget(parent, id));
  }

  /** Parents whose customize hook asked for the object, or for what is in the namespace. */
  #keysOf({ controller: definition, parent }: ConcernedParent): ParentKey[] {
    return [...this.#controllers.values()]
      .filter((controller) => definitionId(controller.definition) === definition)
      .filter(({ parentType }) => parentType.kind === parent.kind)
      .map((controller) => keyOf(controller, parent));
  }

  #ownersOf({ before, after }: CacheChange, controller: Controller): ParentKey[] {
    const owners = [before, after].flatMap((object) => (object && ownerIn(object, controller)) ?? []);
    const keys = owners.map((owner) => keyOf(controller, owner));
    return [...keys, ...this.#adoptersOf({ before, after }, controller)];
  }

  /**
   * An orphan may be adopted by parents of its namespace; one that was an orphan with these labels was judged before.
   * One that took its time to go may have been in the way of any child.
   */
  #adoptersOf({ before, after }: Pick<CacheChange, 'before' | 'after'>, controller: Controller): ParentKey[] {
    const left = before && isDeleting(before) ? before : undefined;
    const object = after ? (adopts(controller) ? after : undefined) : left;
    if (!object || controllerOf(object)) return [];
    const judged = after && before && !controllerOf(before) && jsonEqual(before.metadata.labels, after.metadata.labels);
    if (judged) return [];
    const adopters = after && this.#adopters.get(placeOf(controller));
    if (adopters)
      return adopters
        .of(after)
        .map(({ metadata }) => keyOf(controller, metadata))
        .filter((key) => this.find(key) !== undefined);
    const { namespaced } = controller.parentType;
    // The children of a cluster-scoped parent may be anywhere.
    const candidates = this.#listed(controller, namespaced ? (object.metadata.namespace ?? '') : undefined);
    return candidates.map(({ metadata }) => keyOf(controller, metadata));
  }
}

function enter(index: Map<string, Controller[]>, type: ResourceType, controller: Controller): void {
  const resource = groupResourceOf(type);
  const known = index.get(resource);
  if (!known) index.set(resource, [controller]);
  // A resource that stands in two child rules is one.
  else if (!known.includes(controller)) known.push(controller);
}

/** With ignoreStatusChanges: an update that is neither a deletion nor one of the spec, the labels or the annotations. */
function isIgnored({ before, after }: CacheChange, { parentRule }: Controller): boolean {
  if (!parentRule.ignoreStatusChanges || !before || !after || isDeleting(after)) return false;
  if (before.metadata.uid !== after.metadata.uid) return false;
  return (['generation', 'labels', 'annotations'] as const).every((field) =>
    jsonEqual(before.metadata[field], after.metadata[field]),
  );
}

function ownerIn(child: KubeObject, { parentType }: Controller): Name | undefined {
  const owner = controllerOf(child);
  if (owner?.kind !== parentType.kind) return undefined;
  const group = owner.apiVersion.includes('/') ? owner.apiVersion.slice(0, owner.apiVersion.indexOf('/')) : '';
  if (group !== parentType.group) return undefined;
  return { name: owner.name, namespace: parentType.namespaced ? child.metadata.namespace : undefined };
}
