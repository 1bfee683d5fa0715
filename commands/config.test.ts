// The configuration as a user meets it: bin/run.js in a directory of his.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ProjectDirectory } from '../src/testing/project-directory.ts';
import { build } from '../tools/build.ts';

const RUN = join(import.meta.dirname, '..', 'bin', 'run.js');
const home = mkdtempSync(join(tmpdir(), 'metactl-config-'));
const marker = join(home, 'ran');
const HOOK = `return { children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } }] };`;
const project = await ProjectDirectory.create({
  group: 'example.com',
  namespace: 'default',
  generateSelector: true,
  hook: HOOK,
});

before(() => build());
after(async () => {
  rmSync(home, { recursive: true, force: true });
  await project.remove();
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function metactl(line: string, variables: Record<string, string> = {}): Promise<Ended> {
  const env = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, ...line.split(' ')], { cwd: home, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

function write(path: string, text: string): void {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), text);
}

test('plan takes its files and its cluster from the project, the rest from the user', async () => {
  write(
    '.metactlrc.yaml',
    `files: [${JSON.stringify(project.path)}]\nsandbox: true\nprofiles: {json: {output: json}}\n`,
  );
  write('.config/metactl/config.yaml', 'ascii: true\n');
  const plain = await metactl('plan');
  assert.deepEqual([plain.code, plain.stderr], [0, '']);
  assert.match(plain.stdout, /^[\x00-\x7f]*ConfigMap[\x00-\x7f]*$/);
  assert.equal(JSON.parse((await metactl('plan --profile json')).stdout).formatVersion, '1.0');
  assert.equal(JSON.parse((await metactl('plan', { METACTL_PROFILE: 'json' })).stdout).formatVersion, '1.0');
  const without = await metactl('plan --no-config');
  assert.deepEqual([without.code, without.stdout], [1, '']);
  assert.match(
    without.stderr,
    /^error: Missing required flag file: say --file, or set "files" in a configuration file; or say --from-cluster$/m,
  );
});

test('config: data on stdout, as YAML and JSON, with origins', async () => {
  assert.match((await metactl('config')).stdout, /^sandbox: true$/m);
  const shown = await metactl('config -o json --show-origin --concurrency 3 --exec-config', { METACTL_WAIT: 'true' });
  const { ascii, concurrency, files, timeout, wait } = JSON.parse(shown.stdout);
  assert.deepEqual(concurrency, { value: 3, from: '--concurrency' });
  assert.deepEqual([wait.from, timeout.from], ['METACTL_WAIT', 'default']);
  assert.match(files.from, /^\.metactlrc\.yaml:1:1 \(project\)$/);
  assert.match(ascii.from, /config\.yaml:1:8 \(user\)$/);
});

test('what is wrong in a file is told with its place, and nothing runs', async () => {
  write('broken.yaml', 'sandbox: true\ncontxt: a\n');
  const { code, stdout, stderr } = await metactl(`plan -f ${project.path} --config broken.yaml`);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /broken\.yaml:2:1: Unknown field contxt\n.*contxt: a/);
});

test('--version, --help and schema read no configuration', async () => {
  for (const line of ['--version', '--help', 'plan --help', 'schema config']) {
    const { code } = await metactl(line, { METACTL_CONFIG: 'gone.yaml' });
    assert.equal(code, 0, line);
  }
  assert.match(JSON.parse((await metactl('schema config')).stdout).properties.context.type, /string/);
});

test("cosmiconfig's own configuration, which may be a program, is not looked at", async () => {
  const program = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, ''); module.exports = { cosmiconfig: { searchPlaces: ['evil'] } };`;
  write('.config/config.js', program);
  write('.config/config.cjs', program);
  write('package.json', '{"name": "metactl", "cosmiconfig": {"searchPlaces": ["evil"]}}');
  write('evil', 'namespace: taken');
  const { code, stdout } = await metactl('config');
  assert.equal(code, 0);
  assert.equal(existsSync(marker), false);
  assert.doesNotMatch(stdout, /taken/);
});
