// Every flag of every command, from the command line to what the use case is given.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parse } from '@oclif/core/parser';
import { planOptionsOf, serveOptionsOf } from './flag-values.ts';
import {
  applyFlags,
  clusterFlags,
  guardFlags,
  hookFlags,
  inputFlags,
  outputFlags,
  serveFlags,
  terminalFlags,
  withVariables,
} from './flags.ts';
import { writeFlags } from './write-flags.ts';

const planFlags = {
  ...terminalFlags,
  ...inputFlags,
  ...clusterFlags,
  ...outputFlags,
  ...guardFlags,
  ...hookFlags,
  ...writeFlags,
};
const allApplyFlags = { ...planFlags, ...applyFlags };

async function parsePlan(line: string) {
  const { flags } = await parse(line.split(' '), { flags: planFlags });
  return flags;
}
const options = async (line: string) => planOptionsOf(await parsePlan(line));

const PLAIN = { cluster: {}, paths: ['a'], concurrency: 16 };

/** Command line → the options of runPlan. */
const TO_OPTIONS: readonly [line: string, want: object][] = [
  ['-f a', PLAIN],
  ['--file a -f b', { ...PLAIN, paths: ['a', 'b'] }],
  ['-f -', { ...PLAIN, paths: ['-'] }],
  ['-f a -n prod', { ...PLAIN, namespace: 'prod' }],
  ['-f a --namespace prod', { ...PLAIN, namespace: 'prod' }],
  ['-f a --sandbox', { ...PLAIN, cluster: { sandbox: true } }],
  ['-f a --sandbox-dir d', { ...PLAIN, cluster: { sandboxDirectory: 'd' } }],
  [
    '-f a --sandbox --readiness app=web:never --readiness ready-after=5s',
    {
      ...PLAIN,
      cluster: {
        sandbox: true,
        readiness: [
          { kind: 'never', selector: { matchLabels: { app: 'web' } } },
          { kind: 'ready-after', seconds: 5 },
        ],
      },
    },
  ],
  ['-f a --context c --kubeconfig k', { ...PLAIN, cluster: { context: 'c', kubeconfig: 'k' } }],
  ['-f a --as jane', { ...PLAIN, cluster: { impersonation: { user: 'jane' } } }],
  [
    '-f a --as jane --as-group g,h --as-group i --as-uid u --as-user-extra k=v --as-user-extra k=w=x --as-user-extra __proto__=p',
    {
      ...PLAIN,
      cluster: {
        impersonation: {
          user: 'jane',
          groups: ['g,h', 'i'],
          uid: 'u',
          extra: Object.fromEntries([
            ['k', ['v', 'w=x']],
            ['__proto__', ['p']],
          ]),
        },
      },
    },
  ],
  ['-f a --concurrency 4', { ...PLAIN, concurrency: 4 }],
  ['-f a --max-deletes 0', { ...PLAIN, maxDeletes: 0 }],
  ['-f a --allow-empty', { ...PLAIN, allowEmpty: true }],
  ['-f a --allow-local-hooks', { ...PLAIN, allowLocalHooks: true }],
  ['-f a --allow-hook-host h --allow-hook-host i:8443', { ...PLAIN, allowHookHosts: ['h', 'i:8443'] }],
  ['-f a --ask-finalize-hooks', { ...PLAIN, askFinalize: true }],
  ['-f a --jsonnet-binary jsonnet', { ...PLAIN, jsonnetBinary: 'jsonnet' }],
  ['-f a --jsonnet-binary ./b/jsonnet', { ...PLAIN, jsonnetBinary: resolve('b/jsonnet') }],
  ['--from-cluster', { ...PLAIN, paths: [], fromCluster: true }],
  ['-f a --from-cluster --controller b --controller c', { ...PLAIN, fromCluster: true, controllers: ['b', 'c'] }],
  [
    '-f a --hook-override c/sync=http://h/',
    {
      ...PLAIN,
      hookOverrides: [{ of: { kind: 'hook', controller: 'c', hook: 'sync' }, to: { kind: 'url', url: 'http://h/' } }],
    },
  ],
  ['-f a --apply-mode server-side --field-manager me', { ...PLAIN, applyMode: 'server-side', fieldManager: 'me' }],
  ['-f a --force-conflicts', { ...PLAIN, forceConflicts: true }],
  ['-f a --apply-strategy dynamic-apply', { ...PLAIN, applyMode: 'dynamic' }],
  [
    '-f a --apply-strategy server-side-apply',
    { ...PLAIN, applyMode: 'server-side', fieldManager: 'metacontroller', forceConflicts: true },
  ],
  [
    '-f a --apply-strategy server-side-apply --apply-strategy-ssa-field-manager it',
    { ...PLAIN, applyMode: 'server-side', fieldManager: 'it', forceConflicts: true },
  ],
  ['-f a --mask-hook-secrets', { ...PLAIN, maskHookSecrets: true }],
  [
    '-f a --target CatSet/default/web --target Cluster/one',
    {
      ...PLAIN,
      targets: [
        { kind: 'CatSet', namespace: 'default', name: 'web' },
        { kind: 'Cluster', name: 'one' },
      ],
    },
  ],
];

