// The JSON paths that printer columns use: .a.b, ['a'], [0], [*], [?(@.type=="Ready")]. Anything else finds nothing.

import { isJsonArray, isJsonObject, type JsonValue } from '../../kit/json.ts';

type Step = (value: JsonValue) => readonly JsonValue[];

const TOKEN =
  /\.((?:\\.|[A-Za-z0-9_/-])+)|\[['"]([^'"]+)['"]\]|\[(-?\d+)\]|\[\*\]|\[\?\(@\.([\w.-]+)\s*(==|!=)\s*['"]?([^'")]*)['"]?\)\]/y;

const present = (value: JsonValue | undefined): readonly JsonValue[] => (value === undefined ? [] : [value]);

function field(name: string): Step {
  const key = name.replace(/\\/g, '');
  return (value) => (isJsonObject(value) ? present(value[key]) : []);
}

function steps(path: string): Step[] | undefined {
  const found: Step[] = [];
  const text = path.replace(/^\$/, '');
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (!match) return undefined;
    found.push(stepOf(match));
  }
  return found;
}

function stepOf([, name, quoted, index, filterField, operator, wanted]: RegExpExecArray): Step {
  if (name !== undefined) return field(name);
  if (quoted !== undefined) return field(quoted);
  if (index !== undefined) return (value) => (isJsonArray(value) ? present(value.at(Number(index))) : []);
  if (filterField === undefined) {
    return (value) =>
      isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value).filter((v) => v !== undefined) : [];
  }
  const inner = filterField.split('.').map(field);
  return (value) =>
    (isJsonArray(value) ? value : []).filter((item) => {
      const [actual] = follow(inner, item);
      return actual !== undefined && (String(actual) === wanted) === (operator === '==');
    });
}

function follow(path: readonly Step[], value: JsonValue): readonly JsonValue[] {
  let values: readonly JsonValue[] = [value];
  for (const step of path) values = values.flatMap(step);
  return values;
}

/** Every value at the path; nothing when there is none or the path is of an unknown form. */
export function findValues(path: string, value: JsonValue): readonly JsonValue[] {
  const parsed = steps(path);
  return parsed === undefined ? [] : follow(parsed, value);
}
