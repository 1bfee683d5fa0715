// An HTTP front before any API server that counts the requests by what they are: "list configmaps", "update things/status".

import { writeFile } from 'node:fs/promises';
import type { ApiRequest, Transport } from '../ports/transport.ts';
import { kubeconfigFor, serveSandbox } from '../sandbox/index.ts';

export interface CallCounter {
  /** Since the last call of take(), in the order of their names. A page of a list is a call of its own. */
  take(): Record<string, number>;
  close(): Promise<void>;
}

/** `kubeconfigFile` is written: whoever connects with it is counted. */
export async function callCounter(transport: Transport, kubeconfigFile: string): Promise<CallCounter> {
  const counts = new Map<string, number>();
  const counted: Transport = {
    request: (request) => {
      const name = callName(request);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return transport.request(request);
    },
    close: async () => undefined,
  };
  const served = await serveSandbox({ transport: counted }, { host: '127.0.0.1', port: 0 });
  await writeFile(kubeconfigFile, kubeconfigFor(served.url));
  return {
    take: () => {
      const taken = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
      counts.clear();
      return taken;
    },
    close: () => served.close(),
  };
}

const ONE: Readonly<Record<ApiRequest['method'], string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** "get /api" for what is no resource, else the Kubernetes verb, the resource and the subresource. */
function callName({ method, path }: ApiRequest): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const parts = pathname.split('/').slice(1);
  const [resource, name, subresource] = inScope(parts.slice(parts[0] === 'api' ? 2 : 3));
  if (resource === undefined || !pathname.startsWith('/api')) return `${ONE[method]} ${pathname}`;
  const target = subresource === undefined ? resource : `${resource}/${subresource}`;
  if (name !== undefined || method !== 'GET') return `${ONE[method]} ${target}`;
  return `${searchParams.get('watch') === 'true' ? 'watch' : 'list'} ${target}`;
}

const inScope = (parts: readonly string[]): readonly string[] =>
  parts[0] === 'namespaces' && parts.length > 2 ? parts.slice(2) : parts;
