// Runs one check against one server. Throws an error that names the step, the request, the answer and every difference.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type MutableJsonObject,
  parseJson,
  setOwn,
  stringifyJson,
} from '../../kit/json.ts';
import type { ApiRequest, Transport } from '../../ports/transport.ts';
import { type Check, differences, fillText, type Known, type RequestStep, type Step, type WatchStep } from './check.ts';

export interface CheckContext {
  readonly transport: Transport;
  /** The check's own. */
  readonly namespace: string;
  /** The topic's own; `things` of it are served. */
  readonly group: string;
}

/** The collector looks for kinds that came or went every half minute, and waits until all of them are synchronised. */
const EVENTUALLY_MS = 120_000;
const WATCH_MS = 15_000;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
};

export async function runCheck(check: Check, context: CheckContext): Promise<void> {
  const { namespace, group } = context;
  const known: Known = new Map([
    ['ns', namespace],
    ['group', group],
    ['core', `/api/v1/namespaces/${namespace}`],
    ['things', `/apis/${group}/v1/namespaces/${namespace}/things`],
  ]);
  for (const [index, step] of check.steps.entries()) {
    try {
      await runStep(step, context.transport, known);
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      throw new Error(`step ${index + 1} of ${check.steps.length}: ${error.message}\n(${check.reason})`);
    }
  }
}

class StepFailure extends Error {}

async function runStep(step: Step, transport: Transport, known: Known): Promise<void> {
  if ('watch' in step) return runWatch(step, transport, known);
  const deadline = performance.now() + EVENTUALLY_MS;
  for (;;) {
    try {
      return await runRequest(step, transport, known);
    } catch (error) {
      if (!step.eventually || !(error instanceof StepFailure) || performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

async function runRequest(step: RequestStep, transport: Transport, known: Known): Promise<void> {
  const request = toApiRequest(step, known);
  const response = await transport.request(request);
  const text = await response.text();
  const wrong = [
    ...(response.status === step.code ? [] : [`status: got ${response.status}, wanted ${step.code}`]),
    ...judgeBody(step, text, known),
  ];
  if (wrong.length > 0) {
    const sent = request.body === undefined ? '' : `\n  body ${request.body.slice(0, 1000)}`;
    throw new StepFailure(
      `${request.method} ${request.path}${sent}\n  ${wrong.join('\n  ')}\n  answer: ${text.slice(0, 2000)}`,
    );
  }
  const body = step.save ? parseJson(text) : null;
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const value = at(body, path);
    if (value === undefined) throw new StepFailure(`${step.send}: no ${path} to save in ${text.slice(0, 500)}`);
    known.set(name, typeof value === 'string' ? value : stringifyJson(value));
  }
}

function judgeBody(step: RequestStep, text: string, known: Known): string[] {
  if (step.text !== undefined) return text === step.text ? [] : [`text: wanted ${JSON.stringify(step.text)}`];
  if (step.want === undefined && step.code < 400 && step.message === undefined) return [];
  let body: JsonValue;
  try {
    body = parseJson(text);
  } catch {
    return ['the body is not JSON']; // shown by the caller
  }
  const failure = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: step.code };
  return [
    ...(step.code >= 400 ? differences(body, failure, known) : []),
    ...(step.reason === undefined ? [] : differences(body, { reason: step.reason }, known)),
    ...(step.message === undefined ? [] : differences(body, { message: step.message }, known)),
    ...(step.want === undefined ? [] : differences(body, step.want, known)),
  ];
}

function toApiRequest(step: RequestStep, known: Known): ApiRequest {
  const [method = '', path = ''] = step.send.split(' ');
  const headers = {
    accept: step.accept ?? 'application/json',
    ...(step.body === undefined
      ? {}
      : { 'content-type': CONTENT_TYPES[step.as ?? ''] ?? step.as ?? 'application/json' }),
  };
  return {
    method: method as ApiRequest['method'],
    path: fillText(path, known),
    headers,
    ...(step.body === undefined ? {} : { body: bodyText(step.body, known) }),
  };
}

function bodyText(body: JsonValue, known: Known): string {
  return typeof body === 'string' ? fillText(body, known) : stringifyJson(fill(body, known));
}

function fill(value: JsonValue, known: Known): JsonValue {
  if (typeof value === 'string') return fillText(value, known);
  if (isJsonArray(value)) return value.map((item) => fill(item, known));
  if (!isJsonObject(value)) return value;
  const filled: MutableJsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) setOwn(filled, fillText(key, known), fill(item, known));
  }
  return filled;
}

async function runWatch(step: WatchStep, transport: Transport, known: Known): Promise<void> {
  const path = fillText(step.watch, known);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), WATCH_MS);
  const events: JsonValue[] = [];
  try {
    const response = await transport.request({
      method: 'GET',
      path: `${path}${path.includes('?') ? '&' : '?'}watch=true`,
      headers: { accept: step.accept ?? 'application/json' },
      longLived: true,
      signal: stop.signal,
    });
    if (response.status !== 200) {
      throw new StepFailure(`watch ${path}: status ${response.status}: ${(await response.text()).slice(0, 1000)}`);
    }
    const lines = readLines(response.body);
    for (const request of step.during ?? []) await runStep(request, transport, known);
    for await (const line of lines) {
      events.push(parseJson(line));
      if (!step.ends && events.length === step.events.length) break;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error; // aborted: what has come until now is judged below
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  const wrong = differences(events, step.events, known);
  if (wrong.length > 0) {
    throw new StepFailure(`watch ${path}\n  ${wrong.join('\n  ')}\n  events: ${stringifyJson(events).slice(0, 3000)}`);
  }
}

async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield line;
  }
  if (rest !== '') yield rest;
}

function at(value: JsonValue | undefined, path: string): JsonValue | undefined {
  let current = value;
  for (const key of path.split('.')) {
    if (isJsonArray(current)) current = current[Number(key)];
    else current = isJsonObject(current) ? current[key] : undefined;
  }
  return current;
}
