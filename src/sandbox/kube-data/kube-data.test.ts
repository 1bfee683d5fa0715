import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BUILT_IN_GROUPS } from '../generated/resources.ts';
import { allSchemas, schemaName, schemasOf } from './index.ts';
import { referencesIn } from './schemas.ts';

test('every kind that the sandbox serves has a schema in the document of its version', () => {
  for (const { group, versions } of BUILT_IN_GROUPS) {
    for (const { version, resources } of versions) {
      const schemas = schemasOf(group, version);
      for (const { kind } of resources) {
        const name = schemaName({ group, version, kind });
        assert.ok(name !== undefined && schemas[name], `${group}/${version} ${kind}`);
      }
    }
  }
});

test('a document holds whatever its schemas refer to, and no description', () => {
  const schemas = schemasOf('apps', 'v1');
  for (const target of referencesIn(schemas as never)) assert.ok(schemas[target], target);
  assert.equal(schemas['io.k8s.api.core.v1.Service'], undefined, 'what nothing of apps refers to');
  assert.equal(schemas['io.k8s.api.core.v1.Container'], allSchemas()['io.k8s.api.core.v1.Container']);
  assert.doesNotMatch(JSON.stringify(allSchemas()), /"description":"/);
});

test('a group that is not built in has none', () => {
  assert.deepEqual(schemasOf('example.com', 'v1'), {});
  assert.deepEqual(schemasOf('', '__proto__'), {});
});

test('the generated data is under 300 kB in all', () => {
  const directory = join(import.meta.dirname, '../generated');
  const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total < 300_000, `${total} bytes`);
});
