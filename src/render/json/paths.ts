import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { formatPath, type Path } from '../../kit/path.ts';
import { holdsUnknown } from '../../kit/unknown.ts';

/** A place, for people and for programs. */
export function pathToJson(path: Path): JsonObject {
  return { path: formatPath(path), pathElements: path.map((element) => element) };
}

/** Where a value is unknown until apply, also inside longer strings. */
export function unknownPaths(value: JsonValue | undefined, path: Path = []): Path[] {
  if (typeof value === 'string') return holdsUnknown(value) ? [path] : [];
  if (isJsonArray(value)) return value.flatMap((item, index) => unknownPaths(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  const keys = Object.keys(value).sort();
  return keys.flatMap((key) => unknownPaths(value[key], [...path, key]));
}
