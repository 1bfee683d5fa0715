// The step that leads to an item of an associative list: its keys, or the item itself in a set.

import { getOwn, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { ListType, MergeSchema } from '../../schema/index.ts';
import { goQuote } from './go-text.ts';
import { plainElement } from './known-elements.ts';
import { keyElement, NO_ELEMENT, type PathElement, valueElement } from './path-element.ts';

/** The step, or why there is none. */
export type ItemElement = { readonly element: PathElement } | { readonly problem: string };

/** The step; the empty one where there is none (validation has told already, or the item was emptied by a removal). */
export function itemElement(schema: MergeSchema, list: ListType, item: JsonValue): PathElement {
  const plain = plainElement(list, item);
  if (plain !== undefined) return plain;
  const found = explainItem(schema, list, item);
  return 'element' in found ? found.element : NO_ELEMENT;
}

/** The same with the reason, in the words of the API server. */
export function explainItem(schema: MergeSchema, list: ListType, item: JsonValue): ItemElement {
  if (list.elementRelationship !== 'associative') return { problem: 'invalid indexing of non-associative list' };
  if (list.keys.length > 0) return keyedItem(schema, list, item);
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  if (isJsonArray(item)) return { problem: 'not supported: associative list with lists as elements' };
  if (isJsonObject(item)) return { problem: "associative list without keys has an element that's a map type" };
  return { element: valueElement(item) };
}

function keyedItem(schema: MergeSchema, list: ListType, item: JsonValue): ItemElement {
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isJsonObject(item)) return { problem: 'associative list with keys may not have non-map elements' };
  const keys: (readonly [string, JsonValue])[] = [];
  for (const name of list.keys) {
    const value = keyValue(schema, list, item, name);
    if (typeof value === 'object' && value !== null && 'problem' in value) return value;
    if (value !== undefined) keys.push([name, value.value]);
  }
  if (keys.length > 0) return { element: keyElement(keys) };
  const names = list.keys.map(goQuote).join(' ');
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

type KeyValue = { readonly value: JsonValue } | { readonly problem: string } | undefined;

/** What the item says, else the default of the field, else nothing: items with and without a key are different ones. */
function keyValue(schema: MergeSchema, list: ListType, item: JsonObject, name: string): KeyValue {
  const value = getOwn(item, name);
  if (value !== undefined) return { value };
  const atom = schema.resolve(list.elementType);
  const fault =
    atom === undefined
      ? 'invalid elementType for list'
      : atom.map === undefined && 'associative list may not have non-map types';
  if (fault) return { problem: `couldn't find default value for ${name}: ${fault}` };
  const fallback = atom?.map?.fields.get(name)?.default;
  return fallback === undefined || fallback === null ? undefined : { value: fallback };
}
