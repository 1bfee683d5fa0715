import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadInputs } from '../../src/definitions/index.ts';
import { mainHookOf } from '../../src/model/definition.ts';
import { createMemoryFiles } from '../../src/testing/memory-files.ts';
import { DEFINITIONS_PAGE, renderDefinitionsPage } from './definitions-doc.ts';

test('docs/reference/definitions.md is what the schema says', () => {
  const remedy = 'run: node tools/generate/definitions-doc.ts';
  assert.equal(readFileSync(DEFINITIONS_PAGE, 'utf8'), renderDefinitionsPage(), remedy);
});

test('the example on the page is a definition without problems', async () => {
  const example = /```yaml\n([\s\S]*?)```/.exec(renderDefinitionsPage())?.[1] ?? '';
  const files = createMemoryFiles({ 'd.yaml': example });
  const { definitions, diagnostics } = await loadInputs({ paths: ['d.yaml'], files });
  assert.deepEqual(diagnostics, []);
  assert.equal(definitions[0] && mainHookOf(definitions[0]).kind, 'exec');
});
