// Of its own kinds the API server stores no empty lists: some it prints as null when they are read ("rules" of a ClusterRole).

import { getOwn, isJsonArray, isJsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';

/** Would the server, having stored `written`, print what is observed? Custom resources are stored as they are. */
export function isPrinted(written: KubeObject, observed: KubeObject): boolean {
  return isBuiltIn(observed.apiVersion) && isSame(written, observed);
}

const isBuiltIn = (apiVersion: string): boolean => {
  const [group, version] = apiVersion.split('/');
  return version === undefined || group?.includes('.') === false || group?.endsWith('.k8s.io') === true;
};

function isSame(written: JsonValue | undefined, observed: JsonValue | undefined): boolean {
  if (written === observed) return true;
  if (observed === null && isJsonArray(written)) return written.length === 0;
  if (!isJsonObject(written) || !isJsonObject(observed)) return jsonEqual(written, observed);
  const keys = Object.keys({ ...written, ...observed });
  return keys.every((key) => isSame(getOwn(written, key), getOwn(observed, key)));
}
