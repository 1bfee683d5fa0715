// What is generated from the commands and checked in is what would be generated now.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COMMANDS_DOC_PATH, commandsDoc } from './commands-doc.ts';
import { MANIFEST_PATH, manifestText } from './manifest.ts';

const HOW = 'npm run generate makes it current';

test('.oclif.manifest.json', async () => {
  assert.equal(readFileSync(MANIFEST_PATH, 'utf8'), await manifestText(), HOW);
});

test('docs/reference/commands.md', () => {
  assert.equal(readFileSync(COMMANDS_DOC_PATH, 'utf8'), commandsDoc(readFileSync(MANIFEST_PATH, 'utf8')), HOW);
});
