// Sends the requests of a group and gives the answers as they came.

import { randomBytes } from 'node:crypto';
import { type JsonValue, parseJson, stringifyJson } from '../../kit/json.ts';
import type { ApiRequest, Transport } from '../../ports/transport.ts';
import type { RecordedCase, RecordedGroup } from './case.ts';
import { type Compared, comparableAnswer, type RecordedAnswer } from './comparable.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Answers by the name of the case, in order. */
export type Answers = Readonly<Record<string, RecordedAnswer>>;

/** Every case of the group, one after the other; the namespace must be there. */
export async function sendGroup(transport: Transport, group: RecordedGroup, options: Compared): Promise<Answers> {
  const answers: Record<string, RecordedAnswer> = {};
  for (const recorded of group.cases) {
    if (Object.hasOwn(answers, recorded.name)) throw new Error(`${group.name}: two cases "${recorded.name}"`);
    const answer = await sendUntil(transport, recorded, options.namespace);
    answers[recorded.name] = comparableAnswer(answer, { ...options, unordered: group.unordered });
  }
  return answers;
}

async function sendUntil(transport: Transport, recorded: RecordedCase, namespace: string): Promise<RecordedAnswer> {
  for (let left = 400; ; left--) {
    const answer = await sendCase(transport, recorded, namespace);
    if (recorded.until === undefined || answer.status === recorded.until || left === 0) return answer;
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function sendCase(transport: Transport, recorded: RecordedCase, namespace: string): Promise<RecordedAnswer> {
  const fill = (text: string): string =>
    text
      .replaceAll('{core}', `/api/v1/namespaces/${namespace}`)
      .replaceAll('{group}', `${namespace}.example.com`)
      .replaceAll('{ns}', namespace);
  const [method = '', path = ''] = fill(recorded.send).split(' ', 2);
  const { body, as } = recorded;
  const type = as === undefined ? 'application/json' : (CONTENT_TYPES[as] ?? as);
  const response = await transport.request({
    method: method as ApiRequest['method'],
    path,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: fill(typeof body === 'string' ? body : stringifyJson(body)) }),
  });
  const text = await response.text();
  const warning = response.headers['warning'];
  const json = response.headers['content-type']?.startsWith('application/json') === true;
  const parsed: JsonValue = json ? parseJson(text) : text;
  return { status: response.status, ...(warning === undefined ? {} : { warning }), body: parsed };
}

/** A namespace that nobody else has; all have names of one length, so that limits of length are met alike. */
export async function createGroupNamespace(transport: Transport): Promise<string> {
  const name = `rec-${randomBytes(4).toString('hex')}`;
  const response = await transport.request({
    method: 'POST',
    path: '/api/v1/namespaces',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`namespace ${name} was not created: ${text}`);
  return name;
}
