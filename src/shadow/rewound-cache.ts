// The caches as they were before one write: what would we have done then?

import { controllerOf, type KubeObject, sortedByPlace } from '../model/object.ts';
import { refKey, refOf } from '../model/ref.ts';
import { groupResourceOf } from '../model/resource.ts';
import type { CacheChange, CacheScope, ObjectCache } from '../ports/cache.ts';

/** Everything else is as it is now. Only what a planning reads is rewound. */
export function rewoundCache(cache: ObjectCache, { type, before, after }: CacheChange): ObjectCache {
  const subject = before ?? after;
  const key = subject && refKey(refOf(subject));
  const concerns = ({ type: of }: CacheScope): boolean => groupResourceOf(of) === groupResourceOf(type);
  const isOther = (object: KubeObject): boolean => refKey(refOf(object)) !== key;
  const rewound = (
    scope: CacheScope,
    now: readonly KubeObject[],
    belongs: (object: KubeObject) => boolean,
  ): readonly KubeObject[] => {
    if (!concerns(scope)) return now;
    const others = now.filter(isOther);
    return before && belongs(before) ? sortedByPlace([...others, before], (object) => object) : others;
  };
  const isNear = (object: KubeObject, namespace: string | undefined): boolean =>
    namespace === undefined || object.metadata.namespace === namespace;
  return {
    ensure: (scope, holder) => cache.ensure(scope, holder),
    release: (holder, scope) => cache.release(holder, scope),
    get: (scope, name, namespace) => {
      const isIt =
        concerns(scope) && subject?.metadata.name === name && subject.metadata.namespace === (namespace ?? undefined);
      return isIt ? before : cache.get(scope, name, namespace);
    },
    list: (scope, namespace) => rewound(scope, cache.list(scope, namespace), (object) => isNear(object, namespace)),
    ownedBy: (scope, uid) => rewound(scope, cache.ownedBy(scope, uid), (object) => controllerOf(object)?.uid === uid),
    orphans: (scope, namespace) =>
      rewound(
        scope,
        cache.orphans(scope, namespace),
        (object) => controllerOf(object) === undefined && isNear(object, namespace),
      ),
    record: () => undefined,
    caughtUp: () => cache.caughtUp(),
    sizes: () => cache.sizes(),
    onChange: (listener) => cache.onChange(listener),
    onError: (listener) => cache.onError(listener),
    close: async () => undefined,
  };
}
