// The same tests on both servers: the sandbox always, the real API server where the run has one, else skipped with the reason.
// METACTL_TEST_TARGET=sandbox or =real chooses one of them; the other is then not part of the run.
// Tests share a server with everybody else's: each takes a namespace of its own, and none deletes one (on the real server
// that takes five seconds, and controllers go on writing there meanwhile).

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { connect } from '../cluster/index.ts';
import type { ApiResponse, Transport } from '../ports/transport.ts';
import type { SandboxOptions } from '../sandbox/index.ts';
import { realClock } from './real-clock.ts';
import { findRealServer } from './real-server.ts';

export interface TestTarget {
  readonly kind: 'sandbox' | 'real';
  /** For requests in this process. Usable in tests and hooks, not while they are registered. */
  readonly transport: Transport;
  /** The same server over HTTP, for whatever reads a kubeconfig: use cases, the command line, kubectl. */
  readonly choice: { readonly kubeconfig: string };
  /** Owner references are collected and workloads acted on. */
  readonly controllers: boolean;
  /** Creates a namespace that nobody else has and returns its name. */
  namespace(): Promise<string>;
}

/**
 * Registers a suite `name [sandbox]` and a suite `name [real]`. `define` registers tests, and may use before() and the like.
 * `sandbox`: what is special of the sandbox.
 */
export function forEachTarget(
  name: string,
  define: (target: TestTarget) => void,
  { sandbox = {} }: { readonly sandbox?: Partial<SandboxOptions> } = {},
): void {
  const chosen = process.env['METACTL_TEST_TARGET'];
  if (chosen !== 'real') describe(`${name} [sandbox]`, () => define(sandboxTarget(sandbox)));
  if (chosen === 'sandbox') return;
  const server = findRealServer(process.env);
  if (server.available) describe(`${name} [real]`, () => define(realTarget(server)));
  else describe(`${name} [real]`, { skip: server.reason }, () => {});
}

/** Called inside describe(): registers the start and the end of the server. */
function sandboxTarget(options: Partial<SandboxOptions>): TestTarget {
  const directory = mkdtempSync(join(tmpdir(), 'metactl-sandbox-'));
  const kubeconfig = join(directory, 'kubeconfig');
  after(() => rmSync(directory, { recursive: true, force: true }));
  const open = async (): Promise<Transport> => {
    const { createSandbox, kubeconfigFor, serveSandbox } = await import('../sandbox/index.ts');
    const sandbox = createSandbox({ clock: realClock, ...options });
    const server = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
    writeFileSync(kubeconfig, kubeconfigFor(server.url));
    return {
      request: (request) => sandbox.transport.request(request),
      close: async () => {
        await server.close();
        await sandbox.close();
      },
    };
  };
  const transport = suiteTransport(open);
  const choice = { kubeconfig };
  const controllers = options.controllers ?? true;
  return { kind: 'sandbox', transport, choice, controllers, namespace: () => createNamespace(transport) };
}

function realTarget(server: { readonly kubeconfig: string; readonly controllers: boolean }): TestTarget {
  const { kubeconfig, controllers } = server;
  const transport = suiteTransport(async () => {
    const connection = await connect({ kubeconfig, variables: {}, clock: realClock });
    if (!connection) throw new Error(`${kubeconfig} leads nowhere`);
    return connection.transport;
  });
  return { kind: 'real', transport, choice: { kubeconfig }, controllers, namespace: () => createNamespace(transport) };
}

/** A transport that lives as long as the suite being registered. */
function suiteTransport(open: () => Promise<Transport>): Transport {
  let opened: Transport | undefined;
  before(async () => {
    opened = await open();
  });
  after(() => opened?.close());
  const current = (): Transport => {
    if (!opened) throw new Error('the transport of a target was used outside its tests');
    return opened;
  };
  return {
    request: async (request): Promise<ApiResponse> => current().request(request),
    close: async () => undefined, // the suite closes it, not whoever was handed it
  };
}

export async function createNamespace(transport: Transport): Promise<string> {
  const name = `test-${randomBytes(5).toString('hex')}`;
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
