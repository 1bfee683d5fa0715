// From files in real directories to completed flags. Paths in messages are relative to the directory of the test run, so
// patterns look at names only.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { parse } from '@oclif/core/parser';
import { createNodeFiles } from '../../app/index.ts';
import { DiagnosticError } from '../../model/diagnostic.ts';
import {
  applyFlags,
  clusterFlags,
  configFlags,
  hookFlags,
  inputFlags,
  optional,
  outputFlags,
  terminalFlags,
} from '../flags.ts';
import { completeFlags } from './complete-flags.ts';
import { describeEffective } from './effective.ts';
import { SETTINGS } from './settings.ts';

const flags = {
  ...terminalFlags,
  ...configFlags,
  ...inputFlags,
  ...clusterFlags,
  ...outputFlags,
  ...hookFlags,
  ...applyFlags,
};
const base = mkdtempSync(join(tmpdir(), 'metactl-config-'));
after(() => rmSync(base, { recursive: true, force: true }));
let count = 0;

type Tree = Readonly<Record<string, string>>;
interface World {
  /** Of the project, relative to its root, which is a git repository. */
  readonly project?: Tree;
  /** Of the user's configuration directory. */
  readonly user?: Tree;
  readonly line?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Where the command is started, relative to the project's root. */
  readonly from?: string;
}

function plant(directory: string, tree: Tree): void {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

async function complete({ project = {}, user = {}, line = '', variables = {}, from = '.' }: World) {
  const root = join(base, String(++count));
  plant(join(root, 'project'), { '.git/HEAD': '', ...project });
  plant(join(root, 'xdg', 'metactl'), user);
  const workingDirectory = join(root, 'project', from);
  mkdirSync(workingDirectory, { recursive: true });
  const lenient = { ...flags, file: optional(flags.file) };
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    const parsed = await parse(line === '' ? [] : line.split(' '), { flags: lenient });
    const files = createNodeFiles({ stdin: process.stdin, workingDirectory });
    const own = { ...variables, XDG_CONFIG_HOME: join(root, 'xdg') };
    const world = { files, workingDirectory, variables: own };
    return { root, ...(await completeFlags(parsed, { ...flags, file: optional(flags.file) }, world)) };
  } finally {
    for (const name of Object.keys(variables)) if (!(name in before)) delete process.env[name];
  }
}

async function contextOf(world: World): Promise<unknown> {
  return (await complete(world)).flags['context'];
}

test('precedence: flag, variable, profile, project, user, default', async () => {
  const project = { '.metactlrc': 'context: project\nprofiles: {p: {context: profile}}' };
  const user = { 'config.yaml': 'context: user\nconcurrency: 3\nprofiles: {p: {namespace: up, context: unseen}}' };
  const variables = { METACTL_CONTEXT: 'variable' };
  const profiled = '--profile p';
  assert.equal(await contextOf({ project, user, variables, line: `${profiled} --context flag` }), 'flag');
  assert.equal(await contextOf({ project, user, variables, line: profiled }), 'variable');
  assert.equal(await contextOf({ project, user, line: profiled }), 'profile');
  assert.equal(await contextOf({ project, user, variables: { METACTL_PROFILE: 'p' } }), 'profile');
  assert.equal(await contextOf({ project, user }), 'project');
  assert.equal(await contextOf({ user }), 'user');
  const { flags: all } = await complete({ project, user, line: profiled });
  assert.deepEqual([all['concurrency'], all['namespace'], all['timeout']], [3, 'up', 600_000], 'files are merged');
});

