// Every example as its README says, on both servers: planned, applied to the end, planned again: nothing left to do.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { createNodeFiles, runApply, runPlan, systemClock } from '../src/app/index.ts';
import { createClient } from '../src/cluster/index.ts';
import { changesOf } from '../src/model/plan.ts';
import { copyExample } from '../src/testing/example-copy.ts';
import { PODS } from '../src/testing/objects.ts';
import { forEachTarget, type TestTarget } from '../src/testing/targets.ts';

interface Example {
  readonly name: string;
  /** Its API group in the files. */
  readonly group: string;
  /** Names of the pods that it ends with, all Ready. */
  readonly pods: readonly string[];
  readonly needs?: string;
}

const EXAMPLES: readonly Example[] = [
  { name: 'hello-world', group: 'example.com', pods: ['your-name'] },
  { name: 'hello-world-jsonnet', group: 'example.com', pods: ['your-name'] },
  { name: 'hello-world-python', group: 'example.com', pods: ['your-name'], needs: 'python3' },
  { name: 'catset', group: 'ctl.enisoc.com', pods: ['nginx-backend-0', 'nginx-backend-1', 'nginx-backend-2'] },
];

const environment = {
  variables: process.env,
  clock: systemClock,
  files: createNodeFiles({ stdin: process.stdin, workingDirectory: process.cwd() }),
  signal: new AbortController().signal,
};

function reasonToSkip({ needs }: Example, target: TestTarget): string | false {
  if (!target.controllers) return 'pods need controllers, and this server has none';
  return needs !== undefined && spawnSync(needs, ['--version']).status !== 0
    ? `${needs} is not on this machine`
    : false;
}

forEachTarget('examples', (target) => {
  for (const example of EXAMPLES)
    test(`${target.kind}: ${example.name}`, { skip: reasonToSkip(example, target) }, async () => {
      const { path, namespace, remove } = await copyExample(example, target);
      after(remove);
      const paths = [path];
      const options = { cluster: target.choice, paths, concurrency: 8, namespace };
      const applied = await runApply(
        { ...options, confirm: async () => 'yes', timeoutMs: 180_000, wait: true },
        environment,
      );
      assert.equal(applied.status, 'settled', JSON.stringify([applied.diagnostics, applied.waitingOn]));
      const { items } = await createClient(target.transport).list(PODS, { namespace });
      assert.deepEqual(items.map(({ metadata }) => metadata.name).sort(), example.pods);
      const again = await runPlan(options, environment);
      assert.ok(again.plan, JSON.stringify(again.diagnostics));
      assert.deepEqual(changesOf(again.plan), []);
    });
});
