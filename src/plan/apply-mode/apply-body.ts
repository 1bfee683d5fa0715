// What is sent. An apply makes what is not there and takes over what is: neither is meant where the other was planned.

import type { KubeObject } from '../../model/object.ts';

/**
 * With the UID the server makes no new object in the place of one that has gone meanwhile: it answers 409. `exact`: nor
 * does it apply to another state than the observed one.
 */
export function bodyForUpdate(desired: KubeObject, observed: KubeObject, { exact = false } = {}): KubeObject {
  const { uid, resourceVersion } = observed.metadata;
  const guards = {
    ...(uid === undefined ? {} : { uid }),
    ...(exact && resourceVersion !== undefined ? { resourceVersion } : {}),
  };
  return { ...desired, metadata: { ...desired.metadata, ...guards } };
}

/** An object that is there never has this version (etcd itself counts past it): it answers 409, and is not taken over. */
export function bodyForCreate(desired: KubeObject): KubeObject {
  return { ...desired, metadata: { ...desired.metadata, resourceVersion: '1' } };
}
