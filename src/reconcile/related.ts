// Reads related objects for the planner, through the shared caches, and remembers which parents look at which.

import type { Diagnostic } from '../model/diagnostic.ts';
import type { RelatedAnswer, RelatedGroup, RelatedNeed, RelatedRule } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import { keyOf, type Ref, refKey } from '../model/ref.ts';
import { groupResourceOf, type ResourceType } from '../model/resource.ts';
import { matchesRule, misfitOf, type NamespaceLabels } from '../plan/index.ts';
import type { CacheChange, CacheScope, ObjectCache } from '../ports/cache.ts';
import { missingPermission } from '../ports/permission.ts';
import { RelatedIndex } from './related-index.ts';
import { RelatedScopes } from './related-scopes.ts';

/** What the driver needs for customize hooks. */
export interface RelatedReader {
  read(need: RelatedNeed): Promise<RelatedAnswer>;
  /** A planning has ended well: the parent looks at what these asked for, and at nothing else. */
  used(controller: string, parent: Ref, needs: readonly RelatedNeed[]): void;
  concernedBy(change: CacheChange): readonly ConcernedParent[];
}

export interface ConcernedParent {
  /** "CompositeController/catset" */
  readonly controller: string;
  readonly parent: Ref;
}

export interface RelatedResources {
  byResource(apiVersion: string, resource: string): Promise<ResourceType | undefined>;
  /** Now, and not only when the inputs are applied. */
  isServed(type: ResourceType): Promise<boolean>;
  /** What to write instead of a resource that is not there. */
  hintFor(rule: Pick<RelatedRule, 'apiVersion' | 'resource'>): Promise<string>;
}

export interface RelatedOptions {
  readonly cache: ObjectCache;
  /** Who holds the scopes that are opened; absent: they stay open to the end. */
  readonly holder?: string | undefined;
  readonly resources: RelatedResources;
  /** Scopes of which the cache holds everything already: those of the controllers. */
  readonly open?: readonly CacheScope[];
  /** Objects as they will be when the inputs are written: they stand for those in the cache. */
  readonly coming?: readonly { readonly type: ResourceType; readonly object: KubeObject }[];
}

interface Resolved {
  readonly rule: RelatedRule;
  readonly type: ResourceType | undefined;
  /** Empty where there is nothing to read. */
  readonly scopes: readonly CacheScope[];
}

export class RelatedObjects implements RelatedReader {
  readonly #cache: ObjectCache;
  readonly #holder: string | undefined;
  readonly #resources: RelatedResources;
  readonly #coming: NonNullable<RelatedOptions['coming']>;
  readonly #scopes: RelatedScopes;
  readonly #index = new RelatedIndex();
  readonly #parents = new Map<string, ConcernedParent>();
  /** Of each parent: the needs that have been read, and what their rules mean. */
  readonly #resolved = new Map<string, Map<string, readonly Resolved[]>>();
  #namespaces: CacheScope | undefined;

  constructor({ cache, holder, resources, open = [], coming = [] }: RelatedOptions) {
    this.#cache = cache;
    this.#holder = holder;
    this.#resources = resources;
    this.#coming = coming;
    this.#scopes = new RelatedScopes(open);
  }

