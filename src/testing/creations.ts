// What was created of the children of a world of examples (examples-world.ts), counted before any server.

import type { KubeObject } from '../model/object.ts';
import type { ApiRequest, Transport } from '../ports/transport.ts';

/** What was created of the children that worlds know, whether the answer arrived or not: "pods web-0", "configmaps a/settings". */
export class Creations {
  readonly #counts = new Map<string, number>();
  /** "POST pods web-0 201", in the order of the answers; DELETE too: for the message of a test that fails. */
  readonly log: string[] = [];

  over(transport: Transport): Transport {
    return {
      request: async (request) => {
        const response = await transport.request(request);
        const child = childIn(request);
        if (child === undefined) return response;
        this.log.push(`${request.method} ${child} ${response.status}`);
        if (request.method === 'POST' && response.status < 300)
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

/** Of a create or a delete that is carried out. */
function childIn({ method, path, body }: ApiRequest): string | undefined {
  const [, namespace = '', resource, inPath] =
    /^\/api\/v1\/namespaces\/([^/]+)\/(pods|configmaps)(?:\/([^/?]+))?(?:\?|$)/.exec(path) ?? [];
  if (resource === undefined || (method !== 'POST' && method !== 'DELETE') || /[?&]dryRun=/.test(path))
    return undefined;
  const name = inPath ?? (JSON.parse(body ?? '{}') as KubeObject).metadata.name;
  const place = /-([abc])$/.exec(namespace)?.[1];
  return `${resource} ${place === undefined ? '' : `${place}/`}${name}`;
}

/** For assert.deepEqual. */
export const inOrder = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
