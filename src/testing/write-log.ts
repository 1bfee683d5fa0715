// Writes as a test can expect them, on any server: "POST parts a", "PUT controllerrevisions 2", "PUT things one status".
// Revisions are numbered in the order in which they are met first, as their names hold the parent's UID. Dry runs are noted
// apart.

import type { ApiRequest, Transport } from '../ports/transport.ts';

export class WriteLog {
  readonly #lines: string[] = [];
  readonly #revisions: string[] = [];
  #taken = 0;
  readonly #dryRuns: string[] = [];

  /** A transport that notes what goes through it and is carried out. */
  over(transport: Transport): Transport {
    return {
      request: async (request) => {
        const response = await transport.request(request);
        if (request.method === 'GET' || response.status >= 300) return response;
        if (/[?&]dryRun=/.test(request.path)) this.#dryRuns.push(this.#lineOf(request));
        else this.#lines.push(this.#lineOf(request));
        return response;
      },
      close: async () => undefined,
    };
  }

  /** Since the last time; custom resource definitions aside. */
  take(): string[] {
    const fresh = this.#lines.slice(this.#taken);
    this.#taken = this.#lines.length;
    return fresh.filter((line) => !line.includes('customresourcedefinitions'));
  }

  /** Since the last time. */
  takeDryRuns(): string[] {
    return this.#dryRuns.splice(0);
  }

  #lineOf({ method, path, body }: ApiRequest): string {
    const { pathname } = new URL(path, 'http://localhost');
    const parts = pathname.split('/').slice(1);
    const inGroup = parts.slice(parts[0] === 'api' ? 2 : 3);
    const [resource, inPath, subresource] =
      inGroup[0] === 'namespaces' && inGroup.length > 2 ? inGroup.slice(2) : inGroup;
    const name = inPath ?? (JSON.parse(body ?? '{}') as { metadata?: { name?: string } }).metadata?.name;
    return [method, resource, this.#short(name), subresource].filter((part) => part !== undefined).join(' ');
  }

  #short(name: string | undefined): string | undefined {
    if (name === undefined || !/-[0-9a-f]{40}$/.test(name)) return name;
    if (!this.#revisions.includes(name)) this.#revisions.push(name);
    return String(this.#revisions.indexOf(name) + 1);
  }
}
