// A fork's pull request, through the use case: what is refused before anything of it runs, and what the flags allow.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { serveHook } from '../testing/hook-server.ts';
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

test('an override may name a url, as a flag that allows its host does; what stands in the checkout is not run by it', async (t) => {
  const options = await project(HOOK);
  const served = await serveHook(t, () => ({ body: '{"children": []}' }));
  const of = { kind: 'hook', controller: 'things', hook: 'sync' } as const;
  const byUrl = await runPlan(
    { ...options, hookOverrides: [{ of, to: { kind: 'url', url: served.url } }] },
    environment,
  );
  assert.deepEqual(
    byUrl.diagnostics.map(({ code }) => code),
    ['hook-overridden'],
  );
  assert.equal(served.seen.length, 1);
  const path = join(options.paths[0] ?? '', 'hook.mjs');
  const byFile = await runPlan({ ...options, hookOverrides: [{ of, to: { kind: 'file', path } }] }, environment);
  assert.deepEqual(
    byFile.diagnostics.map(({ code }) => code),
    ['hook-overridden', 'hook-refused'],
  );
  assert.ok(!readdirSync(directory).includes('ran'));
});

test('a host that is allowed gets no Secret that the definition names', async (t) => {
  const created = await ProjectDirectory.create({ group: 'fork-secret.example.com', namespace: 'default', hook: '' });
  after(() => created.remove());
  const served = await serveHook(t, () => ({ body: '{"children": []}' }));
  const secretRef = { name: 'admin', namespace: 'kube-system', key: 'token' };
  await created.write('secret.json', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'unrelated', namespace: 'default' },
  });
  await created.write('controller.json', {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    metadata: { name: 'things' },
    spec: {
      parentResource: { apiVersion: 'fork-secret.example.com/v1', resource: 'things' },
      hooks: { sync: { webhook: { url: served.url, authorization: { secretRef } } } },
    },
  });
  const options: PlanOptions = {
    cluster: { sandbox: true },
    paths: [created.path],
    concurrency: 4,
    allowHookHosts: ['127.0.0.1'],
  };
  const { diagnostics } = await runPlan(options, environment);
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['hook-refused'],
  );
  assert.match(diagnostics[0]?.summary ?? '', /it would use the Secret kube-system\/admin to call 127\.0\.0\.1/);
  assert.equal(served.seen.length, 0);
});
