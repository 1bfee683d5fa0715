// Caches of config maps over a server that says what the test told it to, and what they showed.

import { afterEach } from 'node:test';
import { type CacheOptions, createCache, createClient } from '../cluster/index.ts';
import type { JsonValue } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import type { ShardedCache } from '../ports/cache.ts';
import { FakeClock } from './fake-clock.ts';
import type { FakeAnswer, FakeTransport } from './fake-transport.ts';
import { CONFIG_MAPS } from './objects.ts';

export const PATH = '/api/v1/configmaps';
export const SCOPE = { type: CONFIG_MAPS };

export const object = (name: string, resourceVersion: number, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: String(resourceVersion), ...more },
});
export const listOf = (version: number, ...items: KubeObject[]): FakeAnswer => ({
  body: { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: String(version) }, items },
});
export const expired: JsonValue = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
export const line = (type: string, of: KubeObject): JsonValue => ({ type, object: of });

export interface CacheBench {
  readonly transport: FakeTransport;
  readonly clock: FakeClock;
  readonly cache: ShardedCache;
  readonly changes: string[];
  readonly errors: string[];
  /** Names and versions, in the cache's order. */
  readonly names: () => string[];
}

const open: ShardedCache[] = [];
afterEach(async () => {
  for (const cache of open.splice(0)) await cache.close();
});

/** Closed when the test that asked for it has ended. */
export function cacheBench(transport: FakeTransport, options: Partial<CacheOptions> = {}): CacheBench {
  const clock = new FakeClock();
  const cache = createCache(createClient(transport), { follow: true, clock, streamingLists: false, ...options });
  open.push(cache);
  const changes: string[] = [];
  const errors: string[] = [];
  const text = (of: KubeObject | undefined): string =>
    of ? `${of.metadata.name}@${of.metadata.resourceVersion}` : '-';
  cache.onChange(({ before, after }) => changes.push(`${text(before)} → ${text(after)}`));
  cache.onError((error) => errors.push(error.message));
  return { transport, clock, cache, changes, errors, names: () => cache.list(SCOPE).map(text) };
}
