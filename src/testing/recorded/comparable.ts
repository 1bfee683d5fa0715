// Two answers of two servers, made comparable: what is chance or time becomes a word. Left out: managedFields, which have
// tests of their own (src/merge).

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';

export interface RecordedAnswer {
  readonly status: number;
  /** The Warning header. */
  readonly warning?: string;
  readonly body: JsonValue;
}

const WORDS: Readonly<Record<string, string>> = {
  uid: '<uid>',
  resourceVersion: '<rv>',
  creationTimestamp: '<time>',
  deletionTimestamp: '<time>',
  lastTransitionTime: '<time>',
  nodePort: '<port>',
  healthCheckNodePort: '<port>',
  'batch.kubernetes.io/controller-uid': '<uid>',
  'controller-uid': '<uid>',
};

export interface Compared {
  /** What stands for {ns} on this server. */
  readonly namespace: string;
  /** Problems of one answer are a set: causes are sorted, and the words of the message. */
  readonly unordered?: boolean | undefined;
}

export function comparableAnswer(answer: RecordedAnswer, options: Compared): RecordedAnswer {
  const { status, warning, body } = answer;
  const text = (value: string): string => comparableText(value, options);
  const shown = comparable(body, options);
  return {
    status,
    ...(warning === undefined ? {} : { warning: inOrder(text(warning), options) }),
    body: options.unordered && isJsonObject(shown) ? sortedProblems(shown) : shown,
  };
}

const inOrder = (warning: string, { unordered }: Compared): string =>
  unordered
    ? warning
        .split(/, (?=299 )/)
        .sort()
        .join(', ')
    : warning;

function sortedProblems(status: JsonObject): JsonObject {
  const { details, message } = status;
  const causes = isJsonObject(details) ? details['causes'] : undefined;
  if (!isJsonObject(details) || !isJsonArray(causes) || causes.length < 2 || typeof message !== 'string') return status;
  const sorted = causes.map((cause) => JSON.stringify(cause)).sort();
  return {
    ...status,
    details: { ...details, causes: sorted.map((cause) => JSON.parse(cause) as JsonValue) },
    message: message.replaceAll(/[[\]]/g, '').split(/[, ]+/).sort().join(' '),
  };
}

function comparable(value: JsonValue, options: Compared): JsonValue {
  if (typeof value === 'string') return comparableText(value, options);
  if (isJsonArray(value)) return value.map((item) => comparable(item, options));
  if (!isJsonObject(value)) return value;
  const result: MutableJsonObject = {};
  for (const key of Object.keys(value).sort()) {
    if (key === 'managedFields') continue;
    const word = WORDS[key];
    const item = value[key] ?? null;
    const kept = word === undefined || typeof item === 'object' || item === '' || item === 0;
    setOwn(result, key, kept ? comparable(item, options) : word);
  }
  return result;
}

function comparableText(text: string, { namespace }: Compared): string {
  return text
    .replaceAll(namespace, '{ns}')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replaceAll(/\b10\.0\.\d+\.\d+\b/g, '<ip>')
    .replaceAll(/(resourceVersion\\*":\\*")\d+/g, '$1<rv>')
    .replaceAll(/(StorageError: .*Key: )\/registry\//g, '$1/')
    .replaceAll(/(manager\\*":\\*")(?:metactl|unknown|node)\b/g, '$1<manager>')
    .replaceAll(/"uid":"[^"]*"/g, '"uid":"<uid>"')
    .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\b/g, '<time>')
    .replaceAll(/(.)\1{199,}/g, (run, character: string) => `<${run.length} times ${character}>`)
    .replaceAll(/([Gg]en[-_])[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1<suffix>');
}
