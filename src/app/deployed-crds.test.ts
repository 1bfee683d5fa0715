// The CRDs in deploy/crds are what a server takes, as they are: dry runs, as other tests install them.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { forEachTarget } from '../testing/targets.ts';

const CRDS = join(import.meta.dirname, '../../deploy/crds');

forEachTarget('deploy/crds', (target) => {
  for (const file of globSync('*.yaml', { cwd: CRDS }))
    test(`${basename(file)} is accepted`, async () => {
      const crd = parse(await readFile(join(CRDS, file), 'utf8')) as { metadata: { name: string }; spec: object };
      // Under another group, as the real one may be installed.
      const name = crd.metadata.name.replace('metacontroller.k8s.io', 'dry-run.example.com');
      const object = { ...crd, metadata: { name }, spec: { ...crd.spec, group: 'dry-run.example.com' } };
      const response = await target.transport.request({
        method: 'POST',
        path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(object),
      });
      const text = await response.text();
      assert.equal(response.status, 201, text);
      assert.equal(response.headers['warning'], undefined, response.headers['warning']);
    });
});
