import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleProblem } from './schedule.ts';

test('schedules that are taken', () => {
  const good = ['* * * * *', '*/5 * * * *', '0 0 1 jan sun', '0-30/2 1,2,3 ? * MON-FRI', '@hourly', '@every 1h30m'];
  for (const schedule of good) assert.equal(scheduleProblem(schedule), undefined, schedule);
});

test('schedules that are refused', () => {
  const bad: readonly (readonly [string, RegExp])[] = [
    ['* * * *', /expected exactly 5 fields, found 4/],
    ['60 * * * *', /above maximum \(59\)/],
    ['* * 0 * *', /below minimum \(1\)/],
    ['5-1 * * * *', /beyond end of range/],
    ['*/0 * * * *', /should be a positive number/],
    ['1-2-3 * * * *', /too many hyphens/],
    ['x * * * *', /failed to parse int from x/],
    ['@sometimes', /unrecognized descriptor/],
  ];
  for (const [schedule, text] of bad) assert.match(scheduleProblem(schedule) ?? '', text, schedule);
});
