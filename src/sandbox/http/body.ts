// The body of a request as JSON text, whatever it came as.

import { stringifyJson } from '../../kit/json.ts';
import type { ApiRequest } from '../../ports/transport.ts';
import { badRequest, StatusError, tooLarge, unsupportedMediaType } from './status-error.ts';

const MAX_BODY_BYTES = 3 * 1024 * 1024;

export interface RequestBody {
  /** JSON; absent: no body. */
  readonly text: string | undefined;
  /** What YAML has and JSON can't: keys that stood twice. */
  readonly problems?: readonly string[];
}

const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const BODY_TYPES = [JSON_TYPE, YAML, PROTOBUF];

export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Throws StatusError: 415 for what the sandbox can't read, 400 for what is not what it says. */
export async function readBody({ body, method, headers }: ApiRequest): Promise<RequestBody> {
  if (body === undefined) return { text: undefined };
  if (body.length > MAX_BODY_BYTES / 4 && Buffer.byteLength(body) > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES);
  const type = mediaType(headers?.['content-type']);
  if (method === 'PATCH') return type === 'application/apply-patch+yaml' ? applyBody(body) : { text: body };
  if (type === YAML) return yamlBody(body);
  if (type === JSON_TYPE || type === '' || type === '*/*') return { text: body };
  if (type === PROTOBUF) return { text: await protobufBody(body) };
  throw unknownFormat(BODY_TYPES);
}

const unknownFormat = (accepted: readonly string[]): Error =>
  unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

/** Binary bodies come as text with one character a byte. */
async function protobufBody(body: string): Promise<string> {
  const { jsonOfProtobuf, ProtobufError } = await import('../protobuf/index.ts');
  try {
    const text = jsonOfProtobuf(Buffer.from(body, 'latin1'));
    if (text !== undefined) return text;
  } catch (error) {
    if (error instanceof ProtobufError) throw badRequest(error.message);
    throw error;
  }
  throw unknownFormat([JSON_TYPE, YAML]);
}

/** Most programs send JSON, which is YAML: no need of the large parser then. */
async function applyBody(body: string): Promise<RequestBody> {
  if (isJsonText(body)) return { text: body };
  try {
    return await yamlBody(body);
  } catch (error) {
    if (error instanceof StatusError) throw badRequest(`error decoding YAML: ${error.message}`);
    throw error;
  }
}

function isJsonText(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** YAML 1.1 as the server reads it: "yes" is true, a date is text, of keys that stand twice the last one counts. */
async function yamlBody(body: string): Promise<RequestBody> {
  const { parseDocument, LineCounter, visit, isScalar } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(body, {
    version: '1.1',
    uniqueKeys: false,
    intAsBigInt: true,
    lineCounter,
    customTags: (tags) =>
      tags.filter(
        (tag) => typeof tag === 'string' || (tag.tag !== 'tag:yaml.org,2002:timestamp' && tag.format !== 'TIME'),
      ),
  });
  // Of several documents the first one counts.
  const error = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
  if (error) throw badRequest(`error converting YAML to JSON: ${error.message}`);
  const copies: string[] = [];
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>();
      for (const { key, value } of map.items) {
        const name = isScalar(key) ? key.value : undefined;
        const range = (value as { range?: readonly number[] } | null)?.range ?? [0];
        if (seen.has(name)) {
          const { line } = lineCounter.linePos(range[0] ?? 0);
          copies.push(`line ${line}: key ${JSON.stringify(name)} already set in map`);
        }
        seen.add(name);
      }
    },
  });
  const text = stringifyJson(document.toJS() ?? null);
  if (copies.length === 0) return { text };
  return { text, problems: [`yaml: unmarshal errors:\n  ${copies.join('\n  ')}`] };
}
