// A request body in Kubernetes' protobuf envelope → the JSON that says the same.

import { type JsonObject, stringifyJson } from '../../kit/json.ts';
import { kindType } from '../typed/types.ts';
import { decodeMessage } from './message.ts';
import { ProtobufError, wireFields } from './wire.ts';

export { ProtobufError };

const MAGIC = [0x6b, 0x38, 0x73, 0x00];

/** `undefined`: a kind that is none of the built-in ones. Throws ProtobufError for what is no such body. */
export function jsonOfProtobuf(bytes: Uint8Array): string | undefined {
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) {
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const { apiVersion, kind, raw } = envelope(bytes.subarray(MAGIC.length));
  // Options are sent in the version of the resource that they are about.
  const type = kind === 'DeleteOptions' ? kindType('v1', kind) : kindType(apiVersion, kind);
  if (type === undefined) return undefined;
  const object: JsonObject = { ...decodeMessage(type, raw), apiVersion, kind };
  return stringifyJson(object);
}

/** runtime.Unknown: what the object is, and its bytes. */
function envelope(bytes: Uint8Array): { apiVersion: string; kind: string; raw: Uint8Array } {
  const found = { apiVersion: '', kind: '', raw: new Uint8Array() };
  for (const { number, value } of wireFields(bytes)) {
    if (typeof value === 'bigint') continue;
    if (number === 2) found.raw = new Uint8Array(value);
    if (number !== 1) continue;
    for (const field of wireFields(value)) {
      if (typeof field.value === 'bigint') continue;
      if (field.number === 1) found.apiVersion = Buffer.from(field.value).toString();
      if (field.number === 2) found.kind = Buffer.from(field.value).toString();
    }
  }
  return found;
}
