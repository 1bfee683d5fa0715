// An answer outside 2xx → ApiError. A Kubernetes Status is kept; anything else (a proxy's page, the server's plain
// "404 page not found") becomes a Status with a short excerpt.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../kit/json.ts';
import { ApiError, type ApiStatus } from '../../ports/errors.ts';

const EXCERPT = 200;
type Details = NonNullable<ApiStatus['details']>;

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** `request`: method and path. `now`: epoch milliseconds, to read a Retry-After that is a date. */
export function apiErrorOf(answer: ErrorAnswer, request: string, now?: number): ApiError {
  const body = tryParse(answer.text);
  const fromBody = isJsonObject(body) && body['kind'] === 'Status' ? statusOf(body, answer.status) : undefined;
  const status = fromBody ?? { code: answer.status, message: excerptOf(answer) };
  const seconds = status.details?.retryAfterSeconds ?? retryAfter(answer.headers['retry-after'], now);
  const details = seconds === undefined ? status.details : { ...status.details, retryAfterSeconds: seconds };
  return new ApiError({ ...status, ...(details ? { details } : {}) }, request);
}

/** A Status object as the port has it; `fallbackCode` where it names no code of its own. */
export function statusOf(body: JsonObject, fallbackCode: number): ApiStatus {
  const { code, reason, message, details } = body;
  return {
    code: typeof code === 'number' ? code : fallbackCode,
    ...(typeof reason === 'string' && reason !== '' ? { reason } : {}),
    message: typeof message === 'string' && message !== '' ? message : `the server answered ${code ?? fallbackCode}`,
    ...(isJsonObject(details) ? { details: detailsOf(details) } : {}),
  };
}

function detailsOf(details: JsonObject): Details {
  const { causes, retryAfterSeconds } = details;
  return {
    ...textsOf(details, ['name', 'group', 'kind', 'uid']),
    ...(isJsonArray(causes) ? { causes: causes.filter(isJsonObject).map(causeOf) } : {}),
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  };
}

function causeOf(cause: JsonObject): NonNullable<Details['causes']>[number] {
  return textsOf(cause, ['reason', 'message', 'field']);
}

function textsOf<K extends string>(from: JsonObject, keys: readonly K[]): { [P in K]?: string } {
  const texts: { [P in K]?: string } = {};
  for (const key of keys) {
    const value = from[key];
    if (typeof value === 'string') texts[key] = value;
  }
  return texts;
}

function retryAfter(header: string | undefined, now: number | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) || now === undefined ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}

function excerptOf({ status, headers, text }: ErrorAnswer): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return `the server answered ${status} with an empty body`;
  const type = headers['content-type']?.split(';', 1)[0] ?? 'no content type';
  const cut = line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line;
  return `the server answered ${status} (${type}): ${cut}`;
}

function tryParse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    // Not JSON: the caller quotes it instead.
    return undefined;
  }
}
