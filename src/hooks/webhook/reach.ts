// Sends one request to a hook, whichever way leads there: directly, by a proxy of the environment, or through the API
// server to a Service of its cluster.

import type { Clock } from '../../kit/clock.ts';
import type { WebhookHook } from '../../model/definition.ts';
import type { ObjectName } from '../../model/webhook.ts';
import { ConnectionError } from '../../ports/errors.ts';
import type { WireEvent } from '../../ports/hook.ts';
import { exchange } from '../../wire/index.ts';
import type { HookCluster } from '../cluster-access.ts';
import { abortable } from '../deadline.ts';
import type { Identity } from './identity.ts';
import { Pools, type Way } from './pools.ts';
import { goesByProxy, namedService, podsBehind, proxyPath, serviceExists } from './service-route.ts';

export interface Outgoing {
  readonly hook: WebhookHook;
  readonly url: URL;
  readonly identity: Identity;
  /** Lower-case names; without authorization. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  /** "" where nothing came with the number. */
  readonly statusText: string;
  /** Lower-case names. */
  readonly header: (name: string) => string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** The API server stood between: it may be the one that answers. */
  readonly byService?: ObjectName;
}

export interface ReachOptions {
  readonly cluster: HookCluster | undefined;
  readonly clock: Pick<Clock, 'steady'>;
  /** The proxy that the environment names for a url. */
  readonly proxyOf: (url: URL) => string | undefined;
  readonly connections: number;
  readonly onWire?: ((event: WireEvent) => void) | undefined;
}

/** Whether a Service of a name exists is looked at again after this. */
const KNOWN_FOR_MS = 30_000;
const DIAL_TIMEOUT_MS = 15_000;
const PODS_TRIED = 3;

export class Reach {
  readonly #options: ReachOptions;
  readonly #pools: Pools;
  readonly #services = new Map<string, { readonly exists: Promise<boolean>; readonly at: number }>();
  readonly #closed = new AbortController();

  constructor(options: ReachOptions) {
    this.#options = options;
    this.#pools = new Pools(options);
  }

  get knows(): (tlsKey: string) => boolean {
    return this.#pools.knows;
  }

  async send(outgoing: Outgoing): Promise<Reply> {
    const { cluster } = this.#options;
    // A read of the cluster goes on, whether or not anybody still waits for it.
    const service = cluster?.outside && (await abortable(this.#serviceOf(outgoing, cluster), outgoing.signal));
    const authorization = outgoing.identity.authorization ?? basicOf(outgoing.url);
    if (service === undefined) return this.#overPool(outgoing, authorization, this.#way(outgoing.url));
    if (goesByProxy(outgoing.url, outgoing.hook, authorization)) return this.#byServiceProxy(outgoing, service);
    return this.#overPool(outgoing, authorization, this.#tunnel(outgoing.url, service));
  }

  close(): Promise<void> {
    this.#closed.abort(new Error('the hooks were closed'));
    return this.#pools.close();
  }

  /** undefined: it is called by its name. */
  async #serviceOf({ hook, url }: Outgoing, cluster: HookCluster): Promise<ObjectName | undefined> {
    const named = namedService(hook, url);
    if (!named) return undefined;
    return named.certain || (await this.#exists(named.service, cluster)) ? named.service : undefined;
  }

  #exists(service: ObjectName, { reader }: HookCluster): Promise<boolean> {
    const key = `${service.namespace}/${service.name}`;
    const now = this.#options.clock.steady();
    const known = this.#services.get(key);
    if (known && now - known.at < KNOWN_FOR_MS) return known.exists;
    const exists = serviceExists(service, reader);
    this.#services.set(key, { exists, at: now });
    exists.catch(() => this.#services.delete(key));
    return exists;
  }

  #way(url: URL): Way {
    const address = this.#options.proxyOf(url);
    return address === undefined ? { kind: 'direct' } : { kind: 'proxy', address };
  }

  #tunnel(url: URL, service: ObjectName): Way {
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const key = `${service.namespace}/${service.name}:${port}`;
    return { kind: 'tunnel', key, dial: () => this.#dial(service, port) };
  }

  async #dial(service: ObjectName, port: number) {
    const { cluster } = this.#options;
    if (!cluster?.outside) throw new TypeError('a tunnel without a cluster');
    const pods = await podsBehind(service, port, cluster.reader);
    let failed: unknown;
    for (const { pod, port: podPort } of pods.slice(0, PODS_TRIED)) {
      const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(DIAL_TIMEOUT_MS)]);
      try {
        return await cluster.outside.tunnels.open(pod, podPort, signal);
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        failed ??= error;
      }
    }
    throw failed;
  }

  async #overPool(outgoing: Outgoing, authorization: string | undefined, way: Way): Promise<Reply> {
    const { url, identity, headers, body, signal } = outgoing;
    const dispatcher = await this.#pools.dispatcherFor(identity, way);
    signal.throwIfAborted();
    const sent = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: authorization === undefined ? headers : { ...headers, authorization },
      body,
    } as const;
    const response = await exchange(dispatcher, sent, { signal });
    return {
      status: response.statusCode,
      statusText: response.statusText,
      header: (name) => {
        const value = response.headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      body: response.body,
    };
  }

  async #byServiceProxy({ url, headers, body, signal }: Outgoing, service: ObjectName): Promise<Reply> {
    const { outside } = this.#options.cluster ?? {};
    if (!outside) throw new TypeError('a service proxy without a cluster');
    const path = proxyPath(service, url);
    const response = await outside.transport.request({ method: 'POST', path, headers, body, signal });
    return {
      status: response.status,
      statusText: '',
      header: (name) => response.headers[name],
      body: response.body,
      byService: service,
    };
  }
}

/** As Go's client does: user and password in the url become a header. */
function basicOf(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
