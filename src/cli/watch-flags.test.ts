import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '@oclif/core/parser';
import { clusterFlags, inputFlags } from './flags.ts';
import { watchFlags, watchOptionsOf } from './watch-flags.ts';

const FLAGS = { ...inputFlags, ...clusterFlags, ...watchFlags };

async function optionsOf(line: string, variables: Readonly<Record<string, string>> = {}) {
  Object.assign(process.env, variables);
  try {
    const { flags } = await parse(line.split(' '), { flags: FLAGS });
    return watchOptionsOf(flags);
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
}

test('a watch only plans, unless it is said', async () => {
  const { apply, allowContexts, paths } = await optionsOf('-f a');
  assert.deepEqual([apply, allowContexts, paths], [false, [], ['a']]);
});

test('--apply, and where it may', async () => {
  const { apply, allowContexts } = await optionsOf('-f a --apply --allow-context staging --allow-context dev');
  assert.deepEqual([apply, allowContexts], [true, ['staging', 'dev']]);
  assert.deepEqual((await optionsOf('-f a', { METACTL_ALLOW_CONTEXT: 'one' })).allowContexts, ['one']);
});
