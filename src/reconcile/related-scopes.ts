// Which caches serve a rule of a customize hook: the narrowest, unless a wider one is open anyway. Those that were opened
// for such rules are counted: one that nobody uses any more is given up after a while.

import type { RelatedRule } from '../model/need.ts';
import { groupResourceOf, type ResourceType } from '../model/resource.ts';
import { formatSelector } from '../plan/index.ts';
import type { CacheScope } from '../ports/cache.ts';
import type { UnusedScopes } from './unused-scopes.ts';

/** A watch for each named object up to so many of one resource in one place; beyond, one for all that are there. */
const NAMED_SCOPES = 16;

interface Opened {
  /** Before, it may yet be refused: only who asks for the very same is referred to it. */
  listed: boolean;
  /** Reads that are under way, and needs of parents: one for each time that it was taken or held. */
  users: number;
}

export class RelatedScopes {
  readonly #given: ReadonlySet<CacheScope>;
  /** No two are the same. */
  readonly #opened = new Map<CacheScope, Opened>();
  readonly #unused: UnusedScopes | undefined;

  /** `given`: scopes of which the caches hold everything as long as this lives. Without `unused` nothing is given up. */
  constructor(given: readonly CacheScope[], unused?: UnusedScopes) {
    this.#given = new Set(given);
    this.#unused = unused;
  }

  /**
   * To be ensured (and that told by opened()), then read; in use until leave(). `home`: the namespace of the parent that asks,
   * of which sharded scopes hold everything.
   */
  take(rule: RelatedRule, type: ResourceType, home?: string): readonly CacheScope[] {
    const scopes = this.#choose(rule, type, home);
    this.hold(scopes);
    return scopes;
  }

  opened(scope: CacheScope): void {
    const opened = this.#opened.get(scope);
    if (opened) opened.listed = true;
  }

  hold(scopes: readonly CacheScope[]): void {
    for (const scope of scopes) {
      if (this.#given.has(scope)) continue;
      const opened = this.#opened.get(scope) ?? { listed: false, users: 0 };
      opened.users++;
      this.#opened.set(scope, opened);
      this.#unused?.delete(scope);
    }
  }

  leave(scopes: readonly CacheScope[]): void {
    for (const scope of scopes) {
      const opened = this.#opened.get(scope);
      if (!opened || --opened.users > 0) continue;
      // It was refused.
      if (!opened.listed) this.#opened.delete(scope);
      else this.#unused?.add(scope);
    }
  }

  /** It is about to be closed: who asks again opens it anew. */
  delete(scope: CacheScope): void {
    this.#opened.delete(scope);
  }

  #choose(rule: RelatedRule, type: ResourceType, home: string | undefined): readonly CacheScope[] {
    const place = { type, ...(rule.namespace === undefined ? {} : { namespace: rule.namespace }) };
    const { names, labelSelector } = rule;
    if (names) return this.#named(names, place, home);
    const selector = labelSelector ? formatSelector(labelSelector) : '';
    return [this.#known(selector === '' ? place : { ...place, labelSelector: selector }, home)];
  }

  #named(names: readonly string[], place: CacheScope, home: string | undefined): readonly CacheScope[] {
    const wanted = [...new Set(names)].map((name) => this.#known({ ...place, name }, home));
    const fresh = wanted.filter((scope) => !this.#given.has(scope) && !this.#opened.has(scope));
    const beside = [...this.#opened.keys()].filter(
      (scope) => scope.name !== undefined && isSamePlace(scope, place) && !this.#unused?.has(scope),
    );
    const tooMany = fresh.length > 0 && beside.length + fresh.length > NAMED_SCOPES;
    return tooMany ? [this.#known(place, home)] : [...new Set(wanted)];
  }

  /** One that serves what is asked for, or is to. */
  #known(scope: CacheScope, home: string | undefined): CacheScope {
    const isWhole = ({ sharded }: CacheScope): boolean => !sharded || (home !== undefined && scope.namespace === home);
    for (const given of this.#given) if (isWhole(given) && covers(given, scope)) return given;
    for (const [open, { listed }] of this.#opened) if (listed && covers(open, scope)) return open;
    for (const coming of this.#opened.keys()) if (isSame(coming, scope)) return coming;
    return scope;
  }
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
