import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, type JsonValue, jsonEqual, parseJson, setOwn, stringifyJson } from '../kit/json.ts';
import { deepFreeze, randomJson, randomObject, withSeeds } from '../testing/random-json.ts';
import { mergeThreeWay } from './index.ts';

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly observed?: JsonValue;
  readonly last?: JsonValue;
  readonly desired?: JsonValue;
  readonly want: JsonValue;
}

const CASES: readonly Case[] = [
  {
    name: 'set, keep, remove',
    reason: 'the rule: ours are set, those of others stay, what we no longer say goes',
    observed: { mine: 1, foreign: 2, dropped: 3 },
    last: { mine: 0, dropped: 3 },
    desired: { mine: 5 },
    want: { mine: 5, foreign: 2 },
  },
  {
    name: 'dropped below a map that stays',
    reason: 'maps are merged in depth',
    observed: { spec: { a: 1, b: 2, c: 3 } },
    last: { spec: { a: 1, b: 2 } },
    desired: { spec: { a: 1 } },
    want: { spec: { a: 1, c: 3 } },
  },
  {
    name: 'dropped map',
    reason: 'as the reference does: a map that is no longer returned goes whole',
    observed: { labels: { mine: '1', foreign: '2' } },
    last: { labels: { mine: '1' } },
    desired: {},
    want: {},
  },
  {
    name: 'nothing applied before',
    reason: 'no record: nothing may be removed',
    observed: { a: 1, b: 2 },
    desired: { a: 9 },
    want: { a: 9, b: 2 },
  },
  {
    name: 'list by name',
    reason: 'observed order first, new items in desired order, defaults inside items survive, dropped ones go',
    observed: [{ name: 'side', image: 's' }, { name: 'gone' }, { name: 'web', image: 'w:1', pull: 'Always' }],
    last: [{ name: 'gone' }, { name: 'web', image: 'w:1' }],
    desired: [{ name: 'new2' }, { name: 'web', image: 'w:2' }, { name: 'new1' }],
    want: [
      { name: 'side', image: 's' },
      { name: 'web', image: 'w:2', pull: 'Always' },
      { name: 'new2' },
      { name: 'new1' },
    ],
  },
  {
    name: 'first shared key wins',
    reason: 'containerPort comes before name',
    observed: [{ containerPort: 80, name: 'a', protocol: 'TCP' }],
    last: [],
    desired: [{ containerPort: 80, name: 'b' }],
    want: [{ containerPort: 80, name: 'b', protocol: 'TCP' }],
  },
  {
    name: 'key missing in one list',
    reason: 'the key must be shared by every item of all three lists',
    observed: [{ name: 'a', x: 1 }],
    last: [{ other: 'a' }],
    desired: [{ name: 'a' }],
    want: [{ name: 'a' }],
  },
  {
    name: 'scalar lists',
    reason: 'replaced as a whole',
    observed: ['a', 'b', 'foreign'],
    last: ['a', 'b'],
    desired: ['b', 'c'],
    want: ['b', 'c'],
  },
  {
    name: 'same number twice, names differ',
    reason: 'the reference loses one of 53/TCP and 53/UDP: the next key that tells them apart is taken',
    observed: [
      { port: 53, name: 'tcp', nodePort: 30001 },
      { port: 53, name: 'udp', protocol: 'UDP', nodePort: 30002 },
    ],
    desired: [
      { port: 53, name: 'tcp' },
      { port: 53, name: 'udp', protocol: 'UDP' },
    ],
    want: [
      { port: 53, name: 'tcp', nodePort: 30001 },
      { port: 53, name: 'udp', protocol: 'UDP', nodePort: 30002 },
    ],
  },
  {
    name: 'duplicates under every key',
    reason: 'no key tells the items apart: the list is one value',
    observed: [{ port: 53, protocol: 'TCP' }],
    desired: [{ port: 53 }, { port: 53, protocol: 'UDP' }],
    want: [{ port: 53 }, { port: 53, protocol: 'UDP' }],
  },
  {
    name: 'emptied list of items',
    reason: 'ours go, the one of somebody else stays',
    observed: [{ name: 'mine' }, { name: 'foreign' }],
    last: [{ name: 'mine' }],
    desired: [],
    want: [{ name: 'foreign' }],
  },
  {
    name: 'map to scalar',
    reason: 'the reference does not apply it ({x:{k}}): desired wins',
    observed: { x: { a: 1, k: 2 } },
    last: { x: { a: 1 } },
    desired: { x: 'str' },
    want: { x: 'str' },
  },
  {
    name: 'list to map',
    reason: 'the reference writes null: desired wins',
    observed: { x: [1] },
    last: { x: [1] },
    desired: { x: { a: 1 } },
    want: { x: { a: 1 } },
  },
  { name: 'scalar to list', reason: 'desired wins', observed: { x: 1 }, desired: { x: [1] }, want: { x: [1] } },
  {
    name: 'null in desired',
    reason: 'removes the key whoever set it, at any depth and in new subtrees',
    observed: { a: { mine: 1, foreign: 2 }, b: 1 },
    last: { a: { mine: 1 } },
    desired: { a: null, b: null, c: { d: null }, l: [{ x: null, y: 1 }, null] },
    want: { c: {}, l: [{ y: 1 }, null] },
  },
  {
    name: 'foreign null',
    reason: 'a null of somebody else is data',
    observed: { a: null },
    desired: {},
    want: { a: null },
  },
  { name: 'no desired, no record', reason: 'nothing is asked', observed: { a: 1 }, want: { a: 1 } },
  { name: 'no desired, but applied', reason: 'removed', observed: { a: 1 }, last: { a: 1 }, want: null },
  {
    name: 'large integers',
    reason: 'values of others are passed on, not recomputed',
    observed: { big: 9007199254740993n, x: 1 },
    desired: { x: 9007199254740995n },
    want: { big: 9007199254740993n, x: 9007199254740995n },
  },
];

