import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rollingStep } from './rolling-step.ts';

const at = (size: number, available = size) => ({ size, available });
const state = (want: number, fresh: ReturnType<typeof at>, ...old: ReturnType<typeof at>[]) => ({ want, fresh, old });
const quarter = { maxSurge: '25%', maxUnavailable: '25%' };
const inPlace = { maxSurge: 0, maxUnavailable: 1 };

const CASES: readonly (readonly [string, Parameters<typeof rollingStep>[0], { fresh: number; old: number[] }])[] = [
  ['the first rollout grows at once', { ...quarter, ...state(3, at(0)) }, { fresh: 3, old: [] }],
  ['scaling down', { ...quarter, ...state(1, at(3)) }, { fresh: 1, old: [] }],
  ['one more than wanted may be there', { ...quarter, ...state(4, at(0), at(4)) }, { fresh: 1, old: [4] }],
  [
    'then old ones go, down to what must be available',
    { ...quarter, ...state(4, at(1, 0), at(4)) },
    { fresh: 1, old: [3] },
  ],
  ['nothing moves while too few are available', { ...quarter, ...state(4, at(2, 0), at(3)) }, { fresh: 2, old: [3] }],
  ['no surge: an old one goes first', { ...inPlace, ...state(3, at(0), at(3)) }, { fresh: 0, old: [2] }],
  ['no surge: then a new one comes', { ...inPlace, ...state(3, at(0), at(2)) }, { fresh: 1, old: [2] }],
  [
    'broken old ones go first, whichever they are',
    { ...inPlace, ...state(3, at(0), at(2), at(1, 0)) },
    { fresh: 0, old: [2, 0] },
  ],
  [
    'neither surge nor unavailable: one may be unavailable',
    { maxSurge: 0, maxUnavailable: 0, ...state(1, at(0), at(1)) },
    { fresh: 0, old: [0] },
  ],
  ['done', { ...quarter, ...state(3, at(3), at(0)) }, { fresh: 3, old: [0] }],
  ['scaled to nothing', { ...quarter, ...state(0, at(0), at(2)) }, { fresh: 0, old: [0] }],
];

for (const [reason, input, want] of CASES) test(reason, () => assert.deepEqual(rollingStep(input), want));

test('every rollout ends, and never has fewer available or more in all than it may', () => {
  for (let want = 1; want <= 7; want++) {
    for (const limits of [
      quarter,
      inPlace,
      { maxSurge: '100%', maxUnavailable: 0 },
      { maxSurge: 2, maxUnavailable: 2 },
    ]) {
      let fresh = 0;
      let old = [want];
      for (let steps = 0; fresh < want || old[0] !== 0; steps++) {
        assert.ok(steps < 50, `stuck at ${fresh}/${old} of ${want} with ${JSON.stringify(limits)}`);
        const step = rollingStep({ want, ...limits, fresh: at(fresh), old: old.map((size) => at(size)) });
        fresh = step.fresh;
        old = [...step.old];
        const total = fresh + (old[0] ?? 0);
        assert.ok(total <= want * 2 + 1 && total >= 0);
        if (limits.maxUnavailable === 0) assert.ok(total >= want);
      }
    }
  }
});
