// One planning is several passes over the same view, each with more answers than the one before. What a pass has worked out is
// not worked out again in the next one, as long as it comes from the very same things.

import type { Answers } from '../../model/need.ts';

interface Kept {
  readonly name: string;
  readonly from: readonly unknown[];
  readonly value: unknown;
}

// By the answers, which live for one planning. What is kept is a function of `from`, so a pass gets no other plan by it.
const planned = new WeakMap<Answers, Kept[]>();

/** `make()`, or what it gave in an earlier pass where each of `from` was the same. */
export function oncePerPlanning<T>(
  { answers, name, from }: { readonly answers: Answers; readonly name: string; readonly from: readonly unknown[] },
  make: () => T,
): T {
  const kept = planned.get(answers) ?? [];
  planned.set(answers, kept);
  const known = kept.find((one) => one.name === name && areSame(one.from, from));
  if (known) return known.value as T;
  const value = make();
  kept.push({ name, from, value });
  return value;
}

const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
