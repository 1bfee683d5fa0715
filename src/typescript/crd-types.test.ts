// What is written, by golden files; that it compiles, and how it is used, is in tools/packed-types.test.ts.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { JsonObject, MutableJsonObject } from '../kit/json.ts';
import { CRD_SAMPLES, crdOf, crdVersion } from '../testing/crd-samples.ts';
import { GoldenDirectory } from '../testing/golden.ts';
import { TYPES_HEADING, typesOfCrds } from './index.ts';

const golden = new GoldenDirectory('types');
after(() => golden.expectNoOrphans());

describe('the module', () => {
  for (const [name, crds] of Object.entries(CRD_SAMPLES))
    test(name, () => {
      const { text, problems } = typesOfCrds(crds);
      assert.deepEqual(problems.flat(), []);
      assert.ok(text.startsWith(TYPES_HEADING));
      golden.expect(name, text);
      assert.equal(typesOfCrds(crds).text, text, 'the same again');
    });

  test('one version alone has the name of the kind, served or not', () => {
    const { text } = typesOfCrds(CRD_SAMPLES['versions.ts'] ?? [], { version: 'v1alpha1' });
    assert.match(text, /^export interface Web \{\n {2}apiVersion: 'example.com\/v1alpha1';$/m);
    assert.doesNotMatch(text, /WebV1|v1beta1/);
  });

  test('what is deeper than anybody reads is unknown, at any depth', () => {
    let schema: MutableJsonObject = { type: 'string' };
    for (let depth = 0; depth < 100_000; depth++) schema = { type: 'object', properties: { a: schema } };
    const { text, problems } = typesOfCrds([crdOf({ versions: [crdVersion('v1', { spec: schema })] })]);
    assert.deepEqual(problems.flat(), []);
    assert.match(text, /a\?: unknown;/);
    assert.equal(text.match(/^export interface/gm)?.length, 65);
  });
});

describe('what is wrong', () => {
  const good = crdOf({ versions: [crdVersion('v1', { spec: { type: 'object' } })] });
  const withVersion = (version: JsonObject): JsonObject => crdOf({ versions: [version] });
  const withSpec = (spec: JsonObject): JsonObject => withVersion(crdVersion('v1', { spec }));
  const inSchema = 'spec.versions.0.schema.openAPIV3Schema.properties.spec';
  const cases: { name: string; crd: JsonObject; code: string; path: string; says?: RegExp }[] = [
    {
      name: 'v1beta1, where the schema is elsewhere',
      crd: { ...good, apiVersion: 'apiextensions.k8s.io/v1beta1' },
      code: 'unsupported',
      path: 'apiVersion',
    },
    { name: 'no spec', crd: { ...good, spec: null }, code: 'missing-field', path: 'spec.group' },
    { name: 'a group that is a number', crd: { ...good, spec: { group: 1 } }, code: 'wrong-type', path: 'spec.group' },
    { name: 'no versions', crd: crdOf({ versions: [] }), code: 'missing-field', path: 'spec.versions' },
    { name: 'a version without a name', crd: withVersion({}), code: 'missing-field', path: 'spec.versions.0' },
    {
      name: 'a version without a schema',
      crd: withVersion({ name: 'v1', served: true }),
      code: 'missing-field',
      path: 'spec.versions.0',
      says: /v1 has no schema/,
    },
    {
      name: 'a type that there is not',
      crd: withSpec({ type: 'text' }),
      code: 'invalid-value',
      path: `${inSchema}.type`,
    },
    {
      name: 'a property that is no schema',
      crd: withSpec({ type: 'object', properties: { a: 'string' } }),
      code: 'wrong-type',
      path: `${inSchema}.properties.a`,
    },
    {
      name: 'properties that are a list',
      crd: withSpec({ type: 'object', properties: [] }),
      code: 'wrong-type',
      path: `${inSchema}.properties`,
    },
    {
      name: 'items that are a list, as JSON Schema has them',
      crd: withSpec({ type: 'array', items: [{ type: 'string' }] }),
      code: 'wrong-type',
      path: `${inSchema}.items`,
    },
  ];
  for (const { name, crd, code, path, says = /./ } of cases)
    test(name, () => {
      const [first] = typesOfCrds([crd]).problems.flat();
      assert.deepEqual([first?.code, first?.path.join('.')], [code, path]);
      assert.match(first?.summary ?? '', says);
    });
});
