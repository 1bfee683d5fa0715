// A fork's pull request, through the use case: what is refused before anything of it runs, and what the flags allow.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { testEnvironment } from '../testing/use-cases.ts';
import { type PlanOptions, runApply, runPlan } from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'metactl-fork-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const event = join(directory, 'event.json');
const repo = (name: string): object => ({ repo: { full_name: name } });
writeFileSync(event, JSON.stringify({ pull_request: { head: repo('stranger/app'), base: repo('us/app') } }));
const variables = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: event, METACTL_ALLOW_LOCAL_HOOKS: 'true' };
const environment = { ...testEnvironment, variables };

async function project(hook: string): Promise<PlanOptions> {
  const created = await ProjectDirectory.create({ group: 'fork.example.com', namespace: 'default', hook });
  after(() => created.remove());
  return { cluster: { sandbox: true }, paths: [created.path], concurrency: 4 };
}
const MARK = join(directory, 'ran');
const HOOK = `process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(MARK)}, ''); return { children: [] };`;

test('a local hook is refused and has not run, in plan and in apply', async () => {
  const options = await project(HOOK);
  for (const diagnostics of [
    (await runPlan(options, environment)).diagnostics,
    (await runApply({ ...options, confirm: async () => 'yes', timeoutMs: 5_000, wait: true }, environment)).diagnostics,
  ]) {
    assert.deepEqual([...new Set(diagnostics.map(({ code }) => code))], ['hook-refused']);
    assert.match(diagnostics[0]?.detail ?? '', /GitHub Actions says that the pull request comes from stranger\/app/);
    assert.match(diagnostics[0]?.hint ?? '', /--allow-local-hooks/);
  }
  assert.ok(!readdirSync(directory).includes('ran'));
});

test('a flag allows it; on a workstation there is nothing to allow', async () => {
  const options = await project('return { children: [] };');
  assert.deepEqual((await runPlan({ ...options, allowLocalHooks: true }, environment)).diagnostics, []);
  const same = { ...environment, variables: {} };
  assert.deepEqual((await runPlan(options, same)).diagnostics, []);
});
