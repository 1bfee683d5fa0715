// The README of a new controller, done as it says: its commands, in a shell, with metactl on the PATH.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { missingProgram } from '../src/testing/example-project.ts';
import { build } from '../tools/build.ts';

const RUN = join(import.meta.dirname, '..', 'bin', 'run.js');
const home = mkdtempSync(join(tmpdir(), 'metactl-init-command-'));
const bin = join(home, 'bin');

before(async () => {
  await build();
  mkdirSync(bin);
  writeFileSync(join(bin, 'metactl'), `#!/bin/sh\nexec '${process.execPath}' '${RUN}' "$@"\n`);
  chmodSync(join(bin, 'metactl'), 0o755);
});
after(() => rmSync(home, { recursive: true, force: true }));

function shell(
  script: string,
  directory = home,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const path = [bin, dirname(process.execPath), process.env['PATH']].join(':');
  const env = { PATH: path, HOME: home, LANG: 'C.UTF-8' };
  return spawnSync('sh', ['-e', '-c', script], { cwd: directory, env, encoding: 'utf8', input: '' });
}

const CASES = [
  { kind: 'composite', language: 'ts', commands: 4, made: /\+ Deployment my-web/ },
  { kind: 'decorator', language: 'python', commands: 3, made: /\+ Service my-web/ },
  { kind: 'map', language: 'jsonnet', commands: 2, made: /\+ Ingress my-web-input/ },
];

for (const { kind, language, commands, made } of CASES)
  test(`${kind}, ${language}`, { skip: language === 'python' && missingProgram('python3') }, () => {
    const name = `${kind}-${language}`;
    const init = shell(`metactl init ${kind} web --lang ${language} --dir ${name}`);
    assert.equal(init.status, 0, init.stderr);
    for (const file of init.stdout.trimEnd().split('\n')) assert.ok(existsSync(join(home, file)), file);
    assert.match(init.stderr, new RegExp(`^Next: cd ${name} && metactl plan`));
    const readme = readFileSync(join(home, name, 'README.md'), 'utf8');
    const lines = [...readme.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) => block.trimEnd().split('\n'));
    assert.equal(lines.length, commands, lines.join('\n'));
    const { status, stdout, stderr } = shell(lines.join('\n'), join(home, name));
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, made);
    const after = shell('metactl plan -f . --sandbox-dir .sandbox --detailed-exitcode', join(home, name));
    assert.equal(after.status, 0, after.stdout + after.stderr);
  });

test('wrong usage', () => {
  const cases: readonly [line: string, says: RegExp][] = [
    ['init', /kind/],
    ['init composit web', /composit/],
    ['init composite', /name/],
    ['init composite web --lang go', /--lang=go/],
    ['init composite Web', /The name "Web" must be small letters/],
    ['init map web --group k8s.io', /belongs to Kubernetes/],
    ['types -f nothing.yaml', /there is no such file/],
    ['types', /file/],
  ];
  for (const [line, says] of cases) {
    const { status, stdout, stderr } = shell(`metactl ${line}`);
    assert.deepEqual([status, stdout], [1, ''], line);
    assert.match(stderr, says, line);
  }
});

test('types: on stdout, into a file, and again', () => {
  const crd = join(import.meta.dirname, '../examples/hello-world/crd.yaml');
  const { status, stdout, stderr } = shell(
    `metactl types -f ${crd}; metactl types -f - -o hello.ts < ${crd}; metactl types -f ${crd} -o hello.ts`,
  );
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^export interface HelloWorldSpec \{$/m);
  assert.equal(readFileSync(join(home, 'hello.ts'), 'utf8'), stdout);
});

test('a hook that takes functions from metactl runs where nothing is installed, in the released bundle too', () => {
  assert.equal(shell('metactl init composite web --lang js --dir functions').status, 0);
  const hook = `
    import { childrenOf, condition, defineComposite } from 'metactl';
    export const { sync } = defineComposite({
      sync: (request) => ({
        status: { readyReplicas: childrenOf(request, 'apps/v1', 'Deployment').length },
        children: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: condition('Ready', true).type.toLowerCase() } }],
      }),
    });`;
  writeFileSync(join(home, 'functions', 'hook.js'), hook);
  const controller = join(home, 'functions', 'controller.yaml');
  writeFileSync(
    controller,
    readFileSync(controller, 'utf8').replace('apps/v1', 'v1').replace('deployments', 'secrets'),
  );
  const { status, stdout, stderr } = shell('metactl plan -f functions --sandbox');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /\+ Secret ready/);
});
