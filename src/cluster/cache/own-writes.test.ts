// Read your own writes, in random orders of events, answers and relists.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import type { WatchEvent } from '../../ports/watch.ts';
import { ScopedObjects } from './scoped-objects.ts';

const TYPE: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
  verbs: [],
  subresources: [],
};

const object = (resourceVersion: number, uid: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', uid, resourceVersion: String(resourceVersion) },
});
const shape = (of: KubeObject | undefined): string | undefined =>
  of && `${of.metadata.uid}@${of.metadata.resourceVersion}`;

describe('own writes, in random orders', () => {
  it('are read from record() on, never flip back, and end as the server has it', () => {
    const seed = Number(process.env['METACTL_SEED'] ?? 20261121);
    for (let run = 0; run < 400; run++) walk(seed + run, 'mixed');
  });

  it('of nobody else: what is read is always what the server has, however late the watch', () => {
    const seed = Number(process.env['METACTL_SEED'] ?? 20261121);
    for (let run = 0; run < 400; run++) walk(seed + run, 'alone');
  });
});

/**
 * One object, random writes, their events and answers delivered in order but at random times. mixed: others write too,
 * and our answers are late. alone: only we write, and record each answer at once.
 */
function walk(seed: number, mode: 'mixed' | 'alone'): void {
  const random = randomOf(seed);
  const objects = new ScopedObjects({ scope: { type: TYPE }, follow: true, now: () => 0, onChange: () => undefined });
  const get = (): string | undefined => shape(objects.store.get('default/a'));
  let server: KubeObject | undefined;
  let version = 10;
  let incarnation = 0;
  const watch: WatchEvent[] = [];
  const answers: (() => void)[] = [];
  objects.relisted([], String(version));
  for (let step = 0; step < 40; step++) {
    const choice = random();
    if (choice < 0.4) change(mode === 'alone' || random() < 0.5);
    else if (choice < 0.7) deliver();
    else if (choice < 0.95) answers.shift()?.();
    else relist();
    if (mode === 'alone') assert.equal(get(), shape(server), `seed ${seed}, step ${step}`);
  }
  while (answers.length > 0) answers.shift()?.();
  while (watch.length > 0) deliver();
  objects.seen({ type: 'BOOKMARK', resourceVersion: String(version) });
  assert.equal(get(), shape(server), `seed ${seed}`);
  assert.equal(objects.pending, 0, `seed ${seed}: nothing is waited for`);

  function change(ours: boolean): void {
    const before = server;
    version++;
    if (before === undefined) server = object(version, `u${++incarnation}`);
    else server = random() < 0.3 ? undefined : object(version, before.metadata.uid ?? '');
    const after = server;
    const gone = object(version, before?.metadata.uid ?? '');
    if (after !== undefined) watch.push({ type: before ? 'MODIFIED' : 'ADDED', object: after });
    else watch.push({ type: 'DELETED', object: gone });
    if (ours) answers.push(() => answer(before, after));
    if (mode === 'alone') answers.shift()?.();
  }

  function answer(before: KubeObject | undefined, after: KubeObject | undefined): void {
    const seen = get();
    objects.record({ ...(before ? { before } : {}), result: after });
    const now = get();
    // What we wrote, or something newer that was seen already; never the state before the write.
    if (before && seen === shape(before)) assert.notEqual(now, shape(before), `seed ${seed}`);
  }

  function deliver(): void {
    const next = watch.shift();
    if (next === undefined) return;
    const before = versionIn(get());
    objects.seen(next);
    const after = versionIn(get());
    if (before !== undefined && after !== undefined) assert.ok(after >= before, `seed ${seed}: went back`);
  }

  function relist(): void {
    watch.length = 0;
    objects.relisted(server ? [server] : [], String(version));
  }
}

function versionIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.split('@')[1]);
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
