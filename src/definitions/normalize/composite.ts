import type { JsonObject } from '../../kit/json.ts';
import type { CompositeDefinition, Hook } from '../../model/definition.ts';
import { indexed } from '../rules/rule.ts';
import type { GivenDefinition } from '../schema/given.ts';
import { normalizeChild } from './child.ts';
import { type NormalizeContext, normalizeBase, normalizeHooks, normalizeParent } from './shared.ts';

/** Fills in every default. The definition has passed the schema and the rules. */
export function normalizeComposite(object: JsonObject, context: NormalizeContext): CompositeDefinition {
  const { spec } = object as unknown as GivenDefinition;
  const history = spec?.parentResource?.revisionHistory;
  const hooks = normalizeHooks(['sync', 'finalize', 'customize'], spec, context);
  return {
    kind: 'CompositeController',
    ...normalizeBase(object, context),
    parent: {
      ...normalizeParent(spec?.parentResource),
      revisionFieldPaths: revisionFieldPaths(indexed(history?.fieldPaths)),
      // Where Events about cluster-scoped objects are too: a namespace that every cluster has.
      revisionNamespace: history?.namespace ?? 'default',
    },
    children: indexed(spec?.childResources).map(([, child]) => normalizeChild(child)),
    generateSelector: spec?.generateSelector ?? false,
    // The schema requires it.
    hooks: hooks as typeof hooks & { readonly sync: Hook },
  };
}

/** An empty list is as good as none. */
function revisionFieldPaths(given: readonly [number, string][]): string[] {
  return given.length > 0 ? given.map(([, path]) => path) : ['spec'];
}
