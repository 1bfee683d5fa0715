// Who holds the lease, as the server sees it, and who writes all the same. Events aside: nobody acts on them.

import type { Transport } from '../ports/transport.ts';

export class Fencing {
  /** The replica whose write of the lease was carried out last. */
  leader: number | undefined;
  /** "0: PUT /api/v1/…": of a replica that was not the leader when it came. */
  readonly violations: string[] = [];

  over(transport: Transport, replica: number): Transport {
    return {
      request: async (request) => {
        const { method, path, body = '{}' } = request;
        const isLease = path.includes('/leases');
        if (method !== 'GET' && !isLease && !/\/events|[?&]dryRun=/.test(path) && this.leader !== replica)
          this.violations.push(`${replica}: ${method} ${path}`);
        const response = await transport.request(request);
        if (method === 'GET' || !isLease || response.status >= 300) return response;
        const { spec } = JSON.parse(body) as { spec?: { holderIdentity?: string } };
        if (spec?.holderIdentity) this.leader = replica;
        return response;
      },
      close: async () => undefined,
    };
  }
}
