// Which kinds are followed, and what keeps others from it. A problem is told once, until it is another one.

import type { ClusterClient } from '../../cluster/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { apiVersionOf, groupResourceOf } from '../../model/resource.ts';
import type { CacheScope, ObjectCache } from '../../ports/cache.ts';
import { diagnosticsOf } from '../problems.ts';

export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Absent or "": all objects. */
  readonly labelSelector?: string;
}

interface Parts {
  readonly client: Pick<ClusterClient, 'byResource'>;
  readonly cache: Pick<ObjectCache, 'ensure'>;
}

export class FollowedKinds {
  readonly #parts: Parts;
  readonly #onProblem: (problem: Diagnostic) => void;
  /** By group and resource, as are the problems. */
  readonly #scopes = new Map<string, CacheScope>();
  readonly #problems = new Map<string, Diagnostic>();

  constructor(parts: Parts, onProblem: (problem: Diagnostic) => void) {
    this.#parts = parts;
    this.#onProblem = onProblem;
  }

  has(kind: Pick<Kind, 'group' | 'resource'>): boolean {
    return this.#scopes.has(groupResourceOf(kind));
  }

  /** Listed. undefined: it is not followed. */
  scopeOf(kind: Kind): CacheScope | undefined {
    return this.#scopes.get(groupResourceOf(kind));
  }

  /** Of the last time that it was tried. */
  problemOf(kind: Kind): Diagnostic | undefined {
    return this.#problems.get(groupResourceOf(kind));
  }

  /** Its scope; undefined: not served, or there is a problem. */
  async follow(kind: Kind): Promise<CacheScope | undefined> {
    const key = groupResourceOf(kind);
    try {
      if (!this.#scopes.has(key)) await this.#list(key, kind);
      this.#problems.delete(key);
    } catch (error) {
      this.#failed(key, diagnosticsOf(error));
    }
    return this.#scopes.get(key);
  }

  async #list(key: string, { labelSelector = '', ...kind }: Kind): Promise<void> {
    const type = await this.#parts.client.byResource(apiVersionOf(kind), kind.resource);
    if (!type) return;
    const scope = { type, ...(labelSelector === '' ? {} : { labelSelector }) };
    await this.#parts.cache.ensure(scope);
    this.#scopes.set(key, scope);
  }

  #failed(key: string, [problem]: readonly Diagnostic[]): void {
    if (!problem) return;
    const known = this.#problems.get(key);
    this.#problems.set(key, problem);
    if (known?.summary !== problem.summary) this.#onProblem(problem);
  }
}
