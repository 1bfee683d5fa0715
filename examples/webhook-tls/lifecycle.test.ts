// The server in Go, built and started, and a controller that trusts its certificate and shows its token, on both servers.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { type ExampleProject, exampleProject } from '../../src/testing/example-project.ts';
import { PODS } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';

const skip = spawnSync('go', ['version']).status === 0 ? false : 'go is not on this machine';

interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

/** Its manifests, in the project's namespace, replace those of an earlier start. */
async function start(program: string, project: ExampleProject, file: string): Promise<Running> {
  const args = ['-listen', '127.0.0.1:0', '-manifests', file];
  const server: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(server, 'exit');
  assert.ok(server.stdout);
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string];
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll('"namespace": "default"', `"namespace": "${project.namespace}"`));
  const stop = async (): Promise<void> => {
    server.kill();
    await exited;
  };
  after(stop);
  return { url, stop };
}

forEachTarget('webhook-tls', (target) => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'metactl-webhook-tls-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test('certificate and token count, and new ones without a new definition', { skip }, async () => {
    const program = join(directory, 'hook');
    const built = spawnSync('go', ['build', '-o', program, join(import.meta.dirname, 'main.go')], { encoding: 'utf8' });
    assert.equal(built.status, 0, built.stderr);
    const project = await exampleProject(target, { name: 'webhook-tls', group: 'example.com' });
    const manifests = join(directory, 'manifests.json');
    const first = await start(program, project, manifests);
    await project.replace('controller.yaml', 'https://127.0.0.1:8443/sync', first.url);

    const early = await project.apply({ timeoutMs: 1_000 });
    const [problem] = early.diagnostics;
    assert.equal(problem?.code, 'hook-failed');
    assert.match(problem?.summary ?? '', /(ConfigMap|Secret) \S+ does not exist/);
    await project.apply({ paths: [manifests] });
    await project.settle();
    const pods = await project.list(PODS);
    assert.deepEqual(
      pods.map(({ metadata }) => metadata.name),
      ['your-name'],
    );
    assert.deepEqual(await project.planned(), []);

    // Another certificate and another token, at another port.
    const token = await tokenIn(manifests);
    await first.stop();
    const second = await start(program, project, manifests);
    await project.replace('controller.yaml', first.url, second.url);
    assert.notEqual(await tokenIn(manifests), token);
    const refused = await project.plan();
    assert.match(JSON.stringify(refused.diagnostics), /certificate|authority/);
    assert.ok(!JSON.stringify(refused.diagnostics).includes(token), 'no token in what is said');
    await project.apply({ paths: [manifests] });
    assert.deepEqual(await project.planned(), []);
  });
});

async function tokenIn(file: string): Promise<string> {
  const { items } = JSON.parse(await readFile(file, 'utf8')) as { items: { data: { token?: string } }[] };
  return Buffer.from(items[1]?.data.token ?? '', 'base64').toString();
}
