// Each endpoint's types and rules for field ownership, made when it is first written to and kept with the kind: a CRD
// that changes comes as another kind.

import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import type { Endpoint, TypedObject } from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';
import { splitApiVersion } from '../../model/resource.ts';
import { type KindType, type MergeSchema, mergeSchemaFromComponents, schemaFromCrd } from '../../schema/index.ts';
import { inVersion } from '../crd/custom.ts';
import { allSchemas, schemaName } from '../kube-data/index.ts';
import { apiVersionOf, type ResourceKind, versionOf } from '../registry/resource-kind.ts';
import { resetFields } from './reset-fields.ts';
import { zeroObject } from './zero.ts';

let builtIns: MergeSchema | undefined;

/** Of all built-in kinds; nothing is unpacked before a type is looked up. */
function builtInSchema(): MergeSchema {
  builtIns ??= mergeSchemaFromComponents((name) => {
    const schemas = allSchemas();
    return Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  });
  return builtIns;
}

const kept = new WeakMap<ResourceKind, Map<string, Endpoint>>();

export function endpointOf(kind: ResourceKind, version: string, subresource?: string): Endpoint {
  const ofKind = kept.get(kind) ?? new Map<string, Endpoint>();
  kept.set(kind, ofKind);
  const key = subresource === undefined ? version : `${version}/${subresource}`;
  const known = ofKind.get(key);
  if (known !== undefined) return known;
  const made = makeEndpoint(kind, version, subresource);
  ofKind.set(key, made);
  return made;
}

function makeEndpoint(kind: ResourceKind, version: string, subresource: string | undefined): Endpoint {
  const apiVersion = apiVersionOf(kind, version);
  const types = new Map<string, KindType | undefined>();
  const typeIn = (asked: string): KindType | undefined => {
    if (!types.has(asked)) types.set(asked, kindType(kind, asked));
    return types.get(asked);
  };
  const reset = resetFields(kind, subresource);
  return {
    apiVersion,
    kind: kind.kind,
    ...(subresource === undefined ? {} : { subresource }),
    at: (object, asked) => typedObject(kind, object, { asked, type: typeIn(asked) }),
    ...(reset && { reset }),
    empty: kind.custom ? { apiVersion, kind: kind.kind } : zeroObject(apiVersion, kind.kind),
  };
}

function typedObject(
  kind: ResourceKind,
  object: JsonObject,
  { asked, type }: { asked: string; type: KindType | undefined },
): TypedObject | undefined {
  if (type === undefined) return undefined;
  const { version } = splitApiVersion(asked);
  const value = object['apiVersion'] === asked ? object : inVersion(kind, version, object as KubeObject);
  return { ...type, apiVersion: asked, value };
}

function kindType(kind: ResourceKind, apiVersion: string): KindType | undefined {
  const { group, version } = splitApiVersion(apiVersion);
  if (group !== kind.group || versionOf(kind, version) === undefined) return undefined;
  if (kind.custom) return schemaFromCrd(versionOf(kind, version)?.schema, builtInSchema());
  const named = schemaName({ group, version, kind: kind.kind });
  return named === undefined ? undefined : { schema: builtInSchema(), type: { named } };
}

const SCALE: Pick<Endpoint, 'apiVersion' | 'kind'> = { apiVersion: 'autoscaling/v1', kind: 'Scale' };

/** The scale subresource: objects of a kind of its own. */
export const scaleEndpoint: Endpoint = {
  ...SCALE,
  subresource: 'scale',
  at: (object, asked) =>
    asked === SCALE.apiVersion && isJsonObject(object)
      ? {
          schema: builtInSchema(),
          type: { named: 'io.k8s.api.autoscaling.v1.Scale' },
          apiVersion: asked,
          value: object,
        }
      : undefined,
  empty: zeroObject(SCALE.apiVersion, SCALE.kind),
};
