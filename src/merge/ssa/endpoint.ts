// What a write to one endpoint of one kind must know to keep track of who owns what. Made by the server, once a kind.

import type { JsonObject } from '../../kit/json.ts';
import type { FieldSet } from './field-set.ts';
import { setOfPaths } from './field-set.ts';
import type { Rules, TypedObject } from './managers.ts';

export interface Endpoint {
  /** The version that is written in: `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly subresource?: string;
  /** An object of the kind in the words of a version; undefined: there is no such version. */
  readonly at: (object: JsonObject, apiVersion: string) => TypedObject | undefined;
  /** Fields that this endpoint does not change whatever is sent, by version. */
  readonly reset?: ReadonlyMap<string, FieldSet>;
  /** An object of the kind of which nothing has been said yet; what it has belongs to nobody as a whole. */
  readonly empty: JsonObject;
}

/** What identifies an object and what the server alone writes belongs to nobody. */
export const UNTRACKED: FieldSet = setOfPaths([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
]);

export function rulesOf({ at, reset }: Endpoint): Rules {
  return {
    convert: (object, apiVersion) =>
      object.apiVersion === apiVersion ? object : at(object.value as JsonObject, apiVersion),
    ...(reset && { ignored: reset }),
  };
}
