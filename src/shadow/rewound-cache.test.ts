// One object is as it was before a write; everything else is as it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../model/object.ts';
import { FakeCache } from '../testing/fake-cache.ts';
import { CONFIG_MAPS, configMap, ownedMetadata, PODS, WIDGET_UID } from '../testing/objects.ts';
import { rewoundCache } from './rewound-cache.ts';

const scope = { type: CONFIG_MAPS };
const owned = (name: string, text: string): KubeObject => configMap(name, { text }, ownedMetadata(name));
const other = owned('c', '0');
const texts = (objects: readonly KubeObject[]): string =>
  objects.map(({ metadata, data }) => `${metadata.name}${(data as { text: string }).text}`).join(' ');

function seen(before: KubeObject | undefined, after: KubeObject | undefined) {
  const cache = rewoundCache(new FakeCache(after ? [other, after] : [other]), { type: CONFIG_MAPS, before, after });
  const got = cache.get(scope, 'a', 'default');
  return {
    owned: texts(cache.ownedBy(scope, WIDGET_UID)),
    orphans: texts(cache.orphans(scope, 'default')),
    listed: texts(cache.list(scope, 'default')),
    elsewhere: texts(cache.list(scope, 'elsewhere')),
    got: got && texts([got]),
  };
}
const orphan = configMap('a', { text: '1' });

const CASES: readonly [reason: string, before: KubeObject | undefined, after: KubeObject | undefined, want: object][] =
  [
    ['it was other', owned('a', '1'), owned('a', '2'), { owned: 'a1 c0', orphans: '', listed: 'a1 c0', got: 'a1' }],
    ['it was not there', undefined, owned('a', '2'), { owned: 'c0', orphans: '', listed: 'c0', got: undefined }],
    ['it was there', owned('a', '1'), undefined, { owned: 'a1 c0', orphans: '', listed: 'a1 c0', got: 'a1' }],
    ['it was an orphan', orphan, owned('a', '1'), { owned: 'c0', orphans: 'a1', listed: 'a1 c0', got: 'a1' }],
  ];
for (const [reason, before, after, want] of CASES)
  test(reason, () => assert.deepEqual(seen(before, after), { elsewhere: '', ...want }));

test('another resource is as it is', () => {
  const cache = new FakeCache([{ ...other, kind: 'Pod' }]);
  const rewound = rewoundCache(cache, { type: CONFIG_MAPS, before: undefined, after: other });
  assert.deepEqual(rewound.list({ type: PODS }), cache.list({ type: PODS }));
});
