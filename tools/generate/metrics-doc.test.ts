import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { METRICS_PAGE, renderMetricsPage } from './metrics-doc.ts';

test('docs/reference/metrics.md is what the daemon registers', () => {
  const remedy = 'run: node tools/generate/metrics-doc.ts';
  assert.equal(readFileSync(METRICS_PAGE, 'utf8'), renderMetricsPage(), remedy);
});
