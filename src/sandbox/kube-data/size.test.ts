// What ships of Kubernetes' own data (schemas, types, descriptions, resources, each compressed in a module of its own that
// the bundle takes as it is): less than 300 kB in all.

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const MOST_BYTES = 300_000;
const GENERATED = join(import.meta.dirname, '../generated');

test('the generated data are less than 300 kB', () => {
  const sizes = readdirSync(GENERATED).map((file) => statSync(join(GENERATED, file)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(sizes.length >= 4, 'the data are where this test looks');
  assert.ok(total < MOST_BYTES, `${total} bytes`);
});
