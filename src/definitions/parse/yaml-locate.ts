import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { DocumentPath, ParsedDocument } from './document.ts';
import type { LineIndex } from './line-index.ts';
import { type AliasTargets, isMergeKey, keyText } from './yaml-convert.ts';

interface Place {
  readonly key?: Node;
  readonly value: Node | undefined;
}

/** Walks the tree when asked: only diagnostics and sources ask. */
export function createTreeLocator(root: Node, targets: AliasTargets, lines: LineIndex): ParsedDocument['locate'] {
  const behind = (node: unknown): Node | undefined =>
    isAlias(node) ? behind(targets.get(node)) : isScalar(node) || isMap(node) || isSeq(node) ? node : undefined;
  return (path, part = 'value') => {
    const { place, complete } = walk(root, path, behind);
    const wantsKey = part === 'key' || !complete || !isScalar(place.value) || isEmptyText(place.value);
    const node = wantsKey ? (place.key ?? place.value) : place.value;
    const [start, end] = node?.range ?? [0, 0];
    // A map or list without a key of its own (a list item) is marked at its first character only.
    return lines.range(start, isScalar(node) || isAlias(node) ? end : start + 1);
  };
}

function walk(root: Node, path: DocumentPath, behind: (node: unknown) => Node | undefined) {
  let place: Place = { value: behind(root) };
  for (const element of path) {
    const next = child(place.value, element, behind);
    if (!next) return { place, complete: false };
    place = next;
  }
  return { place, complete: true };
}

function child(parent: Node | undefined, element: string | number, behind: (n: unknown) => Node | undefined) {
  if (isSeq(parent) && typeof element === 'number' && element < parent.items.length) {
    return { value: behind(parent.items[element]) };
  }
  return isMap(parent) ? property(parent, String(element), behind) : undefined;
}

function property(map: YAMLMap, name: string, behind: (n: unknown) => Node | undefined): Place | undefined {
  const merges: Pair[] = [];
  for (const pair of map.items) {
    const key = behind(pair.key);
    if (isMergeKey(pair.key)) merges.push(pair);
    else if (isScalar(key) && keyText(key) === name) return { key, value: behind(pair.value) };
  }
  for (const { value } of merges) {
    const source = behind(value);
    for (const merged of isSeq(source) ? source.items.map(behind) : [source]) {
      const found = isMap(merged) ? property(merged, name, behind) : undefined;
      if (found) return found;
    }
  }
  return undefined;
}

const isEmptyText = (node: Node): boolean => isScalar(node) && node.value === '' && node.type === 'PLAIN';
