import { isJsonArray, isJsonObject, type JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';

/** openAPIV3Schema of one version of a CustomResourceDefinition. */
export function schemaOfVersion(crd: KubeObject, version: string): JsonObject | undefined {
  const spec = crd['spec'];
  const versions = isJsonObject(spec) ? spec['versions'] : undefined;
  if (!isJsonArray(versions)) return undefined;
  const found = versions.find((item) => isJsonObject(item) && item['name'] === version);
  const schema = isJsonObject(found) && isJsonObject(found['schema']) ? found['schema']['openAPIV3Schema'] : undefined;
  return isJsonObject(schema) ? schema : undefined;
}
