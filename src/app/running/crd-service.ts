// What a CRD means to controllers: which resources it has the server serve.

import type { JsonObject } from '../../kit/json.ts';
import { getOwn, isJsonArray, isJsonObject, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { CacheChange } from '../../ports/cache.ts';

/** It is established, and does not go: discovery lists this version of it, or will in a moment. */
export function isToBeServed(crd: KubeObject, version: string): boolean {
  const { versions, established, going } = servedBy(crd);
  return established && !going && versions.some(({ name, served }) => name === version && served === true);
}

/** Does the CRD serve the same as before? */
export function sameService({ before, after }: CacheChange): boolean {
  if (!before || !after) return false;
  return jsonEqual(servedBy(before), servedBy(after));
}

function servedBy(crd: KubeObject) {
  const spec = objectIn(crd, 'spec');
  const versions = getOwn(spec, 'versions');
  const conditions = getOwn(objectIn(crd, 'status'), 'conditions');
  const served = isJsonArray(versions) ? versions.filter(isJsonObject) : [];
  return {
    names: getOwn(spec, 'names') ?? null,
    scope: getOwn(spec, 'scope') ?? null,
    versions: served.map((version) => ({
      name: getOwn(version, 'name') ?? null,
      served: getOwn(version, 'served') ?? null,
      subresources: getOwn(version, 'subresources') ?? null,
    })),
    established: isJsonArray(conditions)
      ? conditions.some((one) => isJsonObject(one) && one['type'] === 'Established' && one['status'] === 'True')
      : false,
    going: crd.metadata.deletionTimestamp !== undefined,
  };
}

function objectIn(of: JsonObject, key: string): JsonObject {
  const value = getOwn(of, key);
  return isJsonObject(value) ? value : {};
}
