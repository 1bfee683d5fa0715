import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COMPOSITE_CRD, renderCompositeCrd } from './crds.ts';

test('deploy/crds/compositecontrollers.yaml is what the schema of the definitions says', () => {
  assert.equal(readFileSync(COMPOSITE_CRD, 'utf8'), renderCompositeCrd(), 'run: node tools/generate/crds.ts');
});
