// Thousands of rollouts with edits of the parent, lost children and crashes in the middle of writing: each comes to the end
// that its parent asks for, one child at a time, and no child is changed twice for one revision. Seeds are printed on failure.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UpdateMethod } from '../../model/definition.ts';
import { type Change, changesOfParent, isWrite } from '../../model/plan.ts';
import { widgetController } from '../../testing/objects.ts';
import { RolloutWorld } from '../../testing/rollout-world.ts';

/** mulberry32 */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;
const NAMES = ['a', 'b', 'c', 'd', 'e'];

function shuffled(random: Random): string[] {
  const names = NAMES.slice(0, 2 + random(NAMES.length - 1));
  for (let index = names.length - 1; index > 0; index--) {
    const other = random(index + 1);
    [names[index], names[other]] = [names[other] as string, names[index] as string];
  }
  return names;
}

/**
 * Which of a step's writes go through. Those of a wave are sent at once, so any of them may, but none before those that it
 * depends on; earlier waves are whole.
 */
function crashIn(writes: readonly Change[], random: Random): (change: Change) => boolean {
  const waves = [...new Set(writes.map(({ wave }) => wave))];
  const last = random(waves.length + 1);
  const survivors = new Set<string>();
  for (const { id, wave, dependsOn } of writes) {
    const place = waves.indexOf(wave);
    const possible = place === last && dependsOn.every((first) => survivors.has(first));
    if (place < last || (possible && random(2) === 0)) survivors.add(id);
  }
  return ({ id }) => survivors.has(id);
}

const isChild = ({ wave, action }: Change): boolean =>
  wave === 'children' && (action === 'update' || action === 'recreate');

/** Each child's changes since the target was last edited, or somebody else interfered. */
class Moves {
  readonly #seen = new Set<string>();

  check(changes: readonly Change[], image: string): void {
    const moved = changes.filter(isChild);
    assert.ok(moved.length <= 1, `at once: ${moved.map(({ object }) => object.name)}`);
    for (const { object } of moved) {
      const key = `${object.name} to ${image}`;
      assert.ok(!this.#seen.has(key), `${key}, twice`);
      this.#seen.add(key);
    }
  }

  reset(): void {
    this.#seen.clear();
  }
}

function run(seed: number): void {
  const random = randomOf(seed);
  const method: UpdateMethod = random(2) === 0 ? 'RollingInPlace' : 'RollingRecreate';
  const definition = widgetController({ method });
  const parent = { ...definition.parent, revisionFieldPaths: random(2) === 0 ? ['spec'] : ['spec.image'] };
  const world = new RolloutWorld({ ...definition, parent });
  const moves = new Moves();
  world.edit({ names: shuffled(random) });
  world.settle();
  let image = '1';
  for (let event = 0; event < 12; event++) {
    const kind = random(6);
    if (kind === 0) {
      image = String(1 + random(3));
      world.edit({ image });
      moves.reset();
    }
    if (kind === 1) world.edit({ names: shuffled(random) });
    if (kind === 2) world.lose(NAMES[random(NAMES.length)] as string);
    const plan = world.plan();
    const writes = changesOfParent(plan).filter(isWrite);
    const survives = random(3) === 0 ? crashIn(writes, random) : () => true;
    moves.check(writes.filter(survives), image);
    world.apply(plan, survives);
  }
  for (let round = 0; ; round++) {
    assert.ok(round < 100, 'it does not come to an end');
    const plan = world.plan();
    const writes = changesOfParent(plan).filter(isWrite);
    if (writes.length === 0) break;
    moves.check(writes, image);
    world.apply(plan);
  }
  const { names } = world.view.parent['spec'] as unknown as { names: readonly string[] };
  assert.equal(
    world.images,
    [...names]
      .sort()
      .map((name) => `${name}@${image}`)
      .join(' '),
  );
  assert.equal(world.revisions.length, 1);
  assert.match(world.updated, /^True OnLatestRevision/);
}

test('whatever happens, a rollout comes to its end one child at a time', () => {
  const first = Number(process.env['SEED'] ?? 1);
  const count = process.env['SEED'] === undefined ? 1_500 : 1;
  for (let seed = first; seed < first + count; seed++) {
    try {
      run(seed);
    } catch (error) {
      throw new Error(`SEED=${seed}`, { cause: error });
    }
  }
});
