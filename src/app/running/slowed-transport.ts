import { type Clock, sleep } from '../../kit/clock.ts';
import { type BucketOptions, TokenBucket } from '../../kit/token-bucket.ts';
import type { ApiRequest, Transport } from '../../ports/transport.ts';

/** As client-go's limiter: a burst, and then a rate. Watches wait for their turn once, when they are opened. */
export function slowedTransport(
  transport: Transport,
  limits: BucketOptions,
  { clock, onWait }: { readonly clock: Clock; readonly onWait: (request: ApiRequest, ms: number) => void },
): Transport {
  const bucket = new TokenBucket(clock, limits);
  return {
    request: async (request) => {
      const waitMs = bucket.take();
      onWait(request, waitMs);
      if (waitMs > 0) await sleep(clock, waitMs, request.signal);
      return transport.request(request);
    },
    close: () => transport.close(),
  };
}
