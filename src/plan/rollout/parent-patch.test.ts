import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { patchOf, withPatch } from './parent-patch.ts';

interface Case {
  readonly why: string;
  readonly paths: readonly string[];
  readonly now: JsonObject;
  readonly patch: JsonObject;
  /** The parent with another patch laid over it. */
  readonly old: JsonObject;
  readonly was: JsonObject;
}

const CASES: readonly Case[] = [
  {
    why: 'the whole spec, as when nothing is said',
    paths: ['spec'],
    now: { spec: { a: 1, b: { c: 2 } }, status: { x: 1 } },
    patch: { spec: { a: 1, b: { c: 2 } } },
    old: { spec: { a: 0 } },
    was: { spec: { a: 0 }, status: { x: 1 } },
  },
  {
    why: 'a part of it: what is beside it is as it is now',
    paths: ['spec.template'],
    now: { spec: { replicas: 3, template: { image: 'b' } } },
    patch: { spec: { template: { image: 'b' } } },
    old: { spec: { template: { image: 'a', extra: true } } },
    was: { spec: { replicas: 3, template: { image: 'a', extra: true } } },
  },
  {
    why: 'several paths below one field',
    paths: ['spec.a.x', 'spec.a.y', 'spec.b'],
    now: { spec: { a: { x: 1, y: 2, z: 3 }, b: [1] } },
    patch: { spec: { a: { x: 1, y: 2 }, b: [1] } },
    old: { spec: { a: { x: 0, y: 0 }, b: [] } },
    was: { spec: { a: { x: 0, y: 0, z: 3 }, b: [] } },
  },
  {
    why: 'a path that leads nowhere: no revision differs by it, and none invents it',
    paths: ['spec.templat.image'],
    now: { spec: { template: {} } },
    patch: {},
    old: {},
    was: { spec: { template: {} } },
  },
  {
    why: 'a field that was not there then',
    paths: ['spec.a', 'spec.b'],
    now: { spec: { a: 1, b: 2 } },
    patch: { spec: { a: 1, b: 2 } },
    old: { spec: { a: 1 } },
    was: { spec: { a: 1 } },
  },
  {
    why: 'a field that is gone now',
    paths: ['spec.a.b'],
    now: { spec: {} },
    patch: {},
    old: { spec: { a: { b: 1 } } },
    was: { spec: { a: { b: 1 } } },
  },
  {
    why: 'null is a value',
    paths: ['spec.a'],
    now: { spec: { a: null } },
    patch: { spec: { a: null } },
    old: { spec: { a: 1 } },
    was: { spec: { a: 1 } },
  },
  {
    why: 'a step that is no object leads nowhere',
    paths: ['spec.a.b'],
    now: { spec: { a: 'text' } },
    patch: {},
    old: {},
    was: { spec: { a: 'text' } },
  },
];

describe('the patch of a revision', () => {
  for (const { why, paths, now, patch, old, was } of CASES)
    test(why, () => {
      assert.deepEqual(patchOf(now, paths), patch);
      assert.deepEqual(withPatch(now as unknown as KubeObject, old, paths), was);
      assert.deepEqual(withPatch(now as unknown as KubeObject, patch, paths), now);
    });

  test('a path called __proto__ is a path', () => {
    const parent = JSON.parse('{"spec":{"__proto__":{"polluted":true}}}') as KubeObject;
    const patch = patchOf(parent, ['spec.__proto__']);
    assert.equal(JSON.stringify(patch), JSON.stringify(parent));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
});
