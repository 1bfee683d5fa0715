// The hooks of a world of examples (examples-world.ts) as webhooks of this process, which may be down: the connection is broken,
// or answered with 503.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DaemonOptions } from '../app/index.ts';
import type { ExamplesWorld } from './examples-world.ts';

export interface ExampleHooks {
  /** In the place of the modules. */
  readonly overrides: NonNullable<DaemonOptions['hookOverrides']>;
  state: 'up' | 'broken' | 'unavailable';
  /** Calls while it was not up. */
  readonly missed: () => number;
  close(): Promise<void>;
}

type Hook = (request: unknown) => unknown;

const CONTROLLERS = {
  'catset-controller': { directory: 'catset', file: 'sync.js', hooks: ['sync', 'finalize'] },
  'configmap-propagation-controller': { directory: 'propagation', file: 'sync.ts', hooks: ['sync', 'customize'] },
} as const;

export async function serveExampleHooks({ directories }: Pick<ExamplesWorld, 'directories'>): Promise<ExampleHooks> {
  const functions = new Map<string, Hook>();
  for (const [name, { directory, file, hooks }] of Object.entries(CONTROLLERS)) {
    const path = join(directories[directory], file);
    const module = (await import(pathToFileURL(path).href)) as Record<string, Hook>;
    for (const hook of hooks) functions.set(`/${name}/${hook}`, module[hook] ?? (() => ({})));
  }
  let missed = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (hooks.state !== 'up') missed++;
    if (hooks.state === 'broken') return request.socket.destroy();
    if (hooks.state === 'unavailable') return response.writeHead(503, { 'retry-after': '1' }).end();
    const answer = functions.get(request.url ?? '')?.(JSON.parse(Buffer.concat(chunks).toString()));
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const overrides = Object.entries(CONTROLLERS).flatMap(([controller, of]) =>
    of.hooks.map((hook) => ({
      of: { kind: 'hook', controller, hook } as const,
      to: { kind: 'url', url: `${origin}/${controller}/${hook}` } as const,
    })),
  );
  const hooks: ExampleHooks = {
    overrides,
    state: 'up',
    missed: () => missed,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return hooks;
}
