// A transport before any API server that counts the watches which are open through it.

import type { ApiRequest, ApiResponse, Transport } from '../ports/transport.ts';

export class OpenWatches {
  open = 0;

  over(transport: Transport): Transport {
    return {
      request: async (request) => {
        const response = await transport.request(request);
        return request.longLived === true && response.status === 200 ? this.#counted(request, response) : response;
      },
      close: async () => undefined,
    };
  }

  #counted({ signal }: ApiRequest, response: ApiResponse): ApiResponse {
    const { body: pieces } = response;
    const one = { open: true };
    this.open++;
    const end = (): void => {
      if (one.open) this.open--;
      one.open = false;
    };
    signal?.addEventListener('abort', end, { once: true });
    const body = (async function* () {
      try {
        yield* pieces;
      } finally {
        end();
      }
    })();
    return { ...response, body };
  }
}
