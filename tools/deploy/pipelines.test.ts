// The pipelines of deploy/ci: their shell is run as their runners run it, on the sandbox.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'metactl-pipelines-'));
after(() => rmSync(directory, { recursive: true, force: true }));

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}
interface GitLabJob {
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly rules: readonly { readonly if: string }[];
}

const documents = (path: string): unknown[] =>
  parseAllDocuments(readFileSync(join(ROOT, path), 'utf8')).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS() as unknown;
  });
const action = documents('deploy/ci/github/action.yml')[0] as Action;
const [spec, jobs] = documents('deploy/ci/gitlab/plan.yml') as [
  { spec: { inputs: object } },
  Readonly<Record<string, GitLabJob>>,
];
const job = jobs['metactl-plan'];
const planStep = action.runs.steps.find(({ id }) => id === 'plan');
const script = planStep?.run ?? '';

describe('what GitHub and GitLab are given', () => {
  test('one shell text for both, without anything that is put into it by them', () => {
    assert.equal(job?.script.length, 1);
    assert.equal(job?.script[0], script);
    const texts = [
      ...action.runs.steps.map(({ run = '' }) => run),
      ...(job?.script ?? []),
      ...(job?.before_script ?? []),
    ];
    for (const text of texts) assert.doesNotMatch(text, /\$\{\{|\$\[\[/, 'a value could be read as shell');
  });

  test('steps that run say in which shell; every variable of theirs is an input, or of the event', () => {
    assert.equal(action.runs.using, 'composite');
    for (const { run, uses, shell } of action.runs.steps) assert.ok(uses ? !run : shell === 'bash');
    const used = action.runs.steps.flatMap(({ env = {} }) => Object.values(env));
    const inputs = used.flatMap((text) => [...text.matchAll(/inputs\.([a-z]+)/g)].map(([, name = '']) => name));
    assert.deepEqual([...new Set(inputs)].sort(), Object.keys(action.inputs).sort());
    assert.ok(job?.rules.every((rule) => rule.if.includes('merge_request_event')));
    assert.deepEqual(Object.keys(spec.spec.inputs), ['files', 'args', 'package', 'stage']);
  });
});

/** `metactl` as it is installed; it says first what it was called with. */
const bin = join(directory, 'bin');
mkdirSync(bin);
writeFileSync(
  join(bin, 'metactl'),
  `#!/usr/bin/env bash\nprintf '%s ' "$@" >calls.txt\nexec ${process.execPath} ${join(ROOT, 'bin/run.js')} "$@"\n`,
  { mode: 0o755 },
);

before(() => {
  const built = spawnSync(process.execPath, [join(ROOT, 'tools/build.ts')], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
});

let runs = 0;
function run(variables: Readonly<Record<string, string>>, text = script) {
  const cwd = join(directory, `run-${++runs}`);
  mkdirSync(cwd);
  const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: cwd, CI: 'true', LC_ALL: 'C.UTF-8', ...variables };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', text], { cwd, env, encoding: 'utf8' });
  const read = (name: string): string => {
    try {
      return readFileSync(join(cwd, name), 'utf8');
    } catch {
      return '';
    }
  };
  return { status, stdout, stderr, read };
}

const HELLO = join(ROOT, 'examples/hello-world');

describe('the shell of a plan', { skip: process.platform === 'win32' ? 'runners of Linux only' : false }, () => {
  test('of our own branch without credentials: the plan of the sandbox, as text, as JSON and as a summary', () => {
    const { status, stdout, stderr, read } = run({
      ...{ PLAN_FILES: `${HELLO}\n`, PLAN_FORK: 'false', PLAN_SUMMARY: 'summary.md', PLAN_OUTPUT: 'output' },
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /plan for an empty cluster/);
    assert.match(stdout, /to create/);
    assert.match(read('plan.json'), /"formatVersion"/);
    assert.equal(read('output'), 'changes=true\n');
    assert.match(read('summary.md'), /^### metactl plan\n\n<pre>\n[^<]*<\/pre>\n$/);
  });

  test('with credentials the cluster is asked; for a fork it is not, whatever is there', () => {
    const nowhere = join(directory, 'kubeconfig');
    writeFileSync(nowhere, '');
    const given = { PLAN_FILES: HELLO, PLAN_KUBECONFIG: nowhere };
    assert.match(run({ ...given, PLAN_FORK: 'false' }).read('calls.txt'), new RegExp(`--kubeconfig ${nowhere} `));
    const ofFork = run({ ...given, PLAN_FORK: 'true' });
    assert.match(ofFork.read('calls.txt'), /--sandbox /);
    assert.doesNotMatch(ofFork.read('calls.txt'), /--kubeconfig/);
  });

  test("hooks of a fork that are programs are refused, and the job fails with the plan's code", () => {
    const event = join(directory, 'event.json');
    const repo = (name: string): object => ({ repo: { full_name: name } });
    writeFileSync(event, JSON.stringify({ pull_request: { head: repo('stranger/app'), base: repo('us/app') } }));
    const fork = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: event, GITHUB_REPOSITORY: 'us/app' };
    const { status, stderr } = run({ ...fork, PLAN_FILES: HELLO, PLAN_FORK: 'true' });
    assert.equal(status, 1);
    assert.match(stderr, /hook-refused/);
  });

  test('arguments are words; files are lines, and may hold blanks', () => {
    const spaced = join(directory, 'with blank');
    mkdirSync(spaced);
    writeFileSync(join(spaced, 'map.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n');
    const { status, read, stderr } = run({
      ...{ PLAN_FILES: `${spaced}\n\n${HELLO}\n`, PLAN_FORK: 'false', PLAN_ARGS: '--concurrency 2 --show-unchanged' },
    });
    assert.equal(status, 0, stderr);
    assert.match(read('calls.txt'), /with blank --file .*hello-world --sandbox --concurrency 2 --show-unchanged /);
    assert.equal(read('plan.env'), 'changes=true\n');
  });

  test('GitLab tells a fork by the two projects', () => {
    const forkLine = job?.before_script.find((line) => line.startsWith('PLAN_FORK')) ?? '';
    const say = (source: string): string =>
      run({ CI_PROJECT_PATH: 'us/app', CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: source }, `${forkLine}; echo "$PLAN_FORK"`)
        .stdout;
    assert.equal(say('us/app'), 'false\n');
    assert.equal(say('stranger/app'), 'true\n');
  });
});
