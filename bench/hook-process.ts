// The webhook of the daemon's benchmark, in a process of its own: prints its port, answers every call with the ConfigMaps that
// the parent asks for, and on GET says how often and when it was called.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { configMap, SEED } from './project.ts';

export interface HookCount {
  readonly calls: number;
  /** Milliseconds of the epoch; 0: never. */
  readonly last: number;
}

interface Parent {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly children: number; readonly version: number };
}

let calls = 0;
let last = 0;

function answerTo({ parent: { metadata, spec } }: { readonly parent: Parent }): object {
  const seed = SEED + spec.version;
  const children = Array.from({ length: spec.children }, (_, index) => configMap(metadata, index, seed));
  return { status: { asked: spec.children, version: spec.version }, children };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return response.end(JSON.stringify({ calls, last } satisfies HookCount));
    const answer = JSON.stringify(answerTo(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
    calls++;
    last = Date.now();
    return response.end(answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
