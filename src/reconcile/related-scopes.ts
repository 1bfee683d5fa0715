// Which caches serve a rule of a customize hook: the narrowest, unless a wider one is open anyway.

import type { RelatedRule } from '../model/need.ts';
import { groupResourceOf, type ResourceType } from '../model/resource.ts';
import { formatSelector } from '../plan/index.ts';
import type { CacheScope } from '../ports/cache.ts';

/** A watch for each named object up to so many of one resource in one place; beyond, one for all that are there. */
const NAMED_SCOPES = 16;

export class RelatedScopes {
  readonly #open: CacheScope[];
  /** Being opened, and perhaps refused: only who asks for the very same is referred to them. */
  readonly #coming = new Set<CacheScope>();

  /** `open`: scopes of which the caches hold everything already. */
  constructor(open: readonly CacheScope[]) {
    this.#open = [...open];
  }

  /**
   * To be ensured, and then read; how that went is to be told by opened() or refused(). `home`: the namespace of the parent
   * that asks, of which sharded scopes hold everything.
   */
  of(rule: RelatedRule, type: ResourceType, home?: string): readonly CacheScope[] {
    const place = { type, ...(rule.namespace === undefined ? {} : { namespace: rule.namespace }) };
    const { names, labelSelector } = rule;
    if (names) return this.#named(names, place, home);
    const selector = labelSelector ? formatSelector(labelSelector) : '';
    return [this.#known(selector === '' ? place : { ...place, labelSelector: selector }, home)].map(this.#comes);
  }

  opened(scope: CacheScope): void {
    if (this.#coming.delete(scope)) this.#open.push(scope);
  }

  refused(scope: CacheScope): void {
    this.#coming.delete(scope);
  }

  #named(names: readonly string[], place: CacheScope, home: string | undefined): readonly CacheScope[] {
    const wanted = [...new Set(names)].map((name) => this.#known({ ...place, name }, home));
    const all = new Set([...this.#open, ...this.#coming, ...wanted]);
    const named = [...all].filter((scope) => scope.name !== undefined && isSamePlace(scope, place));
    if (named.length > NAMED_SCOPES) return [this.#known(place, home)].map(this.#comes);
    return [...new Set(wanted)].map(this.#comes);
  }

  /** One that serves what is asked for, or is to. */
  #known(scope: CacheScope, home: string | undefined): CacheScope {
    const isWhole = ({ sharded }: CacheScope): boolean => !sharded || (home !== undefined && scope.namespace === home);
    const cover = this.#open.find((open) => isWhole(open) && covers(open, scope));
    return cover ?? [...this.#coming].find((coming) => isSame(coming, scope)) ?? scope;
  }

  readonly #comes = (scope: CacheScope): CacheScope => {
    if (!this.#open.includes(scope)) this.#coming.add(scope);
    return scope;
  };
}
function covers(wide: CacheScope, narrow: CacheScope): boolean {
  if (!isSameType(wide.type, narrow.type)) return false;
  return (['namespace', 'labelSelector', 'name'] as const).every(
    (field) => wide[field] === undefined || wide[field] === narrow[field],
  );
}

const isSame = (a: CacheScope, b: CacheScope): boolean => covers(a, b) && covers(b, a);

const isSamePlace = (a: CacheScope, b: CacheScope): boolean =>
  isSameType(a.type, b.type) && a.namespace === b.namespace;

const isSameType = (a: ResourceType, b: ResourceType): boolean =>
  groupResourceOf(a) === groupResourceOf(b) && a.version === b.version;
