// The main job as a user types it, on both servers: plan, plan again, apply, plan; then an edit of the parent.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ProjectDirectory } from '../src/testing/project-directory.ts';
import { forEachTarget } from '../src/testing/targets.ts';
import { build } from '../tools/build.ts';

const RUN = join(import.meta.dirname, '..', 'bin', 'run.js');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An environment without anything of the caller's that says where a cluster is. */
function metactl(...args: string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8' };
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

const HOOK = `
  const children = (request.parent.spec.names ?? []).map((name) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } }, data: { name },
  }));
  return { status: { maps: children.length }, children };
`;

before(() => build());

forEachTarget('the four commands', (target) => {
  test(`${target.kind}: plan, apply, plan, edit, plan`, async () => {
    const namespace = await target.namespace();
    const group = `four-commands-${target.kind}.example.com`;
    const project = await ProjectDirectory.create({ group, namespace, hook: HOOK, spec: { names: ['a', 'b'] } });
    after(() => project.remove());
    const common = ['-f', project.path, '--kubeconfig', target.choice.kubeconfig, '-n', namespace];

    const first = await metactl('plan', ...common);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.match(first.stdout, /Plan: 4 to create, 1 status to set/);
    assert.equal((await metactl('plan', ...common)).stdout, first.stdout, 'the same state gives the same bytes');
    const json = await metactl('plan', ...common, '-o', 'json');
    assert.equal((await metactl('plan', ...common, '-o', 'json')).stdout, json.stdout);
    assert.equal((await metactl('plan', ...common, '--detailed-exitcode')).code, 2);

    const applied = await metactl('apply', ...common, '--yes');
    assert.equal(applied.code, 0, applied.stderr);
    assert.match(applied.stderr, /Everything has settled/);

    const again = await metactl('plan', ...common, '--detailed-exitcode');
    assert.equal(again.code, 0);
    assert.match(again.stdout, /No changes\. 2 children of 1 parent match what the hooks return\./);

    await project.parent({ names: ['a', 'c'] });
    const edited = await metactl('plan', ...common, '--detailed-exitcode');
    assert.equal(edited.code, 2);
    assert.match(edited.stdout, /Plan: 1 to create, 1 to change, 1 to delete, 1 status to set/);
  });
});
