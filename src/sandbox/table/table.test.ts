import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { configMap, sandboxBench } from '../../testing/sandbox-bench.ts';
import { formatAge } from './age.ts';
import { findValues } from './json-path.ts';

const OBJECT: JsonObject = {
  spec: {
    a: 1,
    list: [
      { name: 'x', v: 1 },
      { name: 'y', v: 2 },
    ],
    'dotted.key': 'd',
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
};

const paths: readonly (readonly [path: string, want: readonly JsonValue[]])[] = [
  ['.spec.a', [1]],
  ['$.spec.a', [1]],
  ['.spec.list[0].name', ['x']],
  ['.spec.list[-1].name', ['y']],
  ['.spec.list[*].v', [1, 2]],
  [".spec['dotted.key']", ['d']],
  ['.spec.dotted\\.key', ['d']],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type=='Ready')].status", ['True']],
  ['.status.conditions[?(@.type!="Ready")].status', ['False']],
  ['.spec.none.deeper', []],
  ['.spec.list[7]', []],
  ['..everything', []],
];

for (const [path, want] of paths) {
  test(`json path ${path}`, () => assert.deepEqual(findValues(path, OBJECT), want));
}

const ages: readonly (readonly [seconds: number, want: string])[] = [
  [-0.5, '0s'],
  [0, '0s'],
  [119, '119s'],
  [125, '2m5s'],
  [540, '9m'],
  [3_600, '60m'],
  [4 * 3_600 + 60, '4h1m'],
  [30 * 3_600, '30h'],
  [3 * 86_400, '3d'],
  [3 * 86_400 + 3_600, '3d1h'],
  [100 * 86_400, '100d'],
  [800 * 86_400, '2y70d'],
];

for (const [seconds, want] of ages) {
  test(`an age of ${seconds} s is ${want}`, () => {
    assert.equal(formatAge('2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1) + seconds * 1000), want);
  });
}

test('times that are none', () => {
  assert.deepEqual([formatAge(undefined, 0), formatAge('soon', 0)], ['<unknown>', '<invalid>']);
});

test('includeObject: what goes along with a row', async () => {
  const bench = sandboxBench();
  await bench.ok('POST /api/v1/namespaces/default/configmaps', configMap('a'));
  const row = async (query: string): Promise<JsonValue | undefined> => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const { body } = await bench.send(`GET /api/v1/namespaces/default/configmaps${query}`, undefined, { accept });
    return (body['rows'] as unknown as JsonObject[])[0]?.['object'];
  };
  assert.equal(await row('?includeObject=None'), null);
  assert.equal((((await row('')) ?? {}) as JsonObject)['kind'], 'PartialObjectMetadata');
  assert.deepEqual((((await row('?includeObject=Object')) ?? {}) as JsonObject)['data'], { k: 'v' });
});
