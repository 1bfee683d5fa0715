// Every example as its README says, on both servers: planned, applied to the end, planned again: nothing left to do.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createNodeFiles, runApply, runPlan, systemClock } from '../src/app/index.ts';
import { createClient } from '../src/cluster/index.ts';
import { changesOf } from '../src/model/plan.ts';
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

/** A copy with an API group and a namespace of its own, as the real server is shared by all tests. */
async function copyOf({ name, group }: Example, target: TestTarget, namespace: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `metactl-${name}-`));
  after(() => rm(directory, { recursive: true, force: true }));
  await cp(join(import.meta.dirname, name), directory, { recursive: true });
  for (const file of await readdir(directory)) {
    if (!file.endsWith('.yaml')) continue;
    const text = await readFile(join(directory, file), 'utf8');
    const own = text.replaceAll(group, `${name}-${target.kind}.${group}`);
    await writeFile(join(directory, file), own.replaceAll('namespace: default', `namespace: ${namespace}`));
  }
  return directory;
}

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
      const namespace = await target.namespace();
      const paths = [await copyOf(example, target, namespace)];
      const options = { cluster: target.choice, paths, concurrency: 8, namespace };
      const applied = await runApply(
        { ...options, confirm: async () => 'yes', timeoutMs: 60_000, wait: true },
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
