// Connections to hooks, kept alive: a pool for each origin and each identity, so that nothing is ever sent over a
// connection that was opened as somebody else. undici is loaded with the first call.

import { getCACertificates } from 'node:tls';
import type { Dispatcher, Pool } from 'undici';
import type { WireEvent } from '../../ports/hook.ts';
import type { Identity } from './identity.ts';
import { observedConnector } from './observed-connector.ts';
import { type Dial, tunnelConnector } from './tunnel-connector.ts';

/** How a connection comes about. */
export type Way =
  | { readonly kind: 'direct' }
  /** Address of an http or https proxy; may hold a password, so it stands in no error. */
  | { readonly kind: 'proxy'; readonly address: string }
  /** `key`: equal for equal destinations. */
  | { readonly kind: 'tunnel'; readonly key: string; readonly dial: Dial };

interface Kept {
  readonly tlsKey: string;
  readonly dispatcher: Promise<Dispatcher>;
}

/** Identities beyond these are of Secrets that were replaced since, mostly. */
const KEPT = 32;

export interface PoolOptions {
  /** At once to one origin. */
  readonly connections: number;
  /** Told of connections that are opened directly, within the call that needs them. */
  readonly onWire?: ((event: WireEvent) => void) | undefined;
}

export class Pools {
  readonly #options: PoolOptions;
  /** In the order of use. */
  readonly #kept = new Map<string, Kept>();
  readonly #retired = new Set<Promise<Dispatcher>>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Whether connections were opened with these certificates before. */
  readonly knows = (tlsKey: string): boolean =>
    tlsKey === '' || [...this.#kept.values()].some((kept) => kept.tlsKey === tlsKey);

  dispatcherFor(identity: Identity, way: Way): Promise<Dispatcher> {
    const { tlsKey } = identity;
    const key = `${tlsKey} ${way.kind} ${way.kind === 'proxy' ? way.address : way.kind === 'tunnel' ? way.key : ''}`;
    const kept = this.#kept.get(key) ?? { tlsKey, dispatcher: open(identity, way, this.#options) };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size > KEPT) this.#retireOldest();
    return kept.dispatcher;
  }

  async close(): Promise<void> {
    const all = [...[...this.#kept.values()].map(({ dispatcher }) => dispatcher), ...this.#retired];
    this.#kept.clear();
    await Promise.all(all.map(async (dispatcher) => (await dispatcher).destroy()));
  }

  /** Calls that are under way end in their own time. */
  #retireOldest(): void {
    const [oldest] = this.#kept;
    if (!oldest) return;
    const [key, { dispatcher }] = oldest;
    this.#kept.delete(key);
    this.#retired.add(dispatcher);
    const closed = dispatcher.then((opened) => opened.close());
    void closed.finally(() => this.#retired.delete(dispatcher)).catch(() => undefined); // destroyed meanwhile
  }
}

/** Timeouts are ours (one over the whole exchange), so undici's own are off. */
async function open({ tls }: Identity, way: Way, { connections, onWire }: PoolOptions): Promise<Dispatcher> {
  const undici = await import('undici');
  const pool = { connections, allowH2: false, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 } as const;
  const secure = { ...tls, minVersion: 'TLSv1.2', timeout: 0 } as const;
  if (way.kind === 'direct') {
    const connect = onWire && observedConnector(undici.buildConnector({ ...secure, allowH2: false }), onWire);
    return new undici.Agent({ ...pool, connect: connect ?? secure });
  }
  if (way.kind === 'tunnel') return new undici.Agent({ ...pool, connect: tunnelConnector(way.dial, tls) });
  return new undici.ProxyAgent({
    ...pool,
    uri: way.address,
    connectTimeout: 0,
    requestTls: secure,
    // An https proxy has nothing to do with the hook's authority, and sees no client certificate.
    proxyTls: { ca: getCACertificates('default'), timeout: 0 },
    // The default one gives requests that are not tunnelled (to an http hook) none of our limits.
    factory: (origin: URL | string, options: object) =>
      new undici.Pool(origin, { ...pool, ...options } as Pool.Options),
  });
}
