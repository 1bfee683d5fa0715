// Which caches serve a rule of a customize hook: the narrowest, unless a wider one is open anyway.

import type { RelatedRule } from '../model/need.ts';
import { groupResourceOf, type ResourceType } from '../model/resource.ts';
import { formatSelector } from '../plan/index.ts';
import type { CacheScope } from '../ports/cache.ts';

/** A watch for each named object up to so many of one resource in one place; beyond, one for all that are there. */
const NAMED_SCOPES = 16;

export class RelatedScopes {
  readonly #open: CacheScope[];

  /** `open`: scopes of which the caches hold everything already. */
  constructor(open: readonly CacheScope[]) {
    this.#open = [...open];
  }

  /** To be ensured, and then read. `home`: the namespace of the parent that asks, of which sharded scopes hold everything. */
  of(rule: RelatedRule, type: ResourceType, home?: string): readonly CacheScope[] {
    const place = { type, ...(rule.namespace === undefined ? {} : { namespace: rule.namespace }) };
    const { names, labelSelector } = rule;
    if (names) return this.#named(names, place, home);
    const selector = labelSelector ? formatSelector(labelSelector) : '';
    return [this.#covering(selector === '' ? place : { ...place, labelSelector: selector }, home)];
  }

  #named(names: readonly string[], place: CacheScope, home: string | undefined): readonly CacheScope[] {
    const wanted = names.map((name) => ({ ...place, name })).map((scope) => this.#coverOf(scope, home) ?? scope);
    const coming = wanted.filter((scope) => !this.#open.includes(scope));
    const beside = this.#open.filter((scope) => scope.name !== undefined && isSamePlace(scope, place));
    if (beside.length + coming.length > NAMED_SCOPES) return [this.#covering(place, home)];
    this.#open.push(...coming);
    return [...new Set(wanted)];
  }

  #covering(scope: CacheScope, home: string | undefined): CacheScope {
    const known = this.#coverOf(scope, home);
    if (known === undefined) this.#open.push(scope);
    return known ?? scope;
  }

  #coverOf(scope: CacheScope, home: string | undefined): CacheScope | undefined {
    const isWhole = ({ sharded }: CacheScope): boolean => !sharded || (home !== undefined && scope.namespace === home);
    return this.#open.find((open) => isWhole(open) && covers(open, scope));
  }
}

function covers(wide: CacheScope, narrow: CacheScope): boolean {
  if (!isSameType(wide.type, narrow.type)) return false;
  return (['namespace', 'labelSelector', 'name'] as const).every(
    (field) => wide[field] === undefined || wide[field] === narrow[field],
  );
}

const isSamePlace = (a: CacheScope, b: CacheScope): boolean =>
  isSameType(a.type, b.type) && a.namespace === b.namespace;

const isSameType = (a: ResourceType, b: ResourceType): boolean =>
  groupResourceOf(a) === groupResourceOf(b) && a.version === b.version;