test('where files are looked for', async () => {
  const places = ['.metactlrc', '.metactlrc.json', '.metactlrc.yml', '.config/metactlrc', '.config/metactlrc.yaml'];
  for (const place of places) assert.equal(await contextOf({ project: { [place]: '{"context": "c"}' } }), 'c', place);
  const manifest = { 'package.json': '{"name": "x", "metactl": {"context": "c"}}' };
  assert.equal(await contextOf({ project: manifest }), 'c', 'package.json');
  assert.equal(await contextOf({ project: manifest, from: 'a/b' }), 'c', 'from below');
  const nearer = { ...manifest, 'a/package.json': '{"name": "metactl"}', 'a/.metactlrc': 'context: nearer' };
  assert.equal(await contextOf({ project: nearer, from: 'a/b' }), 'nearer');
  const beyond = { 'inner/.git/HEAD': '', '.metactlrc': 'context: c' };
  assert.equal(await contextOf({ project: beyond, from: 'inner/a' }), undefined, 'not above the repository');
  const programs = ['metactl.config.ts', 'metactl.config.mjs', '.metactlrc.mjs'];
  for (const place of programs)
    assert.equal(await contextOf({ project: { [place]: 'export default { context: "c" };' } }), 'c', place);
});

test('--config names the file, --no-config none', async () => {
  const project = { '.metactlrc': 'context: project', 'other.yaml': 'namespace: ns' };
  const user = { config: 'concurrency: 2' };
  const bare = (await complete({ project, user, line: '--no-config' })).flags;
  assert.deepEqual([bare['context'], bare['concurrency']], [undefined, 16]);
  const named = (await complete({ project, user, line: '--config other.yaml' })).flags;
  assert.deepEqual([named['context'], named['namespace'], named['concurrency']], [undefined, 'ns', 2]);
});

test('paths are relative to the file that says them', async () => {
  const project = { '.metactlrc': '$import: [a/b.yaml]\nfiles: [x, /y, "-"]', 'a/b.yaml': 'sandboxDir: state' };
  const { flags: got, root } = await complete({ project, from: 'deep/er' });
  const [x, ...rest] = got['file'] as string[];
  assert.equal(resolve(x ?? ''), join(root, 'project', 'x'));
  assert.deepEqual(rest, ['/y', '-']);
  assert.equal(resolve(String(got['sandbox-dir'])), join(root, 'project', 'a', 'state'));
});

test('$import: what is imported is beaten, a later one beats an earlier one, twice is no circle', async () => {
  const project = {
    '.metactlrc': '$import: [a.yaml, b.yaml]\nnamespace: own',
    'a.yaml': '$import: [c.yaml]\ncontext: a\nnamespace: a\nprofiles: {p: {context: pa, concurrency: 5}}',
    'b.yaml': '$import: [c.yaml]\ncontext: b\nprofiles: {p: {context: pb}}',
    'c.yaml': 'timeout: 1m',
  };
  const { flags: got } = await complete({ project });
  assert.deepEqual([got['namespace'], got['context'], got['timeout']], ['own', 'b', 60_000]);
  const { flags: profiled } = await complete({ project, line: '--profile p' });
  assert.deepEqual([profiled['context'], profiled['concurrency']], ['pb', 5]);
});

test('the sandbox and a cluster: the one that was said nearer wins', async () => {
  const cluster = { '.metactlrc': 'context: c\nkubeconfig: k' };
  const sandbox = { '.metactlrc': 'sandbox: true' };
  const a = (await complete({ project: cluster, line: '--sandbox' })).flags;
  assert.deepEqual([a['sandbox'], a['context'], a['kubeconfig']], [true, undefined, undefined]);
  const b = (await complete({ project: sandbox, line: '--context x' })).flags;
  assert.deepEqual([b['sandbox'] ?? false, b['context']], [false, 'x']);
  const c = (await complete({ project: cluster, line: '--context x' })).flags;
  assert.deepEqual(
    [c['context'], String(c['kubeconfig']).endsWith('k')],
    ['x', true],
    'of one kind they complete each other',
  );
});