test('flags become options', async () => {
  for (const [line, want] of TO_OPTIONS) assert.deepEqual(await options(line), want, line);
});

test('flags about the output', async () => {
  const flags = await parsePlan('-f a -o json=p.json -o text --show-unchanged --color never --ascii -q');
  assert.deepEqual(flags.output, [{ format: 'json', path: 'p.json' }, { format: 'text' }]);
  assert.deepEqual([flags['show-unchanged'], flags.color, flags.ascii, flags.quiet], [true, 'never', true, true]);
  const bare = await parsePlan('-f a');
  assert.deepEqual([bare.output, bare['show-unchanged'], bare.color], [undefined, undefined, 'auto']);
});

test('flags of apply', async () => {
  const parseApply = async (line: string) => (await parse(line.split(' '), { flags: allApplyFlags })).flags;
  const bare = await parseApply('-f a');
  assert.deepEqual([bare.yes ?? false, bare.timeout, bare.wait], [false, 600_000, true]);
  const given = await parseApply('-f a -y --timeout 1m30s --no-wait');
  assert.deepEqual([given.yes, given.timeout, given.wait], [true, 90_000, false]);
});

test('flags of sandbox serve', async () => {
  const { flags } = await parse('--sandbox-dir d --port 8001 --write-kubeconfig k'.split(' '), { flags: serveFlags });
  assert.deepEqual([flags['sandbox-dir'], flags.port, flags['write-kubeconfig']], ['d', 8001, 'k']);
  assert.deepEqual(serveOptionsOf(flags), { directory: 'd', port: 8001, controllers: true, readiness: [] });
  const alone = await parse(['--no-controllers', '--readiness', 'never'], { flags: serveFlags });
  assert.deepEqual(serveOptionsOf(alone.flags), { port: 0, controllers: false, readiness: [{ kind: 'never' }] });
});

