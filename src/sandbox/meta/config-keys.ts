import { isJsonObject, type JsonValue } from '../../kit/json.ts';
import { type FieldProblem, invalidValue } from '../http/status-error.ts';

const KEY = /^[-._a-zA-Z0-9]+$/;
const KEY_PROBLEM =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** What is wrong with one key. */
export function configKeyTexts(key: string): string[] {
  const texts: string[] = [];
  if (key.length > 253) texts.push('must be no more than 253 characters');
  if (!KEY.test(key)) texts.push(KEY_PROBLEM);
  if (key === '.' || key === '..') texts.push(`must not be '${key}'`);
  else if (key.startsWith('..')) texts.push("must not start with '..'");
  return texts;
}

/** The keys of a ConfigMap's or Secret's data: each becomes a file name. */
export function configKeyProblems(data: JsonValue | undefined, binaryData?: JsonValue): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const plain = isJsonObject(data) ? Object.keys(data).sort() : [];
  const binary = isJsonObject(binaryData) ? Object.keys(binaryData).sort() : [];
  for (const key of plain) {
    for (const text of configKeyTexts(key)) problems.push(invalidValue(`data[${key}]`, key, text));
    if (binary.includes(key))
      problems.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  }
  for (const key of binary) {
    for (const text of configKeyTexts(key)) problems.push(invalidValue(`binaryData[${key}]`, key, text));
  }
  return problems;
}
