// A sandbox with a clock that the test moves, and short ways to send requests to it.

import { type JsonObject, type JsonValue, parseJson } from '../kit/json.ts';
import type { ApiRequest } from '../ports/transport.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts';
import { FakeClock } from './fake-clock.ts';

export interface BenchAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON; {} otherwise. */
  readonly body: JsonObject;
  readonly text: string;
}

export interface BenchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

export interface SandboxBench {
  readonly clock: FakeClock;
  readonly sandbox: Sandbox;
  /** "POST /api/v1/namespaces". A PATCH is a merge patch unless `headers` say otherwise. */
  send(line: string, body?: JsonValue, headers?: Readonly<Record<string, string>>): Promise<BenchAnswer>;
  /** As send(), and fails the test unless the answer is a success. */
  ok(line: string, body?: JsonValue): Promise<JsonObject>;
  /** The events of a watch that is open while `act` runs, and closed by its timeout. */
  watch(path: string, act?: () => Promise<unknown>): Promise<BenchEvent[]>;
}

export function sandboxBench(options: Partial<SandboxOptions> = {}): SandboxBench {
  const clock = new FakeClock();
  const sandbox = createSandbox({ clock, seed: 1, ...options });
  const send: SandboxBench['send'] = async (line, body, headers = {}) => {
    const [method = '', path = ''] = line.split(' ', 2);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const response = await sandbox.transport.request({
      method: method as ApiRequest['method'],
      path,
      headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers['content-type']?.startsWith('application/json') === true;
    const parsed = isJson ? (parseJson(text) as JsonObject) : {};
    return { status: response.status, headers: response.headers, body: parsed, text };
  };
  const ok: SandboxBench['ok'] = async (line, body) => {
    const answer = await send(line, body);
    if (answer.status >= 300) throw new Error(`${line}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const watch: SandboxBench['watch'] = async (path, act) => {
    const separator = path.includes('?') ? '&' : '?';
    const full = `${path}${separator}watch=true&timeoutSeconds=60`;
    const response = await sandbox.transport.request({ method: 'GET', path: full, longLived: true });
    await act?.();
    clock.advance(60_000);
    const text = await response.text();
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => parseJson(line) as unknown as BenchEvent);
  };
  return { clock, sandbox, send, ok, watch };
}

export const metadataOf = (object: JsonObject): JsonObject => object['metadata'] as JsonObject;

export function configMap(name: string, more: JsonObject = {}, data: JsonObject = { k: 'v' }): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more }, data };
}

/** A CRD of group example.com, version v1, without a schema to speak of. */
export function crd(plural: string, kind: string, version: JsonObject = {}, names: JsonObject = {}): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind, ...names },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} }, ...version }],
    },
  };
}
