import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DIAGNOSTIC_CODES } from '../model/diagnostic.ts';

const PAGE = join(import.meta.dirname, '../../docs/reference/diagnostics.md');
const ROW = /^\| `([a-z-]+)` \| (.+) \| (.+) \|$/;

test('docs/reference/diagnostics.md has one row for each code, in the same order', () => {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .flatMap((line) => ROW.exec(line)?.[1] ?? []);
  assert.deepEqual(rows, [...DIAGNOSTIC_CODES]);
});
