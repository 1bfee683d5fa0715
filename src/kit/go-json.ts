import { canonicalJson, type JsonValue } from './json.ts';

/** JSON byte for byte as Go's encoding/json writes it: keys sorted, no white space, <>& and line separators escaped. */
export function goJson(value: JsonValue): string {
  return canonicalJson(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
