import type { JsonObject } from '../../kit/json.ts';
import type { Hook, MapDefinition } from '../../model/definition.ts';
import { indexed } from '../rules/rule.ts';
import type { GivenDefinition } from '../schema/given.ts';
import { normalizeChild } from './child.ts';
import { type NormalizeContext, normalizeBase, normalizeHooks, normalizeParent } from './shared.ts';

/** Fills in every default. The definition has passed the schema and the rules. */
export function normalizeMap(object: JsonObject, context: NormalizeContext): MapDefinition {
  const { spec } = object as unknown as GivenDefinition;
  const hooks = normalizeHooks(['map', 'tombstone', 'finalize', 'customize'], spec, context);
  return {
    kind: 'MapController',
    ...normalizeBase(object, context),
    parent: normalizeParent(spec?.parentResource),
    inputs: indexed(spec?.inputResources).map(([, { apiVersion = '', resource = '' }]) => ({ apiVersion, resource })),
    children: indexed(spec?.outputResources).map(([, output]) => normalizeChild(output)),
    // The schema requires it.
    hooks: hooks as typeof hooks & { readonly map: Hook },
  };
}
