// The flags of `metactl install` and `metactl rbac`, from the command line to what the use case is given.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '@oclif/core/parser';
import { clusterFlags, fileFlags, outputFlags } from './flags.ts';
import { type InstallFlagValues, installFlags, installOptionsOf } from './install-flags.ts';
import { type RightsFlagValues, rightsFlags, rightsOptionsOf } from './rights-flags.ts';
import { writeFlags } from './write-flags.ts';

const INSTALL = { ...clusterFlags, ...outputFlags, ...writeFlags, ...installFlags };
const RBAC = { ...fileFlags, ...writeFlags, ...rightsFlags };
const wordsOf = (line: string): string[] => (line === '' ? [] : line.split(' '));

async function installed(line: string) {
  const { flags } = await parse(wordsOf(line), { flags: INSTALL });
  return { flags, ...installOptionsOf(flags as unknown as InstallFlagValues, '1.2.3') };
}

test('install without flags: one pod of this version, in a namespace of its own', async () => {
  const { installation, paths, related, shared, flags } = await installed('');
  const usual = { namespace: 'metactl', name: 'metactl', image: 'metactl:1.2.3', replicas: 1, arguments: [] };
  assert.deepEqual(
    { installation, paths, related, shared },
    { installation: usual, paths: [], related: [], shared: false },
  );
  assert.deepEqual([flags['dry-run'], flags.yes], [undefined, undefined]);
});

const OF_INSTALL: readonly (readonly [line: string, changed: object])[] = [
  ['--install-namespace here --name mine', { namespace: 'here', name: 'mine' }],
  ['--image example.com/metactl:1 --replicas 3', { image: 'example.com/metactl:1', replicas: 3 }],
  ['--shards 4', { arguments: ['--shards=4'] }],
  ['--daemon-arg=--workers=10 --daemon-arg=--zap-devel', { arguments: ['--workers=10', '--zap-devel'] }],
];
for (const [line, changed] of OF_INSTALL)
  test(`install ${line}`, async () => {
    const usual = (await installed('')).installation;
    assert.deepEqual((await installed(line)).installation, { ...usual, ...changed });
  });

test('install: definitions, what their hooks ask for, and whether it is only to be shown', async () => {
  const { paths, related, flags } = await installed('-f a -f b --related secrets --related deployments.apps --dry-run');
  assert.deepEqual(paths, ['a', 'b']);
  assert.deepEqual(related, [
    { resource: 'secrets', group: '' },
    { resource: 'deployments', group: 'apps' },
  ]);
  assert.equal(flags['dry-run'], true);
});

async function rights(line: string) {
  const { flags } = await parse(wordsOf(line), { flags: RBAC });
  return { output: flags.output, ...rightsOptionsOf(flags as unknown as RightsFlagValues) };
}

const OF_RBAC: readonly (readonly [line: string, changed: object])[] = [
  ['', {}],
  ['--for shadow', { purpose: 'shadow' }],
  ['--related secrets', { related: [{ resource: 'secrets', group: '' }] }],
  ['--install-namespace here', { leases: { namespace: 'here', names: ['metacontroller'], shared: false } }],
  ['--no-leader-election', { leases: { namespace: 'metactl', names: [], shared: false } }],
  ['--leader-election-id x --shards 2', { leases: { namespace: 'metactl', names: ['x'], shared: true } }],
  ['--name mine --service-account a/b', { roles: { name: 'mine', serviceAccount: { namespace: 'a', name: 'b' } } }],
  ['-n one', { namespace: 'one' }],
  ['--output text', { output: 'text' }],
];
for (const [line, changed] of OF_RBAC)
  test(`rbac ${line}`, async () => {
    assert.deepEqual(await rights(`-f a ${line}`.trim()), {
      ...{ output: 'yaml', paths: ['a'], purpose: 'daemon', related: [], roles: { name: 'metactl' } },
      leases: { namespace: 'metactl', names: ['metacontroller'], shared: false },
      ...changed,
    });
  });

for (const [line, said] of [
  ['-f a --service-account nobody', /names no service account/],
  ['-f a --related Secrets', /names no resource/],
  ['', /say -f with the definitions/],
] as const)
  test(`wrong: rbac ${line}`, () => assert.rejects(rights(line), said));
