import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { renderCrds } from './crds.ts';

for (const [file, text] of renderCrds())
  test(`deploy/crds/${basename(file)} is what the schema of the definitions says`, () => {
    assert.equal(readFileSync(file, 'utf8'), text, 'run: node tools/generate/crds.ts');
  });
