// Some fields are only ever written and come back as others: compared as they were sent, they would differ for ever.

import { isJsonObject, type MutableJsonObject, setOwn } from '../kit/json.ts';
import { isUnknown } from '../kit/unknown.ts';
import type { KubeObject } from '../model/object.ts';

/** The object as it will be read back: a Secret's stringData is laid over its data, in base64, as the server does. */
export function storedForm(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object;
  if (object.apiVersion !== 'v1' || object.kind !== 'Secret' || !isJsonObject(stringData)) return object;
  const data: MutableJsonObject = { ...(isJsonObject(object['data']) ? object['data'] : {}) };
  for (const [key, value] of Object.entries(stringData)) {
    // What is not a string is the server's to refuse.
    if (typeof value !== 'string') return object;
    setOwn(data, key, isUnknown(value) ? value : Buffer.from(value, 'utf8').toString('base64'));
  }
  const { apiVersion, kind, metadata } = object;
  return { ...rest, apiVersion, kind, metadata, data };
}
