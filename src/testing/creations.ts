// What was created of the children of a world of examples (examples-world.ts), counted before any server.

import type { KubeObject } from '../model/object.ts';
import type { Transport } from '../ports/transport.ts';

/** What was created of the children that worlds know, whether the answer arrived or not: "pods web-0", "configmaps a/settings". */
export class Creations {
  readonly #counts = new Map<string, number>();

  over(transport: Transport): Transport {
    return {
      request: async (request) => {
        const response = await transport.request(request);
        const [, namespace = '', resource] =
          /^\/api\/v1\/namespaces\/([^/]+)\/(pods|configmaps)(?:\?|$)/.exec(request.path) ?? [];
        if (request.method !== 'POST' || response.status >= 300 || !resource) return response;
        const { metadata } = JSON.parse(request.body ?? '{}') as KubeObject;
        const place = /-([abc])$/.exec(namespace)?.[1];
        const child = `${resource} ${place === undefined ? '' : `${place}/`}${metadata.name}`;
        this.#counts.set(child, (this.#counts.get(child) ?? 0) + 1);
        return response;
      },
      close: async () => undefined,
    };
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

/** For assert.deepEqual. */
export const inOrder = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
