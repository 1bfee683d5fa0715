// JSON patch, RFC 6902, as the API server reads it: what can't even be decoded is `malformed` (its 400), an operation
// that can't be carried out is `failed` (its 422). Negative list indices count from the end, as they do there.

import {
  cloneJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type MutableJsonObject,
  setOwn,
} from '../kit/json.ts';

export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
  readonly kind: 'malformed' | 'failed';
  constructor(kind: 'malformed' | 'failed', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The document after all operations, or JsonPatchError: then nothing of it counts. */
export function applyJsonPatch(target: JsonValue, operations: JsonValue): JsonValue {
  return decode(operations).reduce((document, operation, index) => {
    try {
      return applyOperation(document, operation);
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
      const named = `operation ${index} (${operation.op} ${operation.path}): ${error.message}`;
      throw new JsonPatchError(error.kind, named);
    }
  }, target);
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from: string | undefined;
  readonly value: JsonValue | undefined;
}

function decode(operations: JsonValue): Operation[] {
  if (!isJsonArray(operations)) throw new JsonPatchError('malformed', 'a JSON patch is a list of operations');
  return operations.map((operation, index) => {
    if (!isJsonObject(operation)) throw new JsonPatchError('malformed', `operation ${index} is not an object`);
    const [op, path] = [getOwn(operation, 'op'), getOwn(operation, 'path')];
    const from = getOwn(operation, 'from');
    if (typeof op !== 'string' || typeof path !== 'string' || !['string', 'undefined'].includes(typeof from)) {
      throw new JsonPatchError('malformed', `operation ${index}: op, path and from must be strings`);
    }
    return { op, path, from: from as string | undefined, value: getOwn(operation, 'value') };
  });
}

function applyOperation(document: JsonValue, operation: Operation): JsonValue {
  const path = tokensOf(operation.path);
  switch (operation.op) {
    case 'add':
      return edit(document, path, adding(operandOf(operation)));
    case 'replace':
      return edit(document, path, replacing(operandOf(operation)));
    case 'remove':
      return edit(document, path, removing);
    case 'test':
      if (!jsonEqual(read(document, path) ?? null, operation.value ?? null)) throw failed('the value differs');
      return document;
    case 'copy':
      return edit(document, path, adding(cloneJson(present(document, fromOf(operation)))));
    case 'move':
      return move(document, fromOf(operation), path);
    default:
      throw failed('no such operation');
  }
}

function move(document: JsonValue, from: readonly string[], path: readonly string[]): JsonValue {
  if (from.length < path.length && from.every((token, i) => token === path[i])) {
    throw failed('a value can not be moved into itself');
  }
  const value = present(document, from);
  return edit(edit(document, from, removing), path, adding(value));
}

const failed = (message: string): JsonPatchError => new JsonPatchError('failed', message);

function operandOf(operation: Operation): JsonValue {
  if (operation.value === undefined) throw failed('the value is missing');
  return operation.value;
}

function fromOf(operation: Operation): readonly string[] {
  if (operation.from === undefined) throw failed('"from" is missing');
  return tokensOf(operation.from);
}

function tokensOf(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw failed(`${JSON.stringify(pointer)} is no JSON pointer`);
  const tokens = pointer.slice(1).split('/');
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function child(container: JsonValue | undefined, token: string): JsonValue | undefined {
  if (isJsonObject(container)) return getOwn(container, token);
  return isJsonArray(container) ? container[indexIn(container.length, token)] : undefined;
}

function read(document: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(child, document);
}

function present(document: JsonValue, path: readonly string[]): JsonValue {
  const value = read(document, path);
  if (value === undefined) throw failed('there is no such value');
  return value;
}

/** An existing index; -1 is the last. */
function indexIn(length: number, token: string): number {
  if (!/^-?\d+$/.test(token)) throw failed(`${JSON.stringify(token)} is no list index`);
  const index = Number(token) < 0 ? Number(token) + length : Number(token);
  if (index < 0 || index >= length) throw failed(`index ${token} is outside the list`);
  return index;
}

/** What an operation does at its place: at the root, to a key of an object, to an item of a list. */
interface Edit {
  root(): JsonValue;
  key(object: JsonObject, key: string): JsonValue;
  item(list: readonly JsonValue[], token: string): JsonValue;
}

/** A copy of the document, changed at one place; everything beside the path is shared. */
function edit(document: JsonValue, path: readonly string[], change: Edit): JsonValue {
  const [token, ...rest] = path;
  if (token === undefined) return change.root();
  if (!isJsonObject(document) && !isJsonArray(document)) throw failed('the parent is neither an object nor a list');
  const here = rest.length > 0 ? replacing(editChild(document, token, { rest, change })) : change;
  return isJsonArray(document) ? here.item(document, token) : here.key(document, token);
}

function editChild(
  container: JsonValue,
  token: string,
  { rest, change }: { rest: readonly string[]; change: Edit },
): JsonValue {
  const inner = child(container, token);
  if (inner === undefined) throw failed(`there is no ${JSON.stringify(token)} on the way`);
  return edit(inner, rest, change);
}

function withKey(object: JsonObject, key: string, value: JsonValue | undefined): JsonObject {
  const copy: MutableJsonObject = {};
  for (const name of Object.keys(object))
    if (name !== key) setOwn(copy, name, object[name]);
    else if (value !== undefined) setOwn(copy, name, value);
  if (value !== undefined && !Object.hasOwn(object, key)) setOwn(copy, key, value);
  return copy;
}

function adding(value: JsonValue): Edit {
  return {
    root: () => value,
    key: (object, key) => withKey(object, key, value),
    item: (list, token) => list.toSpliced(token === '-' ? list.length : indexIn(list.length + 1, token), 0, value),
  };
}

function replacing(value: JsonValue): Edit {
  return {
    root: () => value,
    // RFC 6902 wants the key to be there; the API server's library adds it.
    key: (object, key) => withKey(object, key, value),
    item: (list, token) => list.with(indexIn(list.length, token), value),
  };
}

const removing: Edit = {
  root: () => {
    throw failed('the whole document can not be removed');
  },
  key: (object, key) => {
    if (getOwn(object, key) === undefined) throw failed('there is no such key');
    return withKey(object, key, undefined);
  },
  item: (list, token) => list.toSpliced(indexIn(list.length, token), 1),
};