test('what is refused, and in which words', async () => {
  const cases: readonly [line: string, message: RegExp][] = [
    ['--sandbox', /Missing required flag file/],
    ['-f a b', /Unexpected argument: b/],
    ['-f a --sandbox --context c', /both the sandbox and a cluster are named/],
    ['-f a --sandbox-dir d --kubeconfig k', /both the sandbox and a cluster are named/],
    ['-f a --sandbox --readiness soon', /"soon" does not say when pods become Ready/],
    ['-f a --sandbox --as jane', /the sandbox knows no users/],
    [`-f a --field-manager ${'a'.repeat(129)}`, /has more than 128 bytes: write a short name/],
    ['-f a --as-user-extra k', /"k" is no extra attribute: write KEY=VALUE/],
    ['-f a --as-user-extra =v', /write KEY=VALUE/],
    ['-f a --concurrency 0', /greater than or equal to 1/],
    ['-f a --max-deletes -1', /greater than or equal to 0/],
    ['-f a --target web', /"web" does not name a parent: write KIND\/NAMESPACE\/NAME/],
    ['-f a --target a/b/c/d', /does not name a parent/],
    ['-f a --target CatSet/', /does not name a parent/],
    ['-f a -o xml', /no output format "xml"/],
    ['-f a --color sometimes', /auto, always, never/],
    ['-f a --sandbox=yes', /Unexpected argument: yes|sandbox/],
  ];
  for (const [line, message] of cases) await assert.rejects(options(line), message, line);
  const timeout = parse(['--timeout', '5'], { flags: applyFlags });
  await assert.rejects(timeout, /"5" is not a duration: write 90s, 10m or 1h30m/);
});

test('a flag may come from its variable, and beats it', async (t) => {
  const variables = {
    METACTL_FILE: 'a,b',
    METACTL_CONTEXT: 'c',
    METACTL_TARGET: 'K/n',
    METACTL_ALLOW_EMPTY: 'true',
    METACTL_ALLOW_HOOK_HOST: 'h, i',
  };
  Object.assign(process.env, variables);
  t.after(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });
  const { flags } = await parse([], { flags: planFlags });
  const want = {
    cluster: { context: 'c' },
    paths: ['a', 'b'],
    targets: [{ kind: 'K', name: 'n' }],
    allowEmpty: true,
    allowHookHosts: ['h', 'i'],
  };
  assert.deepEqual(planOptionsOf(flags), { ...want, concurrency: 16 });
  assert.deepEqual((await options('-f x --context d')).cluster, { context: 'd' });
});

test('impersonation from variables', async (t) => {
  const variables = { METACTL_AS: 'jane', METACTL_AS_GROUP: 'g', METACTL_AS_USER_EXTRA: 'k=v' };
  Object.assign(process.env, variables);
  t.after(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });
  const impersonation = { user: 'jane', groups: ['g'], extra: { k: ['v'] } };
  assert.deepEqual((await options('-f x')).cluster, { impersonation });
});

/** What they say is of one call; or another command has a variable of that name, which means something else. */
const WITHOUT_VARIABLE: Readonly<Record<string, readonly string[]>> = {
  config: ['output'],
  init: ['lang', 'group', 'dir'],
  install: ['name', 'dry-run'],
  rbac: ['for', 'name', 'service-account', 'output'],
  types: ['file', 'version', 'output'],
};

test('every flag of every command is tried in a test of this room or of the commands', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../.oclif.manifest.json', import.meta.url), 'utf8')) as {
    commands: Record<string, { flags: Record<string, { char?: string; env?: string }> }>;
  };
  const root = join(import.meta.dirname, '..', '..');
  const tests = globSync(['src/cli/**/*.test.ts', 'commands/**/*.test.ts'], { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  for (const [command, { flags }] of Object.entries(manifest.commands)) {
    for (const [name, { char, env }] of Object.entries(flags)) {
      const words = [`--${name}`, `--no-${name}`, ...(char ? [`-${char}`] : [])];
      assert.ok(
        words.some((word) => new RegExp(`[' ]${word}[' =]`).test(tests)),
        `${command}: no test gives --${name}`,
      );
      if (WITHOUT_VARIABLE[command]?.includes(name)) continue;
      assert.equal(env, `METACTL_${name.toUpperCase().replaceAll('-', '_')}`, `${command} --${name}`);
    }
  }
});

test('withVariables leaves the rest of a flag alone', () => {
  const flag = { summary: 's', char: 'x' };
  assert.deepEqual(withVariables({ 'a-b': flag }), { 'a-b': { ...flag, env: 'METACTL_A_B' } });
});
