// Label selectors as parents carry them (spec.selector) and as definitions do, and whether labels match them.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../kit/json.ts';
import type { LabelRequirement, LabelSelector } from '../model/definition.ts';

type Labels = Readonly<Record<string, string>> | undefined;

export function matchesSelector(selector: LabelSelector, labels: Labels): boolean {
  const has = labels ?? {};
  return (
    Object.entries(selector.matchLabels).every(([key, value]) => Object.hasOwn(has, key) && has[key] === value) &&
    selector.matchExpressions.every((requirement) => meets(requirement, has))
  );
}

function meets({ key, operator, values }: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const present = Object.hasOwn(labels, key);
  const listed = present && values.includes(labels[key] as string);
  if (operator === 'Exists') return present;
  if (operator === 'DoesNotExist') return !present;
  return operator === 'In' ? listed : !listed;
}

export function isEmptySelector(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels).length === 0 && selector.matchExpressions.length === 0;
}

/** `labels`, with what it takes for the selector to match them: for objects that only have to be found again by it. */
export function labelsMatching(
  { matchLabels, matchExpressions }: LabelSelector,
  labels: Readonly<Record<string, string>>,
): Record<string, string> {
  const made: Record<string, string> = { ...labels, ...matchLabels };
  for (const requirement of matchExpressions) {
    const { key, operator, values } = requirement;
    if (meets(requirement, made)) continue;
    if (operator === 'In' || operator === 'Exists') setOwn(made, key, values[0] ?? '');
    else delete made[key];
  }
  return made;
}

/** "app=web,tier in (a,b)", for messages and for list requests. */
export function formatSelector(selector: LabelSelector): string {
  const equal = Object.entries(selector.matchLabels).map(([key, value]) => `${key}=${value}`);
  const rest = selector.matchExpressions.map(({ key, operator, values }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
  });
  return [...equal, ...rest].join(',');
}

const OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

/** Reads a selector out of somebody's object. A string says what is wrong, with the path inside the selector. */
export function parseSelector(value: JsonValue | undefined): LabelSelector | string {
  if (value === undefined || value === null) return 'is missing';
  if (!isJsonObject(value)) return 'is not an object';
  const matchLabels = parseMatchLabels(value['matchLabels']);
  if (typeof matchLabels === 'string') return matchLabels;
  const matchExpressions: LabelRequirement[] = [];
  const given = value['matchExpressions'] ?? [];
  if (!isJsonArray(given)) return 'matchExpressions is not a list';
  for (const [index, item] of given.entries()) {
    const requirement = parseRequirement(item);
    if (typeof requirement === 'string') return `matchExpressions[${index}] ${requirement}`;
    matchExpressions.push(requirement);
  }
  return { matchLabels, matchExpressions };
}

function parseMatchLabels(value: JsonValue | undefined): Record<string, string> | string {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) return 'matchLabels is not an object';
  const bad = Object.entries(value).find(([, label]) => typeof label !== 'string');
  return bad ? `matchLabels.${bad[0]} is not a string` : ({ ...value } as Record<string, string>);
}

function parseRequirement(value: JsonValue): LabelRequirement | string {
  if (!isJsonObject(value)) return 'is not an object';
  const { key, operator } = value as JsonObject;
  if (typeof key !== 'string' || key === '') return 'has no key';
  if (typeof operator !== 'string' || !OPERATORS.has(operator))
    return `has operator ${JSON.stringify(operator)}; In, NotIn, Exists or DoesNotExist are possible`;
  const values = value['values'] ?? [];
  if (!isJsonArray(values) || values.some((item) => typeof item !== 'string')) return 'has values that are no strings';
  const needsValues = operator === 'In' || operator === 'NotIn';
  if (needsValues !== values.length > 0)
    return needsValues ? `${operator} needs values` : `${operator} takes no values`;
  return { key, operator: operator as LabelRequirement['operator'], values: values as readonly string[] };
}
