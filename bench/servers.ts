// The two servers of a run of benchmarks. The real one is started when the first topic asks for it and ends with the process.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/app/index.ts';
import { connect } from '../src/cluster/index.ts';
import type { Transport } from '../src/ports/transport.ts';
import { openSandboxDirectory } from '../src/sandbox/index.ts';
import { findBinaries } from '../tools/kube/binaries.ts';
import { controlPlaneForThisRun } from '../tools/kube/for-a-run.ts';
import type { Cluster } from './metactl.ts';

export interface RealServer {
  readonly kubeconfig: string;
  readonly kubectl: string;
}

let started: Promise<RealServer | undefined> | undefined;

/** undefined: there are no binaries (`npm run kube:build`). */
export function realServer(): Promise<RealServer | undefined> {
  started ??= start();
  return started;
}

async function start(): Promise<RealServer | undefined> {
  const binaries = findBinaries(process.env);
  if ('missing' in binaries) {
    console.error(`without the real server: ${binaries.missing}`);
    return undefined;
  }
  return controlPlaneForThisRun(binaries);
}

export async function transportTo(kubeconfig: string): Promise<Transport> {
  const connection = await connect({ kubeconfig, variables: {}, clock: systemClock });
  if (!connection) throw new Error(`${kubeconfig} leads nowhere`);
  return connection.transport;
}

/** Without the program under test: to prepare, and to count what it asks. */
export async function transportOf(cluster: Cluster): Promise<Transport> {
  if ('kubeconfig' in cluster) return transportTo(cluster.kubeconfig);
  const sandbox = await openSandboxDirectory(cluster.sandboxDirectory, { clock: systemClock });
  return { request: (request) => sandbox.transport.request(request), close: () => sandbox.close() };
}

/** A directory that is gone when the process ends. */
export function temporaryDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `metactl-bench-${name}-`));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** Sends JSON and throws when it is refused. */
export async function send(
  transport: Transport,
  method: 'POST' | 'PATCH',
  { path, body, contentType = 'application/json' }: { path: string; body: object; contentType?: string },
): Promise<void> {
  const headers = { accept: 'application/json', 'content-type': contentType };
  const response = await transport.request({ method, path, headers, body: JSON.stringify(body) });
  const answer = await response.text();
  if (response.status >= 300) throw new Error(`${method} ${path}: ${answer}`);
}
