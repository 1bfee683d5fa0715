// The language of the contract suite. A check is data: requests in order, and what must be true of each answer. Nothing in a
// check knows which server it is run against.
//
// Placeholders in any string of a request or an expectation: {ns} the check's own namespace, {group} its topic's own API
// group, {core} = /api/v1/namespaces/{ns}, {things} = /apis/{group}/v1/namespaces/{ns}/things, and whatever a step saved.

import type { JsonPrimitive, JsonValue } from '../../kit/json.ts';

/** Names that placeholders stand for. */
export type Known = Map<string, string>;

export interface Matcher {
  /** For the message of a failure: "a non-empty string". */
  readonly wanted: string;
  matches(actual: JsonValue | undefined, known: Known): boolean;
}

/** Objects are compared as subsets (only the fields named here), arrays item by item and with their length. */
export type Expected = JsonPrimitive | Matcher | readonly Expected[] | { readonly [key: string]: Expected };

export interface RequestStep {
  /** Method and path: "POST {core}/configmaps?dryRun=All". */
  readonly send: string;
  /** A string is sent as it is. */
  readonly body?: JsonValue;
  /** Content-Type of the body, in short for patches. Default: application/json. */
  readonly as?: 'merge' | 'json' | (string & {});
  readonly accept?: string;
  readonly code: number;
  /** Of the Status; an answer of 400 or more must be one, with the same code inside, unless `text` is given. */
  readonly reason?: string;
  readonly message?: string | Matcher;
  readonly want?: Expected;
  /** The body as text, exactly. */
  readonly text?: string;
  /** Name to path in the body: {rv: "metadata.resourceVersion"}. */
  readonly save?: Readonly<Record<string, string>>;
  /** Asked again, for 30 s at most, until everything here holds: for what other processes of a real cluster do. */
  readonly eventually?: true;
}

/** Opens a watch, sends the requests of `during` while it is open, and compares the events in order. */
export interface WatchStep {
  /** Path and query, without watch=true. */
  readonly watch: string;
  readonly accept?: string;
  readonly during?: readonly RequestStep[];
  /** {type, object}. Reading stops after as many events; with `ends` the server must then end the stream itself. */
  readonly events: readonly Expected[];
  readonly ends?: true;
}

export type Step = RequestStep | WatchStep;

export interface Check {
  readonly name: string;
  /** Who relies on it, or what goes wrong without it. */
  readonly reason: string;
  readonly steps: readonly Step[];
}

export interface Topic {
  readonly name: string;
  /** What the server must have running beside it; elsewhere the topic is skipped. */
  readonly needs?: 'controllers';
  readonly checks: readonly Check[];
}

/** Present, and neither null nor empty. */
export const any: Matcher = {
  wanted: 'any value that is not empty',
  matches: (actual) => actual !== undefined && actual !== null && actual !== '',
};

export const absent: Matcher = { wanted: 'nothing', matches: (actual) => actual === undefined };

/** Kubernetes' timestamp with seconds. */
export const timestamp: Matcher = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

export function matching(pattern: RegExp): Matcher {
  return { wanted: String(pattern), matches: (actual) => typeof actual === 'string' && pattern.test(actual) };
}

/** Present and different from what was saved under the name. */
export function changed(name: string): Matcher {
  return {
    wanted: `something other than {${name}}`,
    matches: (actual, known) => actual !== undefined && String(actual) !== known.get(name),
  };
}

/** The text with placeholders replaced contains all of these; for messages whose rest depends on the server's build. */
export function containing(...parts: readonly string[]): Matcher {
  return {
    wanted: `text with ${parts.map((part) => JSON.stringify(part)).join(' and ')}`,
    matches: (actual, known) =>
      typeof actual === 'string' && parts.every((part) => actual.includes(fillText(part, known))),
  };
}

/** An array that holds these among others, in any order. */
export function including(...items: readonly Expected[]): Matcher {
  return {
    wanted: `a list that includes ${JSON.stringify(items)}`,
    matches: (actual, known) =>
      Array.isArray(actual) &&
      items.every((item) => actual.some((candidate) => differences(candidate, item, known).length === 0)),
  };
}

export function fillText(text: string, known: Known): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known.get(name) ?? whole);
}

/** What is not as expected, one line each: "metadata.name: got "a", wanted "b"". */
export function differences(actual: JsonValue | undefined, expected: Expected, known: Known, path = ''): string[] {
  if (isMatcher(expected)) return expected.matches(actual, known) ? [] : [line(path, actual, expected.wanted)];
  if (isList(expected)) {
    if (!Array.isArray(actual)) return [line(path, actual, JSON.stringify(expected))];
    const lengths = actual.length === expected.length ? [] : [line(path, actual, `${expected.length} items`)];
    return [...lengths, ...expected.flatMap((item, i) => differences(actual[i], item, known, `${path}[${i}]`))];
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return [line(path, actual, JSON.stringify(expected))];
    const fields = actual as { readonly [key: string]: JsonValue | undefined };
    return Object.entries(expected).flatMap(([key, want]) =>
      differences(Object.hasOwn(fields, key) ? fields[key] : undefined, want, known, path ? `${path}.${key}` : key),
    );
  }
  const wanted = typeof expected === 'string' ? fillText(expected, known) : expected;
  return actual === wanted ? [] : [line(path, actual, show(wanted))];
}

const isMatcher = (expected: Expected): expected is Matcher =>
  typeof expected === 'object' && expected !== null && 'matches' in expected && typeof expected.matches === 'function';

const isList = (expected: Expected): expected is readonly Expected[] => Array.isArray(expected);

const line = (path: string, actual: JsonValue | undefined, wanted: string): string =>
  `${path || 'the body'}: got ${show(actual)}, wanted ${wanted}`;

function show(value: JsonValue | undefined): string {
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item)) ?? 'nothing';
}
