import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sickness, unreadiness } from './health.ts';

const LOAD = { ready: 2, running: 1, oldestMs: 0, unfinishedMs: 0, longestMs: 0 };
const WELL = { crashed: false, stopping: false, loads: new Map([['c', LOAD]]), quietMs: 0 };
const LONG_MS = 660_000;

const HEALTH: readonly (readonly [
  why: string,
  of: Partial<Parameters<typeof sickness>[0]>,
  said: RegExp | undefined,
])[] = [
  ['at work', {}, undefined],
  ['at rest for hours', { loads: new Map(), quietMs: 1e9 }, undefined],
  ['parents wait and nothing happens', { quietMs: LONG_MS }, /stuck: 3 parents wait, .* for 660 s/],
  ['it stops: nothing is begun any more', { quietMs: LONG_MS, stopping: true }, undefined],
  ['a defect', { crashed: true }, /a defect was met/],
];
for (const [why, of, said] of HEALTH)
  test(`healthy? ${why}`, () => {
    const told = sickness({ ...WELL, ...of });
    if (said) assert.match(told ?? '', said);
    else assert.equal(told, undefined);
  });

const RUNS = { controller: 'CompositeController/a', state: 'running' } as const;
const SEES = { started: true, stopping: false, controllers: [RUNS], lostWatches: [], unfollowed: [] };

const READY: readonly (readonly [
  why: string,
  of: Partial<Parameters<typeof unreadiness>[0]>,
  said: RegExp | undefined,
])[] = [
  ['all run', {}, undefined],
  ['it stops', { stopping: true }, /^stopping$/],
  ['not begun', { started: false }, /being started/],
  ['one starts', { controllers: [RUNS, { ...RUNS, state: 'starting' }] }, /starting: CompositeController\/a/],
  ['one waits for its CRD', { controllers: [{ ...RUNS, state: 'waiting' }] }, undefined],
  ['a watch is lost', { lostWatches: ['pods (for 75 s: refused)'] }, /not watched any more: pods/],
  ['a kind of controllers can not be listed', { unfollowed: ['mapcontrollers (no)'] }, /not followed: mapcontrollers/],
];
for (const [why, of, said] of READY)
  test(`ready? ${why}`, () => {
    const told = unreadiness({ ...SEES, ...of });
    if (said) assert.match(told ?? '', said);
    else assert.equal(told, undefined);
  });
