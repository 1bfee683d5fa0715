// What is sent. An apply makes what is not there and takes over what is: neither is meant where the other was planned.

import type { KubeObject } from '../../model/object.ts';

/** With the UID the server makes no new object in the place of one that has gone meanwhile: it answers 409. */
export function bodyForUpdate(desired: KubeObject, observed: KubeObject): KubeObject {
  const { uid } = observed.metadata;
  return uid === undefined ? desired : { ...desired, metadata: { ...desired.metadata, uid } };
}

/** An object that is there never has this version (etcd itself counts past it): it answers 409, and is not taken over. */
export function bodyForCreate(desired: KubeObject): KubeObject {
  return { ...desired, metadata: { ...desired.metadata, resourceVersion: '1' } };
}
