import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { createSandbox } from '../index.ts';

async function read(
  sandbox: ReturnType<typeof createSandbox>,
  path: string,
): Promise<{ status: number; body: JsonObject }> {
  const response = await sandbox.transport.request({ method: 'GET', path });
  const text = await response.text();
  return { status: response.status, body: response.status === 200 ? JSON.parse(text) : {} };
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isJsonObject(found) ? found[key] : undefined), value);
}

const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'cats.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'cats', kind: 'Cat' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                description: 'What it should be.',
                properties: {
                  items: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    'x-kubernetes-preserve-unknown-fields': true,
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

test('the documents of built-in kinds: schemas with descriptions, and how each kind is patched', async () => {
  const sandbox = createSandbox({ clock: new FakeClock() });
  const index = await read(sandbox, '/openapi/v3');
  assert.equal(at(index.body, 'paths', 'apis/apps/v1', 'serverRelativeURL'), '/openapi/v3/apis/apps/v1');
  const { body } = await read(sandbox, '/openapi/v3/apis/apps/v1');
  const type = at(body, 'components', 'schemas', 'io.k8s.api.apps.v1.Deployment');
  assert.match(String(at(type, 'description')), /^Deployment enables/);
  assert.match(String(at(type, 'properties', 'spec', 'description')), /^Specification of the desired behavior/);
  const patch = at(body, 'paths', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}', 'patch');
  assert.ok(at(patch, 'requestBody', 'content', 'application/strategic-merge-patch+json'));
  assert.deepEqual(at(patch, 'x-kubernetes-group-version-kind'), { group: 'apps', version: 'v1', kind: 'Deployment' });
  assert.equal((await read(sandbox, '/openapi/v3/apis/example.com/v1')).status, 404);
  assert.equal((await read(sandbox, '/openapi/v2')).status, 404, 'version 2 is not served: clients fall back to 3');
  await sandbox.close();
});

test('the document of a custom resource: its schema with what every object has, without a strategic patch', async () => {
  const sandbox = createSandbox({ clock: new FakeClock() });
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const headers = { 'content-type': 'application/json' };
  await sandbox.transport.request({ method: 'POST', path, headers, body: JSON.stringify(CRD) });
  const { body } = await read(sandbox, '/openapi/v3/apis/example.com/v1');
  const fields = at(body, 'components', 'schemas', 'com.example.v1.Cat', 'properties');
  assert.deepEqual(Object.keys(fields as object).sort(), ['apiVersion', 'kind', 'metadata', 'spec']);
  assert.equal(at(fields, 'spec', 'description'), 'What it should be.');
  // A field called "items" is a field, not a word of the schema.
  assert.deepEqual(at(fields, 'spec', 'properties', 'items', 'required'), ['kind', 'apiVersion']);
  assert.ok(at(body, 'components', 'schemas', 'com.example.v1.CatList', 'properties', 'items'));
  assert.ok(at(body, 'components', 'schemas', 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'));
  const patch = at(body, 'paths', '/apis/example.com/v1/namespaces/{namespace}/cats/{name}', 'patch');
  assert.equal(at(patch, 'requestBody', 'content', 'application/strategic-merge-patch+json'), undefined);
  await sandbox.close();
});
