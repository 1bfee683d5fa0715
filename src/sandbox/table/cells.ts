// How kubectl's tables write what objects hold.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0: always shown; 1: with -o wide. */
  readonly priority: number;
  cell(object: KubeObject, now: number): JsonValue;
}

export function column(
  name: string,
  cell: Column['cell'],
  more: Partial<Pick<Column, 'type' | 'description' | 'priority'>> = {},
): Column {
  const { type = 'string', description = `${name} of the object.`, priority = 0 } = more;
  return { name, type, format: '', description, priority, cell };
}

/** Shown with -o wide. */
export const wide = (name: string, cell: Column['cell']): Column => column(name, cell, { priority: 1 });

export const textColumn = (name: string, path: string, absent = '<none>'): Column =>
  column(name, (object) => text(at(object, path), absent));

export const numberColumn = (name: string, path: string): Column =>
  column(name, (object) => number(at(object, path)), { type: 'integer' });

/** `path`: names with dots between them. */
export function at(object: JsonValue | undefined, path: string): JsonValue | undefined {
  let value = object;
  for (const key of path.split('.')) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

export const count = (value: JsonValue | undefined): number => (isJsonObject(value) ? Object.keys(value).length : 0);
export const number = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : 0);
export const text = (value: JsonValue | undefined, absent = '<none>'): string =>
  value === undefined || value === null || value === '' ? absent : String(value);
export const items = (value: JsonValue | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : [];
export const texts = (value: JsonValue | undefined): readonly string[] =>
  isJsonArray(value) ? value.map((item) => text(item, '')) : [];

/** "a=b,c=d" */
export function labelsText(labels: JsonValue | undefined): string {
  if (!isJsonObject(labels) || count(labels) === 0) return '<none>';
  const pairs = Object.keys(labels).sort();
  return pairs.map((key) => (labels[key] === '' ? `${key}=` : `${key}=${text(labels[key], '')}`)).join(',');
}

const OPERATORS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** Of a label selector; with nothing in it as with none. */
export function selectorText(selector: JsonValue | undefined): string {
  const labels = at(selector, 'matchLabels');
  const parts = items(at(selector, 'matchExpressions')).map((one) => {
    const values = [...texts(one['values'])].sort().join(',');
    return OPERATORS[text(one['operator'])]?.(text(one['key']), values) ?? '';
  });
  const all = [...(count(labels) > 0 ? labelsText(labels).split(',') : []), ...parts];
  return all.length === 0 ? '<none>' : all.sort().join(',');
}

/** Up to `most`, and how many more there are. */
export function few(all: readonly string[], most: number, none: string): string {
  if (all.length === 0) return none;
  const more = all.length - most;
  return more > 0 ? `${all.slice(0, most).join(',')} + ${more} more...` : all.join(',');
}

/** The columns about the containers of a pod template, with -o wide. */
export const containerColumns = (path: string): readonly Column[] => [
  wide('Containers', (object) => names(object, path, 'name')),
  wide('Images', (object) => names(object, path, 'image')),
];

export const names = (object: KubeObject, path: string, field: string): string =>
  items(at(object, `${path}.spec.containers`))
    .map((container) => text(container[field], ''))
    .join(',');
