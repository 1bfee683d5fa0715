import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../kit/json.ts';
import type { Change, FieldChange } from '../model/plan.ts';
import type { Action } from '../model/vocabulary.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { type RoundFacts, Stability } from './stability.ts';

type Fields = Readonly<Record<string, readonly [JsonValue | undefined, JsonValue | undefined]>>;

function change(action: Action, fields: Fields = {}, more: Partial<Change> = {}): Change {
  const changed = Object.entries(fields).map(([name, [before, after]]): FieldChange => {
    const sides = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    return { path: ['data', name], op: 'change', ...sides };
  });
  return {
    id: 'x',
    action,
    reasons: [],
    object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'm' },
    type: CONFIG_MAPS,
    actor: 'metactl',
    step: 1,
    wave: 'children',
    verb: action === 'create' ? 'create' : action === 'update' || action === 'status' ? 'update' : 'delete',
    fieldManager: 'metactl',
    force: false,
    guards: [],
    dependsOn: [],
    destructive: 'no',
    fields: changed,
    fidelity: { level: 'client' },
    ...more,
  };
}

const update = (fields: Fields): Change => change('update', fields);
const quiet = (now = 0): RoundFacts => ({ news: false, now, desiredAt: 0 });
const lively = (now = 0): RoundFacts => ({ news: true, now, desiredAt: 0 });

/** How many of the changes go out before the first that is held back, and what is said of that one. */
function sent(changes: readonly Change[], round: RoundFacts): { count: number; says: string | undefined } {
  const stability = new Stability();
  for (const [index, next] of changes.entries()) {
    const verdict = stability.judge(next, round);
    if (verdict && verdict.waitMs > 0) return { count: index, says: verdict.diagnostic.summary };
    stability.record(next, round);
  }
  return { count: changes.length, says: undefined };
}

const times = (count: number, make: (index: number) => Change): Change[] =>
  Array.from({ length: count }, (_, index) => make(index));
const there = update({ k: ['a', 'b'] });
const back = update({ k: ['b', 'a'] });
const status = (index: number): Change => change('status', { n: [index, index + 1] }, { subresource: 'status' });
const flapping = (index: number): Change =>
  change('status', { n: [index % 2, (index + 1) % 2] }, { subresource: 'status' });

const cases: readonly {
  readonly why: string;
  readonly changes: readonly Change[];
  readonly round?: RoundFacts;
  readonly goes: number;
  readonly says?: RegExp;
}[] = [
  { why: 'one write is nothing', changes: [there], goes: 1 },
  {
    why: 'put back: the third time waits',
    changes: times(5, () => there),
    goes: 2,
    says: /data\.k goes from "a" to "b", written before/,
  },
  { why: 'put back by somebody: news is no excuse', changes: times(5, () => there), round: lively(), goes: 2 },
  {
    why: 'alternates',
    changes: [there, back, there, back, there],
    goes: 3,
    says: /from "b" to "a", and the other way round/,
  },
  {
    why: 'a value that goes on is progress, while something moves',
    changes: times(20, (index) => update({ k: [index, index + 1] })),
    round: lively(),
    goes: 20,
  },
  {
    why: 'restless: nothing moves but its own field',
    changes: times(20, status),
    goes: 5,
    says: /another value each time/,
  },
  { why: 'a status that follows what moves', changes: times(20, flapping), round: lively(), goes: 20 },
  { why: 'a status that flaps by itself', changes: times(20, flapping), goes: 3 },
  {
    why: 'created again each time that somebody deletes it',
    changes: times(9, () => change('create')),
    round: lively(),
    goes: 9,
  },
  {
    why: 'revisions that a user goes back to again and again',
    changes: times(9, (index) => change(index % 2 === 0 ? 'create' : 'delete', {}, { wave: 'revision' })),
    goes: 9,
  },
  {
    why: 'created and deleted by us in turn',
    changes: times(9, (index) => change(index % 2 === 0 ? 'create' : 'delete')),
    round: lively(),
    goes: 3,
    says: /is deleted, and the other way round/,
  },
  {
    why: 'replaced and created in turn, for one and the same field',
    changes: times(9, (index) => (index % 2 === 0 ? change('create') : change('recreate', { k: ['a', 'b'] }))),
    round: lively(),
    goes: 3,
  },
];

for (const { why, changes, round = quiet(), goes, says } of cases)
  test(why, () => {
    const { count, says: said } = sent(changes, round);
    assert.equal(count, goes);
    if (says) assert.match(said ?? '', says);
  });

test('what is held back goes out after delays that double, and begins anew when it was quiet for long', () => {
  const stability = new Stability();
  for (let index = 0; index < 2; index++) stability.record(there, quiet(0));
  let now = 0;
  const waits: number[] = [];
  for (let index = 0; index < 5; index++) {
    const wait = stability.judge(there, quiet(now))?.waitMs ?? 0;
    waits.push(wait);
    assert.equal(stability.judge(there, quiet(now + wait / 2))?.waitMs, wait / 2, 'asked again, it waits no longer');
    now += wait;
    assert.equal(stability.judge(there, quiet(now))?.waitMs, 0);
    stability.record(there, quiet(now));
  }
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000]);
  assert.equal(stability.judge(there, quiet(now + 121_000)), undefined);
});

test('whose user changes his mind is followed at once, as often as he does; what comes of one change of his is judged', () => {
  const stability = new Stability();
  const forthAndBack = [there, back, change('delete'), change('create')];
  for (let now = 0; now < 20_000; now += 2_000)
    for (const one of forthAndBack) {
      const round = { ...lively(now + 1), desiredAt: now };
      assert.equal(stability.judge(one, round), undefined);
      stability.record(one, round);
    }
  const round = { ...lively(18_002), desiredAt: 18_000 };
  stability.record(there, round);
  assert.equal(stability.judge(there, round)?.waitMs, 1_000);
  assert.equal(stability.judge(there, { ...round, desiredAt: 17_000 })?.waitMs, 1_000, 'an earlier one is no excuse');
});

test('objects are looked at one by one', () => {
  const stability = new Stability();
  for (let index = 0; index < 3; index++) stability.record(there, quiet());
  const other = { ...there, object: { ...there.object, name: 'other' } };
  assert.equal(stability.judge(other, quiet()), undefined);
});

test('values of a Secret are not told, long ones neither', () => {
  const secret = { ...there, object: { ...there.object, kind: 'Secret' } };
  const { says } = sent(
    times(4, () => secret),
    quiet(),
  );
  assert.match(says ?? '', /data\.k goes from one value to another/);
  const long = update({ k: ['a', 'x'.repeat(100)] });
  assert.match(
    sent(
      times(4, () => long),
      quiet(),
    ).says ?? '',
    /from "a" to a value of 102 characters/,
  );
});
