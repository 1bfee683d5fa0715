// Which input an output was made from. It stands in the output itself, so a restart knows it too: the whole key in an
// annotation, as a label's value has room for 63 characters only, and a digest of it in a label, to select by.

import { sha256 } from '../../kit/hash.ts';
import { isUnknown, UNKNOWN } from '../../kit/unknown.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';
import { splitApiVersion } from '../../model/resource.ts';

export const MAP_KEY_ANNOTATION = 'metactl.dev/map-key';
export const MAP_KEY_HASH_LABEL = 'metactl.dev/map-key-hash';

const HASH_LENGTH = 32;

/**
 * "controller/PersistentVolumeClaim/default/data-0/UID", "controller/Ingress.networking.k8s.io/…": one for each input of
 * each controller, whatever version it is read in. No part can hold a slash. Opaque to hooks. UNKNOWN for an input that
 * is still to be created.
 */
export function mapKeyOf(controller: string, { apiVersion, kind, metadata }: KubeObject): string {
  const { name = '', namespace = '', uid = '' } = metadata;
  if (isUnknown(uid)) return UNKNOWN;
  const { group } = splitApiVersion(apiVersion);
  return [controller, group === '' ? kind : `${kind}.${group}`, namespace, name, uid].join('/');
}

export function mapKeyHash(key: string): string {
  return isUnknown(key) ? key : sha256(key).slice(0, HASH_LENGTH);
}

/** undefined: it was not made by this controller, or has lost its key. */
export function mapKeyIn(object: KubeObject, controller: string): string | undefined {
  const key = object.metadata.annotations?.[MAP_KEY_ANNOTATION];
  return key?.startsWith(`${controller}/`) ? key : undefined;
}

/** The object as an output of the input with this key. */
export function withMapKey(object: KubeObject, key: string): KubeObject {
  const { labels, annotations } = object.metadata;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...labels, [MAP_KEY_HASH_LABEL]: mapKeyHash(key) },
      annotations: { ...annotations, [MAP_KEY_ANNOTATION]: key },
    },
  };
}

export function withoutMapKey({ labels, annotations, ...rest }: ObjectMeta): ObjectMeta {
  const { [MAP_KEY_HASH_LABEL]: _hash, ...otherLabels } = labels ?? {};
  const { [MAP_KEY_ANNOTATION]: _key, ...otherAnnotations } = annotations ?? {};
  return { ...rest, labels: otherLabels, annotations: otherAnnotations };
}