test('where values come from', async () => {
  const world = { project: { '.metactlrc': 'context: c\ncolor: never' }, variables: { METACTL_NAMESPACE: 'n' } };
  const { effective } = await complete({ ...world, line: '--timeout 90s' });
  const shown = describeEffective(effective, true) as Record<string, { value: unknown; from: string }>;
  const from = Object.fromEntries(Object.entries(shown).map(([key, { from: place }]) => [key, place]));
  assert.match(from['context'] ?? '', /\.metactlrc:1:10 \(project\)$/);
  assert.deepEqual([from['namespace'], from['timeout'], from['wait']], ['METACTL_NAMESPACE', '--timeout', 'default']);
  assert.equal(shown['timeout']?.value, '1m30s');
});

/** What is wrong → what is said of it, with the place. */
const WRONG: readonly [why: string, world: World, said: RegExp][] = [
  ['typo', { project: { '.metactlrc': 'contxt: a' } }, /Unknown field contxt.*metactlrc:1:1.*Did you mean "context"/],
  ['in a profile', { project: { '.metactlrc': 'profiles:\n  p: {maxDelete: 1}' } }, /profiles\.p\.maxDelete.*:2:7/],
  ['in package.json', { project: { 'package.json': '{\n"metactl": {"contxt": 1}}' } }, /contxt.*package\.json:2:13/],
  ['wrong type', { project: { '.metactlrc': 'concurrency: "4"' } }, /concurrency must be a whole number/],
  ['no duration', { project: { '.metactlrc': 'timeout: soon' } }, /"soon" is not a duration.*:1:10/],
  ['not a map', { project: { '.metactlrc': '[a]' } }, /must be a map of fields/],
  ['syntax', { project: { '.metactlrc': 'a: [' } }, /yaml-syntax.*metactlrc/],
  ['two documents', { project: { '.metactlrc': 'wait: true\n---\nwait: false' } }, /several documents/],
  ['__proto__', { project: { '.metactlrc': '__proto__: {context: a}' } }, /Unknown field __proto__/],
  ['for one run', { user: { config: 'yes: true' } }, /"yes" can not be set in a file.*--yes/],
  ['trust', { project: { '.metactlrc': 'allowHookHost: [a]' } }, /"allowHookHost" can not be.*METACTL_ALLOW_HOOK_HOST/],
  [
    'trust in flag form',
    { project: { '.metactlrc': 'allow-local-hooks: true' } },
    /can not be set.*--allow-local-hooks/,
  ],
  ['writes a file', { project: { '.metactlrc': 'output: json=/etc/passwd' } }, /output can not be/],
  ['circle', { project: { '.metactlrc': '$import: [a]', a: '$import: [.metactlrc]' } }, /imports itself.*:1:1/],
  ['no import', { project: { '.metactlrc': '$import: [gone.yaml]' } }, /gone\.yaml.*no such file.*metactlrc:1:/],
  ['no file', { line: '--config gone.yaml' }, /gone\.yaml can not be read: there is no such file/],
  ['no profile', { project: { '.metactlrc': 'profiles: {prod: {}}' }, line: '--profile prd' }, /Did you mean "prod"/],
  ['no profiles', { line: '--profile prd' }, /There is no profile "prd".*No configuration file has profiles/],
  ['throws', { project: { 'metactl.config.mjs': 'throw new Error("boom")' } }, /failed when it was run: boom/],
  ['program with a typo', { project: { 'metactl.config.mjs': 'export default {contxt: 1}' } }, /Unknown field contxt/],
];

for (const [why, world, said] of WRONG) {
  test(`wrong: ${why}`, async () => {
    await assert.rejects(complete(world), (error) => {
      assert.ok(error instanceof DiagnosticError, String(error));
      const text = error.diagnostics
        .map(({ code, summary, hint, source }) =>
          [code, summary, source && `${source.file}:${source.line}:${source.column}`, hint].join(' '),
        )
        .join('\n');
      assert.match(text, said);
      return true;
    });
  });
}

const FORK = {
  BUILDKITE_PULL_REQUEST: '1',
  BUILDKITE_PULL_REQUEST_REPO: 'https://h/fork/r',
  BUILDKITE_REPO: 'https://h/own/r',
};

