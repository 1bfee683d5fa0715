// Random JSON from a seed, for property tests. A failure must name its seed: use `withSeeds`, which does.

import { type JsonValue, type MutableJsonObject, setOwn } from '../kit/json.ts';

/** mulberry32: small, fast, the same on every machine. Each call gives a number in [0, 1). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: () => number, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}

/**
 * Runs a property for `count` seeds from `first` on (METACTL_SEED: for this one seed only). What it throws comes out with
 * the seed in its message.
 */
export function withSeeds(first: number, count: number, property: (random: () => number) => void): void {
  for (const seed of seedsOf(first, count)) {
    try {
      property(randomFrom(seed));
    } catch (error) {
      throw withSeed(seed, error);
    }
  }
}

/** As withSeeds(), one run after the other. */
export async function withSeedsAsync(
  first: number,
  count: number,
  property: (random: () => number) => Promise<void>,
): Promise<void> {
  for (const seed of seedsOf(first, count))
    await property(randomFrom(seed)).catch((error: unknown) => {
      throw withSeed(seed, error);
    });
}

function seedsOf(first: number, count: number): readonly number[] {
  const only = process.env['METACTL_SEED'];
  return only ? [Number(only)] : Array.from({ length: count }, (_, index) => first + index);
}

function withSeed(seed: number, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(`METACTL_SEED=${seed}: ${message}`, { cause: error });
}

const KEYS = ['a', 'b', 'name', 'port', 'labels', '__proto__', 'constructor'];
const SCALARS: readonly JsonValue[] = ['x', 'y', '', 0, 1, true, false, 9007199254740993n];

export interface RandomJsonOptions {
  readonly depth: number;
  /** Whether null may appear. */
  readonly nulls?: boolean;
}

/** Any JSON value: few keys and few scalars, so that two of them often meet; lists that look like maps by `name`. */
export function randomJson(random: () => number, options: RandomJsonOptions): JsonValue {
  const choice = random();
  const inner = { ...options, depth: options.depth - 1 };
  if (options.depth <= 0 || choice < 0.35) return options.nulls && random() < 0.15 ? null : pick(random, SCALARS);
  if (choice < 0.75) return randomObject(random, options);
  const length = Math.floor(random() * 4);
  if (choice < 0.9) {
    return Array.from({ length }, () => ({
      ...randomObject(random, inner),
      name: pick(random, ['n1', 'n2', 'n3', 'n4']),
    }));
  }
  return Array.from({ length }, () => randomJson(random, inner));
}

export function randomObject(random: () => number, options: RandomJsonOptions): MutableJsonObject {
  const object: MutableJsonObject = {};
  const length = Math.floor(random() * 5);
  for (let i = 0; i < length; i++) {
    setOwn(object, pick(random, KEYS), randomJson(random, { ...options, depth: options.depth - 1 }));
  }
  return object;
}

/** Freezes a value in depth: whoever writes to it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
