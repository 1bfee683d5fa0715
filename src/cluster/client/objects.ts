// JSON of the server → KubeObject. Checked as far as our own code relies on it; everything else passes as it came.

import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { apiVersionOf, type ResourceType } from '../../model/resource.ts';
import { ConnectionError } from '../../ports/errors.ts';

/** An object that stands alone: it says its apiVersion and kind. */
export function objectOf(value: JsonValue | undefined, request: string): KubeObject {
  if (isJsonObject(value) && isKubeObject(value)) return value;
  throw new ConnectionError(`the answer to ${request} holds something that is not a Kubernetes object`, request);
}

/** An item of a list: built-in kinds leave apiVersion and kind out there. */
export function itemOf(value: JsonValue, type: ResourceType, request: string): KubeObject {
  if (isJsonObject(value) && value['kind'] === undefined) {
    return objectOf({ apiVersion: apiVersionOf(type), kind: type.kind, ...value }, request);
  }
  return objectOf(value, request);
}

function isKubeObject(value: JsonObject): value is KubeObject {
  return (
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string' &&
    isJsonObject(value['metadata']) &&
    typeof value['metadata']['name'] === 'string'
  );
}
