// The OpenAPI documents of a real server against what the Go library makes of them.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import type { Atom, MergeSchema, TypeRef } from './merge-schema.ts';
import { schemaFromCrd } from './merge-schema-crd.ts';
import { schemaFromOpenApi } from './merge-schema-openapi.ts';

const SHARED = new URL('../../../shared/', import.meta.url);
const FIXTURES = process.env['METACTL_FIXTURES'] ?? new URL('fixtures', SHARED).pathname;
const recorded = `${FIXTURES}/smd-k8s-schema.json`;
const DOCUMENTS = [
  'api_v1',
  'apis_apps_v1',
  'apis_batch_v1',
  'apis_networking.k8s.io_v1',
  'apis_rbac.authorization.k8s.io_v1',
];
const document = (name: string) => new URL(`kube/data/openapi/${name}.json`, SHARED);
const here = existsSync(recorded) && DOCUMENTS.every((name) => existsSync(document(name)));

interface Recorded extends JsonObject {
  readonly name: string;
}

test('OpenAPI types become what the Go library makes of them', {
  skip: !here && `no recordings at ${FIXTURES}`,
}, () => {
  const { types } = JSON.parse(readFileSync(recorded, 'utf8')) as { types: Recorded[] };
  const components: Record<string, JsonValue> = {};
  for (const name of DOCUMENTS) {
    const { components: own } = JSON.parse(readFileSync(document(name), 'utf8')) as {
      components: { schemas: JsonObject };
    };
    Object.assign(components, own.schemas);
  }
  const schema = schemaFromOpenApi(components);
  let compared = 0;
  for (const { name, ...atom } of types) {
    const ours = schema.resolve({ named: name });
    if (ours === undefined) continue;
    compared += 1;
    assert.deepEqual(plainAtom(ours), atom, name);
  }
  assert.ok(compared > 330, `${compared} types compared`);
});

function plainAtom(atom: Atom): JsonObject {
  const { scalar, list, map } = atom;
  return {
    ...(scalar !== undefined && { scalar }),
    ...(list && {
      list: {
        elementType: plainRef(list.elementType),
        ...(list.elementRelationship && { elementRelationship: list.elementRelationship }),
        ...(list.keys.length > 0 && { keys: list.keys }),
      },
    }),
    ...(map && { map: plainMap(map) }),
  };
}

function plainMap(map: NonNullable<Atom['map']>): JsonObject {
  const fields = [...map.fields.values()]
    .map((field) => ({
      name: field.name,
      type: plainRef(field.type),
      ...(field.default !== undefined && { default: field.default }),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    ...(fields.length > 0 && { fields }),
    ...(map.elementType && { elementType: plainRef(map.elementType) }),
    ...(map.elementRelationship && { elementRelationship: map.elementRelationship }),
  };
}

const plainRef = ({ named, inlined, elementRelationship }: TypeRef): JsonObject => ({
  ...(named !== undefined && { namedType: named }),
  ...(inlined && plainAtom(inlined)),
  ...(elementRelationship && { elementRelationship }),
});

const builtIns: MergeSchema = schemaFromOpenApi({
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': { type: 'object', properties: { name: { type: 'string' } } },
});

test('a custom resource: metadata as built-ins have it, unknown keys only where they are kept', () => {
  const { schema, type } = schemaFromCrd(
    {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            free: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
              properties: { a: { type: 'object', properties: { b: { type: 'string' } } } },
            },
            port: { 'x-kubernetes-int-or-string': true },
            whole: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
        },
      },
    },
    builtIns,
  );
  const at = (...path: string[]) =>
    path.reduce<Atom | undefined>((atom, name) => {
      const field = atom?.map?.fields.get(name)?.type;
      return field && schema.resolve(field);
    }, schema.resolve(type));
  assert.deepEqual(at('metadata', 'name'), { scalar: 'string' });
  assert.equal(at()?.map?.elementType, undefined);
  assert.equal(at('spec')?.map?.elementType, undefined);
  assert.equal(at('spec', 'free')?.map?.elementType?.named, '__untyped_deduced_');
  assert.equal(at('spec', 'free', 'a')?.map?.elementType?.named, '__untyped_deduced_', 'inherited by descendants');
  assert.equal(at('spec', 'port')?.scalar, 'untyped');
  assert.deepEqual(at('spec', 'whole', 'metadata', 'name'), { scalar: 'string' });
  assert.ok(isJsonObject(schema.resolve({ named: 'none' }) ?? {}));
});