for (const { name, reason, observed, last, desired, want } of CASES) {
  test(`three-way: ${name}`, () => {
    const got = mergeThreeWay(deepFreeze({ observed, lastApplied: last, desired }));
    assert.equal(stringifyJson(got), stringifyJson(want), reason);
  });
}

test('three-way: keys that are names of Object.prototype are data', () => {
  const observed = parseJson('{"__proto__":{"a":1},"constructor":"c"}');
  const desired = parseJson('{"__proto__":{"b":2},"toString":"t"}');
  const got = mergeThreeWay({ observed, lastApplied: parseJson('{"constructor":"c"}'), desired });
  assert.equal(stringifyJson(got), '{"__proto__":{"a":1,"b":2},"toString":"t"}');
  assert.equal(Object.getPrototypeOf(got), Object.prototype);
});

test('three-way: applying the same again changes nothing', () => {
  withSeeds(1, 3000, (random) => {
    const [observed, lastApplied, desired] = [0, 1, 2].map(() => randomObject(random, { depth: 4, nulls: true }));
    deepFreeze([observed, lastApplied, desired]);
    const once = mergeThreeWay({ observed, lastApplied, desired });
    const twice = mergeThreeWay({ observed: once, lastApplied: desired, desired });
    assert.ok(jsonEqual(once, twice), `${stringifyJson(once)} became ${stringifyJson(twice)}`);
  });
});

test('three-way: a field that was neither applied nor is desired survives', () => {
  withSeeds(10_000, 1000, (random) => {
    const mine = randomObject(random, { depth: 3 });
    const observed = { ...randomObject(random, { depth: 3 }), foreign: randomJson(random, { depth: 3 }) };
    const got = mergeThreeWay({ observed, lastApplied: mine, desired: randomObject(random, { depth: 3 }) });
    assert.ok(jsonEqual((got as JsonObject)['foreign'], observed.foreign));
  });
});

test('three-way: without a record and with nothing observed the result is desired', () => {
  withSeeds(20_000, 1000, (random) => {
    const desired = randomObject(random, { depth: 4 });
    assert.ok(jsonEqual(mergeThreeWay({ observed: undefined, lastApplied: undefined, desired }), desired));
    const holder = {};
    setOwn(holder, '__proto__', 1);
    assert.ok(Object.hasOwn(holder, '__proto__'));
  });
});
