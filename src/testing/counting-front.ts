// An HTTP front before any API server that counts the writes that went through, and tells at which one to act: the answer
// of that write is held back until `onWrite` has returned, as if the client had died just before it arrived.

import { writeFile } from 'node:fs/promises';
import type { ApiRequest, Transport } from '../ports/transport.ts';
import { kubeconfigFor, serveSandbox } from '../sandbox/index.ts';

export interface CountingFront {
  /** Writes that the server has carried out so far. */
  readonly writes: () => number;
  /** "POST /api/v1/…/pods", in order. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

/** A dry run writes nothing. */
const isWrite = ({ method, path }: ApiRequest): boolean => method !== 'GET' && !/[?&]dryRun=/.test(path);

export async function countingFront(
  transport: Transport,
  kubeconfigFile: string,
  onWrite: (count: number) => Promise<void> | void,
): Promise<CountingFront> {
  const log: string[] = [];
  const counted: Transport = {
    async request(request) {
      if (!isWrite(request)) return transport.request(request);
      // Who dies does not take back what he has sent: it is carried out, and counts.
      const { signal: _signal, ...sent } = request;
      const response = await transport.request(sent);
      if (response.status >= 300) return response;
      log.push(`${request.method} ${request.path.replace(/\?.*/, '')}`);
      await onWrite(log.length);
      return response;
    },
    close: async () => undefined,
  };
  const served = await serveSandbox({ transport: counted }, { host: '127.0.0.1', port: 0 });
  await writeFile(kubeconfigFile, kubeconfigFor(served.url));
  return { writes: () => log.length, log, close: () => served.close() };
}
