// What is generated from the commands and checked in is what would be generated now.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS_DOC_PATH, commandsDoc } from './commands-doc.ts';
import { kustomizeFiles } from './kustomize.ts';
import { MANIFEST_PATH, manifestText } from './manifest.ts';

const HOW = 'npm run generate makes it current';

test('.oclif.manifest.json', async () => {
  assert.equal(readFileSync(MANIFEST_PATH, 'utf8'), await manifestText(), HOW);
});

test('docs/reference/commands.md', () => {
  assert.equal(readFileSync(COMMANDS_DOC_PATH, 'utf8'), commandsDoc(readFileSync(MANIFEST_PATH, 'utf8')), HOW);
});

test('deploy/kustomize, and the CRDs of the chart', () => {
  for (const [path, text] of Object.entries(kustomizeFiles()))
    assert.equal(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'), text, `${path}: ${HOW}`);
});
