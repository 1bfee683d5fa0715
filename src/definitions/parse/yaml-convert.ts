// A YAML tree → the JSON that kubectl makes of it: keys become strings as Go prints them, merge keys are merged, tags
// decide, aliases share one value. Every problem carries its place.
// Invariant: the expanded size is bounded before a value leaves this file, so nobody downstream can be made to copy or
// print an alias bomb.

import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { isJsonObject, type JsonValue, type MutableJsonObject, setOwn } from '../../kit/json.ts';
import type { Diagnostic, DiagnosticCode, SourceRange } from '../../model/diagnostic.ts';
import { type PlainScalar, resolvePlain } from './kubectl-scalar.ts';
import type { LineIndex } from './line-index.ts';
import { duplicateKey, inexactInteger, syntaxProblem } from './problems.ts';
import { resolveTagged } from './yaml-tags.ts';

/** Which node an alias stands for: anchors may be defined again further down. */
export type AliasTargets = ReadonlyMap<Alias, Node>;

export interface ConvertedTree {
  readonly value: JsonValue;
  readonly targets: AliasTargets;
  readonly problems: readonly Diagnostic[];
}

/** Values after expansion of aliases; what is written out in the file itself always passes. */
const MOST_EXPANDED_VALUES = 200_000;

export function convertTree(root: Node, lines: LineIndex): ConvertedTree {
  const converter = new TreeConverter(lines);
  const value = converter.convertRoot(root);
  return { value, targets: converter.targets, problems: converter.problems };
}

/** Is it the key `<<` that merges other maps in? Quoted it is an ordinary key. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN' && (!key.tag || key.tag.endsWith(':merge'));
}

/** The name that a key has in JSON; undefined for a null, which can't be one. */
export function keyText(key: Scalar): string | undefined {
  const { value, tag } = scalarOf(key) ?? { value: String(key.value), tag: 'str' };
  if (tag === 'null') return undefined;
  return typeof value === 'string' ? value : String(value);
}

function scalarOf(node: Scalar): PlainScalar | undefined {
  const text = String(node.value ?? '');
  if (node.tag !== undefined) return resolveTagged(node.tag, text);
  return node.type === 'PLAIN' ? resolvePlain(text) : { tag: 'str', value: text };
}

interface Converted {
  readonly value: JsonValue;
  /** Number of values in it, aliases expanded. */
  readonly size: number;
}
type Anchor = { readonly node: Node; readonly converted?: Converted };
const NOTHING: Converted = { value: null, size: 1 };

/** Ends the conversion; the problem is on record. */
class TooManyValues extends Error {}

class TreeConverter {
  readonly targets = new Map<Alias, Node>();
  readonly problems: Diagnostic[] = [];
  readonly #lines: LineIndex;
  readonly #anchors = new Map<string, Anchor>();
  /** Values that came in through aliases so far. */
  #expanded = 0;

  constructor(lines: LineIndex) {
    this.#lines = lines;
  }

  convertRoot(root: Node): JsonValue {
    try {
      return this.#convert(root).value;
    } catch (error) {
      if (error instanceof TooManyValues) return null;
      throw error;
    }
  }

  #convert(node: unknown): Converted {
    if (isAlias(node)) return this.#alias(node);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return NOTHING;
    if (node.anchor) this.#anchors.set(node.anchor, { node });
    const converted = isScalar(node) ? this.#scalar(node) : isMap(node) ? this.#map(node) : this.#list(node.items);
    if (node.anchor) this.#anchors.set(node.anchor, { node, converted });
    return converted;
  }

  #alias(alias: Alias): Converted {
    const anchor = this.#anchors.get(alias.source);
    if (!anchor)
      return this.#problem('yaml-syntax', alias, `The anchor "${alias.source}" does not exist before its alias`);
    this.targets.set(alias, anchor.node);
    const { converted } = anchor;
    if (!converted)
      return this.#problem('yaml-syntax', alias, `The value of the anchor "${alias.source}" contains itself`);
    this.#expanded += converted.size;
    if (this.#expanded <= MOST_EXPANDED_VALUES) return converted;
    const summary = `Aliases expand this document to more than ${MOST_EXPANDED_VALUES} values`;
    this.#problem('yaml-alias-limit', alias, summary, 'Write the values out, or split the document.');
    throw new TooManyValues();
  }

  #list(items: readonly unknown[]): Converted {
    const converted = items.map((item) => this.#convert(item));
    return { value: converted.map((item) => item.value), size: total(converted) };
  }

  #map(map: YAMLMap): Converted {
    const value: MutableJsonObject = {};
    const seen = new Map<string, SourceRange>();
    const merges: Pair[] = [];
    const parts: Converted[] = [];
    for (const pair of map.items) {
      if (isMergeKey(pair.key)) {
        merges.push(pair);
        continue;
      }
      const key = this.#key(pair.key);
      const child = this.#convert(pair.value);
      parts.push(child);
      if (key === undefined) continue;
      const place = this.#range(pair.key);
      const first = seen.get(key);
      if (first) this.problems.push(duplicateKey(key, place, first));
      else seen.set(key, place);
      setOwn(value, key, child.value);
    }
    for (const pair of merges) parts.push(this.#merge(pair, value));
    return { value, size: total(parts) };
  }

  /** A map's own keys win over merged ones, earlier merged maps over later ones. */
  #merge(pair: Pair, into: MutableJsonObject): Converted {
    const source = this.#convert(pair.value);
    const maps = Array.isArray(source.value) ? (source.value as JsonValue[]) : [source.value];
    for (const map of maps) {
      if (!isJsonObject(map)) {
        return this.#problem('yaml-syntax', pair.key, 'The merge key "<<" needs a map or a list of maps');
      }
      for (const key of Object.keys(map)) if (!Object.hasOwn(into, key)) setOwn(into, key, map[key]);
    }
    return source;
  }

  #key(node: unknown): string | undefined {
    // Converted for its anchor or alias only: the name comes from keyText.
    if (isAlias(node) || (isScalar(node) && node.anchor)) this.#convert(node);
    const key = isAlias(node) ? this.targets.get(node) : node;
    const text = isScalar(key) ? keyText(key) : undefined;
    if (text !== undefined) return text;
    const what = isScalar(key) || key === null ? 'null' : 'a map or a list';
    this.#problem('yaml-syntax', node, `A key is ${what}; it must be a text`, 'Put the key in quotes.');
    return undefined;
  }

  #scalar(node: Scalar): Converted {
    const scalar = scalarOf(node);
    if (!scalar) {
      return this.#problem('yaml-syntax', node, `"${String(node.value)}" is not what its tag ${tagName(node)} says`);
    }
    const { value } = scalar;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return this.#problem('yaml-syntax', node, 'JSON has no infinite numbers and no NaN', 'Put the value in quotes.');
    }
    if (scalar.inexact) this.problems.push(inexactInteger(String(node.value), this.#range(node)));
    return { value, size: 1 };
  }

  #problem(code: DiagnosticCode, node: unknown, summary: string, hint?: string): Converted {
    const problem = syntaxProblem(summary, this.#range(node), hint);
    this.problems.push({ ...problem, code });
    return NOTHING;
  }

  #range(node: unknown): SourceRange {
    const range = (node as Node | null)?.range ?? [0, 0, 0];
    return this.#lines.range(range[0], range[1]);
  }
}

function total(parts: readonly Converted[]): number {
  return parts.reduce((sum, part) => sum + part.size, 1);
}

function tagName(node: Scalar): string {
  return (node.tag ?? '').replace('tag:yaml.org,2002:', '!!');
}
