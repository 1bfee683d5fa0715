// The fields of one change: paths in a column, values beside them. What was added or is created is shown by its leaves.

import { getOwn, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { formatPath, type Path, type PathElement } from '../../kit/path.ts';
import type { FieldChange } from '../../model/plan.ts';
import { plural } from '../summary.ts';
import { type Line, type Style, segment, visibleWidth } from './line.ts';
import { lineCount, lineDiff } from './line-diff.ts';
import { shortenMiddle, shortPair, shortValue } from './values.ts';

const INDENT = 8;
/** Columns; longer paths stand out of the column, so that one of them does not push all values to the right. */
const WIDEST_PATH = 48;
const NARROWEST_VALUE = 24;

export interface Leaf {
  readonly path: Path;
  readonly value: JsonValue;
}

/** Every value below that is not a filled map or list; items that have a name of their own are called by it. */
export function leavesOf(path: Path, value: JsonValue): Leaf[] {
  if (isJsonObject(value) && path.length === 3 && isOwnerPath(path)) return [{ path: OWNERS, value: ownerName(value) }];
  if (isJsonArray(value) && value.length > 0) {
    if (!value.some((item) => isJsonArray(item) || isJsonObject(item))) return [{ path, value }];
    const named = namesOf(value);
    return value.flatMap((item, index) => leavesOf([...path, named?.[index] ?? index], item));
  }
  if (!isJsonObject(value)) return [{ path, value }];
  const entries = Object.entries(value).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  if (entries.length === 0) return [{ path, value }];
  return entries.flatMap(([key, inner]) => leavesOf([...path, key], inner));
}

const OWNERS: Path = ['metadata', 'ownerReferences'];
export const isOwnerPath = (path: Path): boolean => path[0] === OWNERS[0] && path[1] === OWNERS[1];
/** An owner is told by its name: kind, UID and flags of it would be five lines under every child. */
const ownerName = ({ kind, name }: JsonObject): string => `${kind}/${name}`;

/** What the items of a list are called by: their name, or their type as conditions are. */
function namesOf(list: readonly JsonValue[]): PathElement[] | undefined {
  for (const key of ['name', 'type']) {
    const names = list.map((item) => (isJsonObject(item) ? getOwn(item, key) : undefined));
    if (new Set(names).size !== names.length) continue;
    if (names.every((name) => typeof name === 'string')) return names.map((value) => ({ key, value }));
  }
  return undefined;
}

interface Row {
  readonly path: string;
  /** The value in so many columns. */
  readonly show: (room: number) => string;
  readonly style: Style;
  /** Lines below, such as a line diff. */
  readonly below?: readonly Line[];
}

export interface FieldOptions {
  readonly width: number;
  /** At most so many leaves of added subtrees; the rest is counted. */
  readonly limit: number;
}

/** Lines of a change that updates: `before → after`, `+ added`, `- removed`. */
export function changedFields(fields: readonly FieldChange[], options: FieldOptions): Line[] {
  return layOut(
    fields.flatMap((field) => rowsOf(field, options.limit)),
    options.width,
  );
}

/** Lines of values as they are, without signs: for what is created, and for unchanged fields. */
export function plainFields(leaves: readonly Leaf[], { width, limit }: FieldOptions, style: Style = 'plain'): Line[] {
  const rows = leaves
    .slice(0, limit)
    .map(({ path, value }): Row => ({ path: formatPath(path), show: showing(value), style }));
  return [...layOut(rows, width), ...moreFields(leaves.length - limit, 'more')];
}

/** "(3 unchanged fields hidden)"; `what` is put behind "field" or "fields". */
export function moreFields(count: number, kind: string, what = ''): Line[] {
  if (count <= 0) return [];
  return [[segment(`${' '.repeat(INDENT)}(${plural(count, `${kind} field`)}${what})`, 'dim')]];
}

const showing =
  (value: JsonValue, sign = '') =>
  (room: number): string =>
    `${sign}${shortValue(value, room - sign.length)}`;

function rowsOf({ path, op, before, after }: FieldChange, limit: number): Row[] {
  if (op === 'change' && before !== undefined && after !== undefined)
    return [changeRow(formatPath(path), before, after)];
  const [value, sign, style] = op === 'remove' ? ([before, '- ', 'red'] as const) : ([after, '+ ', 'green'] as const);
  if (value === undefined) return [];
  const leaves = leavesOf(path, value);
  // A large subtree is one line: its leaves would bury the other fields.
  const rows = leaves.length > limit ? [{ path, value }] : leaves;
  return rows.map((row) => ({ path: formatPath(row.path), show: showing(row.value, sign), style }));
}

function changeRow(path: string, before: JsonValue, after: JsonValue): Row {
  const texts = [before, after];
  if (
    !texts.every((value): value is string => typeof value === 'string') ||
    !texts.some((text) => text.includes('\n'))
  ) {
    return { path, show: (room) => shortPair(before, after, room), style: 'yellow' };
  }
  const [old = '', now = ''] = texts;
  const counts = `${lineCount(old)} → ${lineCount(now)} lines`;
  return { path, show: () => counts, style: 'dim', below: lineDiff(old, now, INDENT + 2) };
}

function layOut(rows: readonly Row[], width: number): Line[] {
  const room = Math.max(NARROWEST_VALUE, width - INDENT);
  const column = Math.max(0, ...rows.map(({ path }) => visibleWidth(path)).filter((length) => length <= WIDEST_PATH));
  return rows.flatMap(({ path, show, style, below = [] }) => {
    const pad = Math.max(0, column - visibleWidth(path));
    const left = room - visibleWidth(path) - pad - 2;
    if (left >= NARROWEST_VALUE || left >= visibleWidth(show(room))) {
      const line: Line = [segment(`${' '.repeat(INDENT)}${path}${' '.repeat(pad)}  `), segment(show(left), style)];
      return [line, ...below];
    }
    const first: Line = [segment(' '.repeat(INDENT) + shortenMiddle(path, room))];
    return [first, [segment(' '.repeat(INDENT + 2)), segment(show(room - 2), style)], ...below];
  });
}