  async read(need: RelatedNeed): Promise<RelatedAnswer> {
    const { id, rules, parent } = need;
    const resolved = await Promise.all(rules.map((rule) => this.#resolve(rule, parent.namespace)));
    const diagnostics = await this.#ensure(resolved.flatMap(({ scopes }) => scopes));
    if (rules.some(({ namespaceSelector }) => namespaceSelector)) [this.#namespaces] = await this.#namespaceScope();
    if (diagnostics.length > 0) return { kind: 'related', id, ok: false, diagnostics };
    // From here on without a pause: an event between the look and the note would be lost.
    this.#note(need, resolved);
    const groups = resolved.map((part) => this.#groupOf(part));
    return { kind: 'related', id, ok: true, groups: await Promise.all(groups.map((group) => this.#withHint(group))) };
  }

  used(controller: string, parent: Ref, needs: readonly RelatedNeed[]): void {
    const key = idOf(controller, parent);
    const before = this.#resolved.get(key);
    const now = new Map(needs.map(({ id }) => [id, before?.get(id) ?? []]));
    this.#index.replace(key, [...now.values()].flat().flatMap(indexed));
    if (now.size > 0) this.#resolved.set(key, now);
    else this.#resolved.delete(key);
    if (now.size === 0) this.#parents.delete(key);
  }

  concernedBy(change: CacheChange): readonly ConcernedParent[] {
    const keys = [...this.#index.concernedBy(change, this.#labelsOf)];
    return keys.flatMap((key) => this.#parents.get(key) ?? []);
  }

  async #resolve(rule: RelatedRule, home: string | undefined): Promise<Resolved> {
    const type = await this.#resources.byResource(rule.apiVersion, rule.resource);
    if (!type || misfitOf(rule, type) || !(await this.#resources.isServed(type))) return { rule, type, scopes: [] };
    const namespaces = rule.namespaceSelector ? await this.#namespaceScope() : [];
    return { rule, type, scopes: [...namespaces, ...this.#scopes.of(rule, type, home)] };
  }

  async #namespaceScope(): Promise<readonly CacheScope[]> {
    const type = await this.#resources.byResource('v1', 'namespaces');
    if (!type) return [];
    return this.#scopes.of({ apiVersion: 'v1', resource: 'namespaces' }, type);
  }

  async #ensure(scopes: readonly CacheScope[]): Promise<Diagnostic[]> {
    const opened = await Promise.allSettled(scopes.map((scope) => this.#cache.ensure(scope, this.#holder)));
    for (const [index, scope] of scopes.entries())
      if (opened[index]?.status === 'fulfilled') this.#scopes.opened(scope);
      else this.#scopes.refused(scope);
    return opened.flatMap((outcome): Diagnostic[] => {
      if (outcome.status === 'fulfilled') return [];
      const denied = missingPermission(outcome.reason);
      if (denied === undefined) throw outcome.reason;
      return [denied];
    });
  }

  #note({ id, controller, parent }: RelatedNeed, resolved: readonly Resolved[]): void {
    const key = idOf(controller, parent);
    const known = this.#resolved.get(key) ?? new Map<string, readonly Resolved[]>();
    this.#resolved.set(key, known.set(id, resolved));
    this.#parents.set(key, { controller, parent });
    for (const { rule, type } of resolved.flatMap(indexed)) this.#index.add(key, rule, type);
  }

  #groupOf({ rule, type, scopes }: Resolved): Resolved & { readonly objects: readonly KubeObject[] } {
    const found = new Map<string, KubeObject>();
    for (const scope of scopes)
      if (type && isOf(scope.type, type))
        for (const object of this.#cache.list(scope, rule.namespace)) found.set(keyOf(object), object);
    for (const { type: comingType, object } of this.#coming)
      if (type && isOf(comingType, type)) found.set(keyOf(object), object);
    const objects = [...found.values()].filter((object) => matchesRule(rule, object, this.#labelsOf));
    return { rule, type, scopes, objects };
  }

  async #withHint({ rule, type, objects }: Resolved & Pick<RelatedGroup, 'objects'>): Promise<RelatedGroup> {
    return type ? { type, objects } : { objects, hint: await this.#resources.hintFor(rule) };
  }

  readonly #labelsOf: NamespaceLabels = (name) => {
    const coming = this.#coming.find(({ object }) => object.kind === 'Namespace' && object.metadata.name === name);
    const object = coming?.object ?? (this.#namespaces && this.#cache.get(this.#namespaces, name));
    return object && (object.metadata.labels ?? {});
  };
}

const idOf = (controller: string, parent: Ref): string => `${controller} ${refKey(parent)}`;

const isOf = (a: ResourceType, b: ResourceType): boolean => groupResourceOf(a) === groupResourceOf(b);

const indexed = ({ rule, type }: Resolved): { readonly rule: RelatedRule; readonly type: ResourceType }[] =>
  type ? [{ rule, type }] : [];
