// Which parents there are, and which of them an event concerns. Controllers may come and go.

import { jsonEqual } from '../kit/json.ts';
import { definitionId } from '../model/definition.ts';
import { controllerOf, isDeleting, type KubeObject } from '../model/object.ts';
import { groupResourceOf, type ResourceType, splitApiVersion } from '../model/resource.ts';
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

export const parentKeyOf = (controller: Controller, { metadata }: KubeObject): ParentKey =>
  keyIn(placeOf(controller), metadata);

const keyIn = (place: string, { namespace = '', name = '' }: Name): ParentKey => `${place} ${namespace}/${name}`;

/** A controller with what every event needs of it. */
interface Hosted {
  readonly controller: Controller;
  readonly definition: string;
  /** Definition and parent resource: the beginning of its parents' keys. */
  readonly place: string;
  /** Of one that adopts by labels. */
  readonly adopters: Adopters | undefined;
}

export class Parents {
  readonly #cache: ObjectCache;
  readonly #isTarget: ParentTarget;
  readonly #related: Pick<RelatedReader, 'concernedBy'>;
  /** By their places. */
  readonly #controllers = new Map<string, Hosted>();
  /** Resource → whose parents, and whose children or revisions, it is. */
  #byParentType = new Map<string, Hosted[]>();
  #byChildType = new Map<string, Hosted[]>();
  #byInputType = new Map<string, Hosted[]>();

  constructor({ cache, related }: ParentSources, target: ParentTarget) {
    this.#cache = cache;
    this.#related = related;
    this.#isTarget = target;
  }

