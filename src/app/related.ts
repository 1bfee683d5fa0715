// Related objects of a run: which scopes are open anyway, and how a resource that a rule names is found.

import type { ResourceRule } from '../model/definition.ts';
import type { PlannedInput } from '../plan/index.ts';
import type { ObjectCache } from '../ports/cache.ts';
import {
  type ComingObject,
  type Controller,
  RelatedObjects,
  type RelatedOptions,
  type RelatedResources,
} from '../reconcile/index.ts';
import { heldScopesOf, resourceHint } from './controllers.ts';
import type { Resources } from './inputs.ts';
import type { World } from './open.ts';

export interface RelatedSetting {
  readonly world: { readonly client: Pick<World['client'], 'refresh'> };
  readonly cache: ObjectCache;
  readonly resources: Resources;
  readonly controllers: readonly Controller[];
  /** Who holds the scopes that are opened for them, and the clock by which they are given up. Absent: they stay open to the end. */
  readonly held?: RelatedOptions['held'];
}

/** Inputs of the run that are not written yet, and are to be seen as if they were. */
export function comingOf(inputs: readonly PlannedInput[]): ComingObject[] {
  return inputs.flatMap(({ changes, type, projected }) => (changes.length > 0 ? { type, object: projected } : []));
}

export function relatedOf(setting: RelatedSetting, coming: readonly ComingObject[]): RelatedObjects {
  const { cache, controllers, held } = setting;
  return new RelatedObjects({
    cache,
    held,
    resources: relatedResources(setting),
    open: heldScopesOf(controllers),
    coming,
  });
}

function relatedResources({ world, resources }: RelatedSetting): RelatedResources {
  return {
    byResource: async (apiVersion, resource) => {
      const known = await resources.byResource(apiVersion, resource);
      if (known) return known;
      // It may have been installed since: what the server serves is asked for anew.
      world.client.refresh();
      return resources.byResource(apiVersion, resource);
    },
    isServed: (type) => resources.isServed(type),
    hintFor: async (rule: ResourceRule) => resourceHint(rule, await resources.all()),
  };
}
