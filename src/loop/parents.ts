// Which parents there are, and which of them an event concerns.

import { jsonEqual } from '../kit/json.ts';
import { definitionId } from '../model/definition.ts';
import { controllerOf, isDeleting, type KubeObject } from '../model/object.ts';
import type { CacheChange, ObjectCache } from '../ports/cache.ts';
import { type Controller, isParentOf, type RelatedReader } from '../reconcile/index.ts';

/** "0 default/web": the controller's place in the list, and the parent's name. */
export type ParentKey = string;

/** Which parents are meant: those of a namespace, or named ones. */
export type ParentTarget = (parent: KubeObject) => boolean;

const keyOf = (index: number, parent: KubeObject): ParentKey =>
  `${index} ${parent.metadata.namespace ?? ''}/${parent.metadata.name}`;

export interface FoundParent {
  readonly controller: Controller;
  readonly parent: KubeObject;
}

export interface ParentSources {
  readonly cache: ObjectCache;
  readonly related: Pick<RelatedReader, 'concernedBy'>;
}

export class Parents {
  readonly #controllers: readonly Controller[];
  readonly #cache: ObjectCache;
  readonly #isTarget: (parent: KubeObject) => boolean;
  readonly #related: Pick<RelatedReader, 'concernedBy'>;

  constructor(controllers: readonly Controller[], { cache, related }: ParentSources, target: ParentTarget) {
    this.#controllers = controllers;
    this.#cache = cache;
    this.#related = related;
    this.#isTarget = target;
  }

  all(): ParentKey[] {
    return this.#controllers.flatMap((controller, index) =>
      this.#listed(controller).map((parent) => keyOf(index, parent)),
    );
  }

  #listed(controller: Controller): KubeObject[] {
    if (!controller.parentScope) return [];
    const live = this.#cache.list(controller.parentScope);
    return live.filter((parent) => isParentOf(controller, parent) && this.#isTarget(parent));
  }

  find(key: ParentKey): FoundParent | undefined {
    const [index, path] = key.split(' ') as [string, string];
    const controller = this.#controllers[Number(index)];
    if (!controller?.parentScope) return undefined;
    const [namespace, name] = path.split('/') as [string, string];
    const parent = this.#cache.get(controller.parentScope, name, namespace === '' ? undefined : namespace);
    const wanted = parent && this.#isTarget(parent) && isParentOf(controller, parent);
    return wanted ? { controller, parent } : undefined;
  }

  /** Parents that must be looked at because of an event, in any cache of any controller. */
  concernedBy(change: CacheChange): ParentKey[] {
    const owners = this.#controllers.flatMap((controller, index) => {
      const keys: ParentKey[] = [];
      const object = change.after ?? change.before;
      if (!object) return keys;
      if (isSame(change, controller.parentType) && !isIgnored(change, controller)) keys.push(keyOf(index, object));
      const { childTypes, revisions } = controller;
      if ([...childTypes, ...(revisions ? [revisions.type] : [])].some((type) => isSame(change, type)))
        keys.push(...this.#ownersOf(change, controller, index));
      return keys;
    });
    return [...owners, ...this.#lookingAt(change)];
  }

  /** Parents whose customize hook asked for the object, or for what is in the namespace. */
  #lookingAt(change: CacheChange): ParentKey[] {
    return this.#related.concernedBy(change).flatMap(({ controller, parent }) => {
      const index = this.#controllers.findIndex(({ definition }) => definitionId(definition) === controller);
      return index < 0 ? [] : `${index} ${parent.namespace ?? ''}/${parent.name}`;
    });
  }

  #ownersOf({ before, after }: CacheChange, controller: Controller, index: number): ParentKey[] {
    const owners = [before, after].flatMap((object) => (object && ownerIn(object, controller)) ?? []);
    const keys = owners.map(({ name, namespace }) => `${index} ${namespace}/${name}`);
    return [...new Set([...keys, ...this.#adoptersOf({ before, after }, controller, index)])];
  }

  /**
   * An orphan may be adopted by any parent of its namespace; one that was an orphan with these labels was judged before.
   * One that took its time to go may have been in the way of any child.
   */
  #adoptersOf(
    { before, after }: Pick<CacheChange, 'before' | 'after'>,
    controller: Controller,
    index: number,
  ): ParentKey[] {
    const object = after ?? (before && isDeleting(before) ? before : undefined);
    if (!object || controllerOf(object)) return [];
    const judged = after && before && !controllerOf(before) && jsonEqual(before.metadata.labels, after.metadata.labels);
    if (judged) return [];
    return this.#listed(controller)
      .filter(({ metadata }) => metadata.namespace === undefined || metadata.namespace === object.metadata.namespace)
      .map((parent) => keyOf(index, parent));
  }
}

/** With ignoreStatusChanges: an update that is neither a deletion nor one of the spec, the labels or the annotations. */
function isIgnored({ before, after }: CacheChange, { parentRule }: Controller): boolean {
  if (!parentRule.ignoreStatusChanges || !before || !after || isDeleting(after)) return false;
  if (before.metadata.uid !== after.metadata.uid) return false;
  return (['generation', 'labels', 'annotations'] as const).every((field) =>
    jsonEqual(before.metadata[field], after.metadata[field]),
  );
}

const isSame = (change: CacheChange, type: Controller['parentType']): boolean =>
  change.type.group === type.group && change.type.resource === type.resource;

function ownerIn(child: KubeObject, { parentType }: Controller): { name: string; namespace: string } | undefined {
  const owner = controllerOf(child);
  if (owner?.kind !== parentType.kind) return undefined;
  const group = owner.apiVersion.includes('/') ? owner.apiVersion.slice(0, owner.apiVersion.indexOf('/')) : '';
  if (group !== parentType.group) return undefined;
  return { name: owner.name, namespace: parentType.namespaced ? (child.metadata.namespace ?? '') : '' };
}
