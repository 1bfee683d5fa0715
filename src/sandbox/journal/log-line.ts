// One record, one line of JSON: {"crc":"<8 hex digits>","record":{…}}. The checksum is the CRC-32 of the record's text as
// it stands in the line, so it is checked before anything is parsed. The prefix has a fixed length.

import { crc32 } from 'node:zlib';
import { isJsonObject, parseJson, stringifyJson } from '../../kit/json.ts';
import type { JournalRecord } from '../journal.ts';

const OPEN = '{"crc":"';
const MIDDLE = '","record":';
const START = OPEN.length + 8 + MIDDLE.length;

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** With the newline at its end. */
export function encodeLine(record: JournalRecord): string {
  const text = stringifyJson(record);
  return `${OPEN}${checksum(text)}${MIDDLE}${text}}\n`;
}

/** Without the newline. The reason as text when it is not a line that encodeLine wrote. */
export function decodeLine(line: string): JournalRecord | string {
  const text = line.slice(START, -1);
  const framed =
    line.startsWith(OPEN) && line.startsWith(MIDDLE, OPEN.length + 8) && line.endsWith('}') && text.startsWith('{');
  if (!framed) return 'the line has not the form {"crc":"…","record":{…}}';
  const written = line.slice(OPEN.length, OPEN.length + 8);
  if (written !== checksum(text)) return `its checksum is ${checksum(text)}, the line says ${written}`;
  const record = parseJson(text);
  return isRecord(record) ? record : 'it is not a record of this version';
}

function isRecord(value: unknown): value is JournalRecord {
  if (!isJsonObject(value)) return false;
  const { rv, verb, group, resource, name, object } = value;
  return (
    typeof rv === 'number' &&
    [group, resource, name].every((text) => typeof text === 'string') &&
    (verb === 'delete' || (verb === 'put' && isJsonObject(object)))
  );
}
