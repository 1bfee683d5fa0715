// Kubernetes' lists, cel-go's lists and sets.

import type { Environment } from '@marcbachmann/cel-js';
import { celEqual } from '../cel-equal.ts';

type Item = unknown;

class SetsNamespace {}

export function registerLists(environment: Environment): void {
  environment
    .registerFunction('list<dyn>.isSorted(): bool', (list: Item[]) =>
      list.every((item, i) => i === 0 || compare(list[i - 1], item) <= 0),
    )
    .registerFunction('list<dyn>.sum(): dyn', sum)
    .registerFunction('list<dyn>.min(): dyn', (list: Item[]) => extreme(list, 'min', (a, b) => compare(a, b) < 0))
    .registerFunction('list<dyn>.max(): dyn', (list: Item[]) => extreme(list, 'max', (a, b) => compare(a, b) > 0))
    .registerFunction('list<dyn>.indexOf(dyn): int', (list: Item[], item: Item) =>
      BigInt(list.findIndex((other) => celEqual(other, item))),
    )
    .registerFunction('list<dyn>.lastIndexOf(dyn): int', (list: Item[], item: Item) =>
      BigInt(list.findLastIndex((other) => celEqual(other, item))),
    )
    .registerFunction('list<dyn>.slice(int, int): list<dyn>', (list: Item[], from: bigint, to: bigint) => {
      if (from < 0n || to > list.length || from > to)
        throw new Error(`cannot slice(${from}, ${to}), list is length ${list.length}`);
      return list.slice(Number(from), Number(to));
    })
    .registerFunction('list<dyn>.flatten(): list<dyn>', (list: Item[]) => list.flat())
    .registerFunction('list<dyn>.distinct(): list<dyn>', distinct)
    .registerFunction('list<dyn>.reverse(): list<dyn>', (list: Item[]) => [...list].reverse())
    .registerFunction('list<dyn>.sort(): list<dyn>', (list: Item[]) => [...list].sort(compare));
  registerSets(environment);
}

function registerSets(environment: Environment): void {
  const contains = (list: Item[], item: Item): boolean => list.some((other) => celEqual(other, item));
  const containsAll = (a: Item[], b: Item[]): boolean => b.every((item) => contains(a, item));
  environment
    .registerType('SetsNamespace', SetsNamespace)
    .registerConstant('sets', 'SetsNamespace', new SetsNamespace())
    .registerFunction('SetsNamespace.contains(list<dyn>, list<dyn>): bool', (_: Item, a: Item[], b: Item[]) =>
      containsAll(a, b),
    )
    .registerFunction(
      'SetsNamespace.equivalent(list<dyn>, list<dyn>): bool',
      (_: Item, a: Item[], b: Item[]) => containsAll(a, b) && containsAll(b, a),
    )
    .registerFunction('SetsNamespace.intersects(list<dyn>, list<dyn>): bool', (_: Item, a: Item[], b: Item[]) =>
      a.some((item) => contains(b, item)),
    );
}

function distinct(list: Item[]): Item[] {
  const found: Item[] = [];
  for (const item of list) if (!found.some((other) => celEqual(other, item))) found.push(item);
  return found;
}

function sum(list: Item[]): Item {
  if (list.every((item) => typeof item === 'bigint')) return list.reduce((total, item) => total + item, 0n);
  return list.reduce<number>((total, item) => total + Number(item), 0);
}

function extreme(list: Item[], name: string, isBetter: (a: Item, b: Item) => boolean): Item {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, item) => (isBetter(item, best) ? item : best));
}

function compare(a: Item, b: Item): number {
  const [x, y] = [a, b] as [number, number];
  return x < y ? -1 : x > y ? 1 : 0;
}
