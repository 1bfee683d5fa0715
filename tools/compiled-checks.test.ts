import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { definitionCheck } from '../src/definitions/schema/definition-checks.ts';
import { compiledChecks } from './compiled-checks.ts';

const parentResource = { apiVersion: 'example.com/v1', resource: 'things' };
const sync = { webhook: { url: 'http://127.0.0.1/sync' } };
const definition = (spec: object) => ({
  apiVersion: 'metacontroller.k8s.io/v1alpha1',
  kind: 'CompositeController',
  metadata: { name: 'things' },
  spec,
});

const CASES: readonly { readonly why: string; readonly object: object }[] = [
  { why: 'sound', object: definition({ parentResource, hooks: { sync } }) },
  { why: 'empty', object: {} },
  { why: 'unknown and missing fields', object: definition({ parentResourc: {}, hooks: { snyc: 1 } }) },
  { why: 'types, minima, enumerations', object: definition({ parentResource, hooks: 3, resyncPeriodSeconds: -1.5 }) },
  {
    why: 'own keywords: fields and values of later versions, fields without effect',
    object: definition({
      parentResource: { ...parentResource, revisionHistory: { fieldPaths: ['spec'] } },
      childResources: [{ apiVersion: 'v1', resource: 'pods', updateStrategy: { method: 'RollingInPlace' } }],
      hooks: { sync: { jsonnet: {} }, finalize: sync, customize: sync },
    }),
  },
];

test('the checks of a built program say what those of the sources say', async (t) => {
  const file = join(import.meta.dirname, `compiled-checks.${process.pid}.tmp.mjs`);
  t.after(() => rmSync(file, { force: true }));
  const require = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n";
  writeFileSync(file, require + compiledChecks());
  const compiled = (await import(pathToFileURL(file).href)) as { definitionCheck: typeof definitionCheck };
  const built = compiled.definitionCheck('CompositeController');
  const check = definitionCheck('CompositeController');
  for (const { why, object } of CASES)
    await t.test(why, () => {
      check(object as never);
      built(object as never);
      assert.deepEqual(built.errors ?? [], check.errors ?? []);
      assert.equal((check.errors ?? []).length > 0, why !== 'sound');
    });
});
