// Answers recorded from a real kube-apiserver, replayed. The recording is a part of a longer run: what happened between
// two cases is in golden-setup.json. Where the sandbox is known to answer differently stands in golden-differences.json
// with the reason; a case that differs unlisted fails, and so does a listed one that no longer differs.
//
// Compared as values after: uids, times, resourceVersions, continue tokens,
// generated suffixes, assigned addresses and ages replaced by words, texts that describe table columns left out.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse as parseYaml } from 'yaml';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  parseJson,
} from '../kit/json.ts';
import type { ApiRequest } from '../ports/transport.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { createSandbox, type Sandbox } from './index.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURES = process.env['METACTL_FIXTURES'] ?? join(ROOT, '../shared/fixtures');
const FILE = join(FIXTURES, 'apiserver-golden.json');

interface Recorded {
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly body?: JsonValue;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Case {
  readonly name: string;
  readonly request: Recorded;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonValue;
  };
}

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const testdata = <T>(name: string): T => read<T>(join(ROOT, 'testdata/sandbox', name));

async function send(sandbox: Sandbox, clock: FakeClock, request: Recorded): Promise<Case['response']> {
  const headers = Object.fromEntries(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (request.body !== undefined) headers['content-type'] ??= 'application/json';
  const path = request.path.includes('continue=') ? await withOwnToken(sandbox, request.path) : request.path;
  const body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
  const response = await sandbox.transport.request({
    method: request.method,
    path,
    headers,
    ...(request.body === undefined ? {} : { body }),
  });
  if (path.includes('watch=')) clock.advance(1_000);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text, response.headers, path) };
}

function parsed(text: string, headers: Readonly<Record<string, string>>, path: string): JsonValue {
  if (headers['content-type'] === 'application/yaml') return parseYaml(text) as JsonValue;
  if (headers['content-type'] !== 'application/json') return text;
  if (!path.includes('watch=') || text.startsWith('{"kind":"Status"')) return parseJson(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line));
}

/** The recorded continue token names the other server's resourceVersion. */
async function withOwnToken(sandbox: Sandbox, path: string): Promise<string> {
  const [before = '', token = ''] = path.split('continue=');
  const list = parseJson(await (await sandbox.transport.request({ method: 'GET', path: '/api/v1/namespaces' })).text());
  const rv = Number(((list as JsonObject)['metadata'] as JsonObject)['resourceVersion']);
  const own = { ...JSON.parse(Buffer.from(token, 'base64url').toString()), rv };
  return `${before}continue=${Buffer.from(JSON.stringify(own)).toString('base64url')}`;
}

const WORDS: Readonly<Record<string, string>> = {
  uid: '<uid>',
  resourceVersion: '<rv>',
  creationTimestamp: '<time>',
  deletionTimestamp: '<time>',
  lastTransitionTime: '<time>',
  continue: '<token>',
  clusterIP: '<ip>',
  time: '<time>',
};

function comparable(value: JsonValue, parent = ''): JsonValue {
  if (typeof value === 'string') return comparableText(value, parent);
  if (isJsonArray(value)) return value.map((item) => comparable(item, parent));
  if (!isJsonObject(value)) return value;
  const result: MutableJsonObject = {};
  for (const key of Object.keys(value).sort()) {
    if (parent === 'columnDefinitions' && key === 'description') continue;
    const word = WORDS[key];
    result[key] = word !== undefined && value[key] !== '' ? word : comparable(value[key] ?? null, key);
  }
  return result;
}

function comparableText(text: string, parent: string): string {
  if (parent === 'clusterIPs') return '<ip>';
  if (parent === 'cells' && /^\d+s$/.test(text)) return '<age>';
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replaceAll(/current: \d+/g, 'current: <rv>')
    .replaceAll(/^gen-\w{5}$/g, 'gen-<suffix>');
}

function comparableResponse(response: Case['response']): JsonObject {
  const headers = ['content-type', 'warning', 'retry-after'].flatMap((name) => {
    const value = response.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const isYaml = typeof response.body === 'string' && response.headers['content-type'] === 'application/yaml';
  const body = isYaml ? (parseYaml(response.body as string) as JsonValue) : response.body;
  return { status: response.status, headers: Object.fromEntries(headers), body: comparable(body) };
}

test('golden answers of a real API server', {
  skip: existsSync(FILE) ? false : `no ${FILE}: set METACTL_FIXTURES`,
}, async (t) => {
  const setup = testdata<Readonly<Record<string, readonly Recorded[]>>>('golden-setup.json');
  const differences = testdata<Readonly<Record<string, string>>>('golden-differences.json');
  const clock = new FakeClock();
  // Recorded without controllers.
  const sandbox = createSandbox({ clock, seed: 1, workloads: false });
  const cases = read<readonly Case[]>(FILE);
  for (const { name, request, response } of cases) {
    for (const step of setup[name] ?? []) {
      const { status, body } = await send(sandbox, clock, step);
      // A DELETE tidies up after a listed difference: there is nothing to tidy once that one is gone.
      const settled = status < 300 || (step.method === 'DELETE' && status === 404);
      assert.ok(settled, `setup of "${name}": ${step.method} ${step.path}: ${status} ${JSON.stringify(body)}`);
    }
    const actual = comparableResponse(await send(sandbox, clock, request));
    const reason = differences[name];
    await t.test(reason === undefined ? name : `${name} (differs: ${reason})`, () => {
      if (reason === undefined) assert.deepEqual(actual, comparableResponse(response));
      else assert.notDeepEqual(actual, comparableResponse(response), 'no longer differs: take it off the list');
    });
  }
  await t.test('every listed difference is of a recorded case', () => {
    const names = new Set(cases.map(({ name }) => name));
    assert.deepEqual(
      Object.keys(differences).filter((name) => !names.has(name)),
      [],
    );
  });
  await sandbox.close();
});
