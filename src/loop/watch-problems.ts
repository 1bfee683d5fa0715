// Watches that do not work. They are opened again for ever; but a run that may not watch would wait for its own writes
// until the time is up, so a refusal that repeats ends it, and other troubles are told when the time is up.

import { isPermanent, readFailureOf } from '../apply/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { groupResourceOf } from '../model/resource.ts';
import type { CacheChange, CacheScope, ObjectCache } from '../ports/cache.ts';

interface Trouble {
  readonly error: Error;
  readonly scope: CacheScope;
  readonly times: number;
}

/** A refusal may be an error of a moment: rights are given in any order. */
const REFUSALS = 3;

export class WatchProblems {
  readonly #troubles = new Map<string, Trouble>();
  readonly #off: () => void;

  constructor(cache: Pick<ObjectCache, 'onError'>, onRefused: (diagnostic: Diagnostic) => void) {
    this.#off = cache.onError((error, scope) => {
      const key = groupResourceOf(scope.type);
      const trouble = { error, scope, times: (this.#troubles.get(key)?.times ?? 0) + 1 };
      this.#troubles.set(key, trouble);
      if (isPermanent(error) && trouble.times >= REFUSALS) onRefused({ ...told(trouble), severity: 'error' });
    });
  }

  /** Something that was not our own doing arrived: that watch works. */
  works({ type }: CacheChange): void {
    this.#troubles.delete(groupResourceOf(type));
  }

  /** Watches that failed more than once and have said nothing since. */
  warnings(): Diagnostic[] {
    return [...this.#troubles.values()].filter(({ times }) => times > 1).map(told);
  }

  close(): void {
    this.#off();
  }
}

function told({ error, scope }: Trouble): Diagnostic {
  const { type, namespace } = scope;
  const place = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`;
  return { ...readFailureOf(`watching ${type.resource} ${place}`, error), severity: 'warning' };
}
