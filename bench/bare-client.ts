// bare-client.ts WRITES.json (--kubeconfig FILE | --sandbox-dir DIR) [--concurrency N]
// What `apply` is compared with: it sends the writes of a file through the same transport, N at a time, and thinks nothing.
// A write is {method, path, body}, and a contentType where that is not plain JSON; groups are sent one after the other.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/app/index.ts';
import { connect } from '../src/cluster/index.ts';
import { mapLimited } from '../src/kit/concurrency.ts';
import type { Transport } from '../src/ports/transport.ts';
import { openSandboxDirectory } from '../src/sandbox/index.ts';

export interface BareWrite {
  readonly method: 'POST' | 'PATCH' | 'PUT';
  readonly path: string;
  readonly body: object;
  readonly contentType?: string;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    kubeconfig: { type: 'string' },
    'sandbox-dir': { type: 'string' },
    concurrency: { type: 'string', default: '16' },
  },
});
const groups = JSON.parse(readFileSync(positionals[0] ?? '', 'utf8')) as BareWrite[][];
const transport = await open();
for (const group of groups) await mapLimited(group, Number(values.concurrency), send);
await transport.close();

async function open(): Promise<Transport> {
  const directory = values['sandbox-dir'];
  if (directory !== undefined) {
    const sandbox = await openSandboxDirectory(directory, { clock: systemClock });
    return { request: (request) => sandbox.transport.request(request), close: () => sandbox.close() };
  }
  const kubeconfig = values.kubeconfig ?? '';
  const connection = await connect({ kubeconfig, variables: process.env, clock: systemClock });
  if (!connection) throw new Error(`${kubeconfig} leads nowhere`);
  return connection.transport;
}

async function send({ method, path, body, contentType = 'application/json' }: BareWrite): Promise<void> {
  const headers = { accept: 'application/json', 'content-type': contentType };
  const response = await transport.request({ method, path, headers, body: JSON.stringify(body) });
  const answer = await response.text();
  if (response.status >= 300) throw new Error(`${method} ${path}: ${answer}`);
  JSON.parse(answer);
}
