// The recorded answers of kstatus with component-operator-runtime's additions: every case, as it stands.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { KubeObject } from '../model/object.ts';
import { healthOf } from './index.ts';

interface StatusCase {
  readonly name: string;
  readonly reconcilerName: string;
  readonly object: KubeObject;
  readonly expected: string;
  readonly expectedError?: string;
}

const fixtures = process.env['METACTL_FIXTURES'] ?? join(import.meta.dirname, '../../../shared/fixtures');

for (const name of ['cor-status.json', 'cor-status-oracle.json']) {
  const file = join(fixtures, name);
  const skip = existsSync(file) ? false : `no fixtures at hand (METACTL_FIXTURES): ${name}`;
  test(`${name}: state and error of every case`, { skip }, () => {
    const { cases, count } = JSON.parse(readFileSync(file, 'utf8')) as { cases: StatusCase[]; count: number };
    assert.equal(cases.length, count);
    for (const { name: label, reconcilerName, object, expected, expectedError } of cases) {
      const health = healthOf(object, { hintAnnotation: `${reconcilerName}/status-hint` });
      assert.equal(health.state, expected, `${label}: ${health.message}`);
      if (expectedError !== undefined) assert.equal(health.message, expectedError, label);
      assert.match(health.message, /^\S.*$/, `${label}: one line that says something`);
    }
  });
}
