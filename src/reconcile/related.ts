// Reads related objects for the planner, through the shared caches, and remembers which parents look at which.

import type { Clock } from '../kit/clock.ts';
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
import { UnusedScopes } from './unused-scopes.ts';

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
  /** Who holds the scopes that are opened, each until no parent has used it for a while; absent: they stay open to the end. */
  readonly held?: { readonly holder: string; readonly clock: Clock } | undefined;
  readonly resources: RelatedResources;
  /** Scopes of which the cache holds everything as long as this lives: those of the controllers. */
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

/** What one need came to. */
interface Look {
  readonly resolved: readonly Resolved[];
  /** All that it is read from; those of the namespaces too, where a rule selects them. */
  readonly scopes: readonly CacheScope[];
}

export class RelatedObjects implements RelatedReader {
  readonly #cache: ObjectCache;
  readonly #holder: string | undefined;
  readonly #resources: RelatedResources;
  readonly #coming: NonNullable<RelatedOptions['coming']>;
  readonly #unused: UnusedScopes | undefined;
  readonly #scopes: RelatedScopes;
  readonly #index = new RelatedIndex();
  readonly #parents = new Map<string, ConcernedParent>();
  /** Of each parent: the needs that have been read, what their rules mean, and the scopes that are held for them. */
  readonly #looks = new Map<string, Map<string, Look>>();
  /** Of all namespaces, while it is open. */
  #namespaces: CacheScope | undefined;

  constructor({ cache, held, resources, open = [], coming = [] }: RelatedOptions) {
    this.#cache = cache;
    this.#holder = held?.holder;
    this.#resources = resources;
    this.#coming = coming;
    this.#unused = held && new UnusedScopes(held.clock, (scope) => this.#release(scope, held.holder));
    this.#scopes = new RelatedScopes(open, this.#unused);
  }

  async read(need: RelatedNeed): Promise<RelatedAnswer> {
    const { id } = need;
    const { namespaces, ...look } = await this.#take(need);
    try {
      const diagnostics = await this.#ensure(look.scopes);
      if (diagnostics.length > 0) return { kind: 'related', id, ok: false, diagnostics };
      // From here on without a pause: an event between the look and the note would be lost.
      this.#namespaces = namespaces ?? this.#namespaces;
      this.#note(need, look);
      const groups = look.resolved.map((part) => this.#groupOf(part));
      return { kind: 'related', id, ok: true, groups: await Promise.all(groups.map((group) => this.#withHint(group))) };
    } finally {
      this.#scopes.leave(look.scopes);
    }
  }

  used(controller: string, parent: Ref, needs: readonly RelatedNeed[]): void {
    const key = idOf(controller, parent);
    const before = this.#looks.get(key) ?? new Map<string, Look>();
    const ids = new Set(needs.map(({ id }) => id));
    const now = new Map([...before].filter(([id]) => ids.has(id)));
    this.#index.replace(key, [...now.values()].flatMap(({ resolved }) => resolved).flatMap(indexed));
    for (const [id, { scopes }] of before) if (!now.has(id)) this.#scopes.leave(scopes);
    if (now.size > 0) this.#looks.set(key, now);
    else this.#looks.delete(key);
    if (now.size === 0) this.#parents.delete(key);
  }

  /** Nothing is read any more. What is held then is for the holder to release. */
  close(): void {
    this.#unused?.close();
  }

  concernedBy(change: CacheChange): readonly ConcernedParent[] {
    const keys = [...this.#index.concernedBy(change, this.#labelsOf)];
    return keys.flatMap((key) => this.#parents.get(key) ?? []);
  }

  /** All scopes at once, when all is known that takes time: none is held for a read that fails before it begins. */
  async #take({ rules, parent }: RelatedNeed): Promise<Look & { readonly namespaces: CacheScope | undefined }> {
    const typed = await Promise.all(rules.map((rule) => this.#typed(rule)));
    const isSelecting = typed.some(({ rule, fits }) => rule.namespaceSelector && fits);
    const { apiVersion, resource } = NAMESPACES;
    const typeOfNamespaces = isSelecting ? await this.#resources.byResource(apiVersion, resource) : undefined;
    const namespaces = typeOfNamespaces ? this.#scopes.take(NAMESPACES, typeOfNamespaces) : [];
    const resolved = typed.map(({ rule, type, fits, isServed }) => {
      const scopes = type && fits && isServed ? this.#scopes.take(rule, type, parent.namespace) : [];
      return { rule, type, scopes };
    });
    const scopes = [...namespaces, ...resolved.flatMap((part) => part.scopes)];
    return { resolved, scopes, namespaces: namespaces[0] };
  }

  async #typed(rule: RelatedRule) {
    const type = await this.#resources.byResource(rule.apiVersion, rule.resource);
    const fits = type !== undefined && !misfitOf(rule, type);
    return { rule, type, fits, isServed: fits && (await this.#resources.isServed(type)) };
  }

  async #ensure(scopes: readonly CacheScope[]): Promise<Diagnostic[]> {
    const opened = await Promise.allSettled(scopes.map((scope) => this.#cache.ensure(scope, this.#holder)));
    for (const [index, scope] of scopes.entries())
      if (opened[index]?.status === 'fulfilled') this.#scopes.opened(scope);
    return opened.flatMap((outcome): Diagnostic[] => {
      if (outcome.status === 'fulfilled') return [];
      const denied = missingPermission(outcome.reason);
      if (denied === undefined) throw outcome.reason;
      return [denied];
    });
  }

  #release(scope: CacheScope, holder: string): void {
    this.#scopes.delete(scope);
    if (scope === this.#namespaces) this.#namespaces = undefined;
    this.#cache.release(holder, scope);
  }

  #note({ id, controller, parent }: RelatedNeed, look: Look): void {
    const key = idOf(controller, parent);
    const known = this.#looks.get(key) ?? new Map<string, Look>();
    this.#scopes.hold(look.scopes);
    this.#scopes.leave(known.get(id)?.scopes ?? []);
    this.#looks.set(key, known.set(id, look));
    this.#parents.set(key, { controller, parent });
    for (const { rule, type } of look.resolved.flatMap(indexed)) this.#index.add(key, rule, type);
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

const NAMESPACES = { apiVersion: 'v1', resource: 'namespaces' };

const idOf = (controller: string, parent: Ref): string => `${controller} ${refKey(parent)}`;

const isOf = (a: ResourceType, b: ResourceType): boolean => groupResourceOf(a) === groupResourceOf(b);

const indexed = ({ rule, type }: Resolved): { readonly rule: RelatedRule; readonly type: ResourceType }[] =>
  type ? [{ rule, type }] : [];
