// The sandbox's data files are what the generator would write from the real server of this run. Compressed files are
// compared by what they hold: another version of the compressor may pack the same data in other bytes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DESCRIPTIONS } from '../../src/sandbox/generated/descriptions.ts';
import { SCHEMAS } from '../../src/sandbox/generated/schemas.ts';
import { unpack } from '../../src/sandbox/kube-data/schemas.ts';
import { realServer } from '../../src/testing/real-server.ts';
import { readKubeSource } from './kube-source.ts';
import { resourcesText } from './sandbox-resources.ts';
import { descriptionsOf, schemaFile } from './sandbox-schemas.ts';

const HOW = 'npm run generate:kube makes it current';

test('the data files of the sandbox are those of the real server', async (t) => {
  const server = await realServer();
  if (!server.available) return t.skip(server.reason);
  const { version, core, groups, documents } = await readKubeSource(server.kubeconfig);
  const resources = readFileSync(join(import.meta.dirname, '../../src/sandbox/generated/resources.ts'), 'utf8');
  assert.equal(resources, resourcesText(core, groups, version), HOW);
  assert.deepEqual(unpack(SCHEMAS), schemaFile(documents, version), HOW);
  assert.deepEqual(unpack(DESCRIPTIONS), descriptionsOf(documents), HOW);
});