test('in a fork pull request no program is run, and no file chooses the kubeconfig', async () => {
  const marker = join(base, 'ran');
  const program = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(marker)}, ''); export default { context: 'c' };`;
  const project = { 'metactl.config.mjs': program };
  await assert.rejects(complete({ project, variables: FORK }), /is a program and is not run/);
  const imported = { '.metactlrc': '$import: [metactl.config.mjs]', ...project };
  await assert.rejects(complete({ project: imported, variables: FORK }), /is a program and is not run/);
  await assert.rejects(complete({ project, variables: FORK, line: '--config metactl.config.mjs' }), /is not run/);
  assert.equal(await contextOf({ project, variables: FORK, line: '--no-exec-config' }), undefined, 'left out');
  assert.equal(await contextOf({ project, line: '--no-exec-config' }), undefined);
  assert.equal(existsSync(marker), false);
  assert.equal(await contextOf({ project, variables: FORK, line: '--exec-config' }), 'c');

  const kubeconfig = { '.metactlrc': 'profiles: {p: {kubeconfig: k}}' };
  await assert.rejects(complete({ project: kubeconfig, variables: FORK }), /kubeconfig is not taken from a file here/);
  assert.ok((await complete({ project: kubeconfig, line: '--profile p' })).flags['kubeconfig']);
  const binary = { '.metactlrc': 'jsonnetBinary: jsonnet' };
  await assert.rejects(complete({ project: binary, variables: FORK }), /jsonnetBinary is not taken from a file here/);
  assert.equal((await complete({ project: binary })).flags['jsonnet-binary'], 'jsonnet');
  const overrides = { '.metactlrc': 'hookOverrides: {a/sync: ./hook.ts}' };
  await assert.rejects(
    complete({ project: overrides, variables: FORK }),
    /hookOverrides is not taken from a file here/,
  );
  await assert.rejects(complete({ project: overrides, variables: FORK, line: '--config .metactlrc' }), /not taken/);
  const mine = { user: { config: 'hookOverrides: {a/sync: "http://h/"}' } };
  assert.ok((await complete({ ...mine, variables: FORK })).flags['hook-override'], "the user's own file may");
  const own = await complete({ user: { config: 'kubeconfig: k' }, variables: FORK });
  assert.ok(own.flags['kubeconfig'], "the user's own file may");
});

test('hookOverrides: files are relative to the configuration, the flag counts whole, and what is shown can be written', async () => {
  const project = { '.metactlrc': 'hookOverrides: {a/sync: ./hook.ts, service/n/s: "http://127.0.0.1:8080"}' };
  const { flags, effective } = await complete({ project });
  const given = flags['hook-override'] as readonly { readonly to: object }[];
  assert.equal(given.length, 2);
  assert.match(JSON.stringify(given[0]?.to), /"path":"\/.*\/hook\.ts"/);
  const shown = describeEffective(effective, false)['hookOverrides'] as Record<string, string>;
  assert.deepEqual(Object.keys(shown), ['a/sync', 'service/n/s']);
  const { flags: over } = await complete({ project, line: '--hook-override b/sync=http://h/' });
  assert.equal((over['hook-override'] as readonly object[]).length, 1);
  const bad = { '.metactlrc': 'hookOverrides: {a: "http://h"}' };
  await assert.rejects(complete({ project: bad }), /hookOverrides: "a" names no hook/);
});

test('every flag of plan and apply is a setting, or is refused with a reason', async () => {
  const { REFUSED } = await import('./settings.ts');
  const { default: manifest } = await import('../../../.oclif.manifest.json', { with: { type: 'json' } });
  const known = new Set([
    ...SETTINGS.flatMap(({ flag }) => flag ?? []),
    ...Object.keys(REFUSED).map((key) => key.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)),
  ]);
  for (const command of ['plan', 'apply'] as const)
    for (const name of Object.keys(manifest.commands[command].flags))
      assert.ok(known.has(name), `--${name}: add it to SETTINGS or to REFUSED in src/cli/config/settings.ts`);
});
