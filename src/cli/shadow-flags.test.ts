// The flags of a shadow: what they mean, and that none does anything without --shadow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '@oclif/core/parser';
import { shadowFlags, shadowOptionsOf } from './shadow-flags.ts';

async function optionsOf(line: string) {
  const { flags } = await parse(line === '' ? [] : line.split(' '), { flags: shadowFlags });
  return shadowOptionsOf(flags as unknown as Parameters<typeof shadowOptionsOf>[0]);
}

const managers = ['metacontroller', 'metactl'];
const FLAGS: readonly [line: string, options: object][] = [
  ['', {}],
  ['--shadow-window 5s --shadow-of x --shadow-for 1m', {}],
  ['--shadow', { shadow: { windowMs: 30_000, managers } }],
  ['--shadow --shadow-window 1m30s', { shadow: { windowMs: 90_000, managers } }],
  ['--shadow --shadow-of a --shadow-of b', { shadow: { windowMs: 30_000, managers: ['a', 'b'] } }],
  ['--shadow --shadow-for 1h', { shadow: { windowMs: 30_000, managers, forMs: 3_600_000 } }],
];
for (const [line, options] of FLAGS) test(`"${line}"`, async () => assert.deepEqual(await optionsOf(line), options));

test('no duration', () => assert.rejects(optionsOf('--shadow --shadow-window soon'), /is not a duration/));