  /** Its caches are open. */
  add(controller: Controller): void {
    const definition = definitionId(controller.definition);
    const adopters = adoptsByLabels(controller) ? new Adopters(controller) : undefined;
    const hosted = { controller, definition, place: placeOf(controller), adopters };
    this.#controllers.set(hosted.place, hosted);
    if (adopters) for (const parent of this.#listed(hosted)) adopters.seen(parent);
    this.#index();
  }

  /** All controllers of a definition. */
  remove(definition: string): void {
    for (const hosted of this.#controllers.values())
      if (hosted.definition === definition) this.#controllers.delete(hosted.place);
    this.#index();
  }

  /** Those of one definition, or all. */
  all(definition?: string): ParentKey[] {
    return [...this.#controllers.values()]
      .filter((hosted) => definition === undefined || hosted.definition === definition)
      .flatMap((hosted) => this.#listed(hosted).map(({ metadata }) => keyIn(hosted.place, metadata)));
  }

  find(key: ParentKey): FoundParent | undefined {
    // Some names have spaces, as those of ClusterRoles may; definitions and resources have none.
    const end = key.indexOf(' ', key.indexOf(' ') + 1);
    const hosted = this.#controllers.get(key.slice(0, end));
    const scope = hosted?.controller.parentScope;
    if (!scope) return undefined;
    const { controller, adopters } = hosted;
    const [namespace, name = ''] = key.slice(end + 1).split('/');
    const parent = this.#cache.get(scope, name, namespace === '' ? undefined : namespace);
    if (!parent || !this.#isMeant(parent, hosted)) return undefined;
    // Whoever is worked on is known as he is, whether or not an event told of him.
    adopters?.seen(parent);
    return { controller, parent };
  }

  /** Parents that must be looked at because of an event, in any cache of any controller. */
  concernedBy(change: CacheChange): ParentKey[] {
    const object = change.after ?? change.before;
    if (!object) return [];
    const resource = groupResourceOf(change.type);
    const keys = new Set<ParentKey>();
    const addAll = (found: readonly ParentKey[]): void => {
      for (const key of found) keys.add(key);
    };
    for (const hosted of this.#byParentType.get(resource) ?? []) {
      parentMoved(hosted, change);
      if (!isIgnored(change, hosted.controller)) keys.add(keyIn(hosted.place, object.metadata));
    }
    for (const hosted of this.#byChildType.get(resource) ?? []) addAll(this.#ownersOf(change, hosted));
    for (const concerned of this.#related.concernedBy(change)) addAll(this.#keysOf(concerned));
    for (const hosted of this.#byInputType.get(resource) ?? []) addAll(this.#takersOf(change, hosted));
    return [...keys];
  }

  #index(): void {
    this.#byParentType = new Map();
    this.#byChildType = new Map();
    this.#byInputType = new Map();
    for (const hosted of this.#controllers.values()) {
      const { parentType, childTypes, revisions, inputs } = hosted.controller;
      enter(this.#byParentType, parentType, hosted);
      for (const type of [...childTypes, ...(revisions ? [revisions.type] : [])])
        enter(this.#byChildType, type, hosted);
      for (const { type } of inputs ?? []) enter(this.#byInputType, type, hosted);
    }
  }

  /** Parents of which it is, or was, an input. */
  #takersOf({ before, after }: CacheChange, hosted: Hosted): ParentKey[] {
    const versions = [before, after].filter((object) => object !== undefined);
    const { namespace } = versions[0]?.metadata ?? {};
    const near = this.#listed(hosted, hosted.controller.parentType.namespaced ? namespace : undefined);
    const takers = near.filter((parent) => versions.some((object) => isInputOf(parent, object)));
    return takers.map(({ metadata }) => keyIn(hosted.place, metadata));
  }

  #listed(hosted: Hosted, namespace?: string): KubeObject[] {
    const { parentScope } = hosted.controller;
    if (!parentScope) return [];
    return this.#cache.list(parentScope, namespace).filter((parent) => this.#isMeant(parent, hosted));
  }

  #isMeant(parent: KubeObject, { controller, definition }: Hosted): boolean {
    return isParentOf(controller, parent) && this.#isTarget(parent, definition);
  }

  /** Parents whose customize hook asked for the object, or for what is in the namespace. */
  #keysOf({ controller, parent }: ConcernedParent): ParentKey[] {
    return [...this.#controllers.values()]
      .filter(({ definition }) => definition === controller)
      .filter(({ controller: { parentType } }) => parentType.kind === parent.kind)
      .map(({ place }) => keyIn(place, parent));
  }

  #ownersOf({ before, after }: CacheChange, hosted: Hosted): readonly ParentKey[] {
    const owners = [before, after].map((object) => object && ownerIn(object, hosted));
    return [...owners.filter((key) => key !== undefined), ...this.#adoptersOf({ before, after }, hosted)];
  }

  /**
   * An orphan may be adopted by parents of its namespace; one that was an orphan with these labels was judged before.
   * One that took its time to go may have been in the way of any child.
   */
  #adoptersOf({ before, after }: Pick<CacheChange, 'before' | 'after'>, hosted: Hosted): readonly ParentKey[] {
    const { controller, adopters, place } = hosted;
    const left = before && isDeleting(before) ? before : undefined;
    const object = after ? (adopts(controller) ? after : undefined) : left;
    if (!object || controllerOf(object)) return [];
    const judged = after && before && !controllerOf(before) && jsonEqual(before.metadata.labels, after.metadata.labels);
    if (judged) return [];
    if (after && adopters) {
      const keys = adopters.of(after).map(({ metadata }) => keyIn(place, metadata));
      return keys.filter((key) => this.find(key) !== undefined);
    }
    const { namespaced } = controller.parentType;
    // The children of a cluster-scoped parent may be anywhere.
    const candidates = this.#listed(hosted, namespaced ? (object.metadata.namespace ?? '') : undefined);
    return candidates.map(({ metadata }) => keyIn(place, metadata));
  }
}

function parentMoved({ adopters }: Hosted, { before, after }: CacheChange): void {
  if (after) adopters?.seen(after);
  else if (before) adopters?.gone(before);
}

function enter(index: Map<string, Hosted[]>, type: ResourceType, hosted: Hosted): void {
  const resource = groupResourceOf(type);
  const known = index.get(resource);
  if (!known) index.set(resource, [hosted]);
  // A resource that stands in two child rules is one.
  else if (!known.includes(hosted)) known.push(hosted);
}

/** With ignoreStatusChanges: an update that is neither a deletion nor one of the spec, the labels or the annotations. */
function isIgnored({ before, after }: CacheChange, { parentRule }: Controller): boolean {
  if (!parentRule.ignoreStatusChanges || !before || !after || isDeleting(after)) return false;
  if (before.metadata.uid !== after.metadata.uid) return false;
  return (['generation', 'labels', 'annotations'] as const).every((field) =>
    jsonEqual(before.metadata[field], after.metadata[field]),
  );
}

/** The parent that controls the object, if it is one of this controller's. */
function ownerIn(child: KubeObject, { controller: { parentType }, place }: Hosted): ParentKey | undefined {
  const owner = controllerOf(child);
  if (owner?.kind !== parentType.kind || splitApiVersion(owner.apiVersion).group !== parentType.group) return undefined;
  return keyIn(place, { name: owner.name, namespace: parentType.namespaced ? child.metadata.namespace : undefined });
}
