// Two connection pools of one identity. Calls share few connections; each watch has a connection of its own and never
// stands in the way of a call (in one bounded pool, open watches starve the calls for ever).
// HTTP/1.1 only: undici's HTTP/2 merges repeated headers and does not notice a frozen server.

import { getCACertificates } from 'node:tls';
import type { Dispatcher, Pool } from 'undici';
import type { TlsOptions } from './credentials.ts';

export interface AgentLimits {
  /** Connections of the pool for calls. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** Time to the first byte of an answer. */
  readonly headersTimeoutMs: number;
  /** Longest silence inside an answer. */
  readonly bodyTimeoutMs: number;
  /** Longest silence on a watch; bookmarks come about once a minute. */
  readonly watchInactivityMs: number;
}

export interface Agents {
  readonly tls: TlsOptions;
  readonly calls: Dispatcher;
  readonly watches: Dispatcher;
}

export interface Route {
  readonly tls: TlsOptions;
  /** http or https address of a proxy on the way; may hold a user and a password, so it stands in no error. */
  readonly proxy?: string | undefined;
}

const IDLE_MS = 30_000;

export async function openAgents({ tls, proxy }: Route, limits: AgentLimits): Promise<Agents> {
  const undici = await import('undici');
  const connect = { timeout: limits.connectTimeoutMs, keepAlive: true, keepAliveInitialDelay: IDLE_MS };
  const open = (own: Pool.Options): Dispatcher => {
    const pool = {
      allowH2: false,
      pipelining: 1,
      headersTimeout: limits.headersTimeoutMs,
      keepAliveTimeout: IDLE_MS,
      ...own,
    };
    if (proxy === undefined) return new undici.Agent({ ...pool, connect: { ...tls, ...connect } });
    return new undici.ProxyAgent({
      ...pool,
      uri: proxy,
      connectTimeout: limits.connectTimeoutMs,
      requestTls: { ...tls, ...connect },
      proxyTls: { ...connect, ...trustOfProxy(tls) },
      // The default one gives requests that are not tunnelled (to an http server) none of our limits.
      factory: (origin: URL | string, options: object) => new undici.Pool(origin, { ...pool, ...options }),
    });
  };
  return {
    tls,
    calls: open({ connections: limits.connections, bodyTimeout: limits.bodyTimeoutMs }),
    watches: open({ bodyTimeout: limits.watchInactivityMs }),
  };
}

/** An https proxy may be vouched for by the cluster's authority, as with kubectl, or by a public one. No client certificate for it. */
function trustOfProxy({
  ca,
  rejectUnauthorized,
}: TlsOptions): Pick<TlsOptions, 'rejectUnauthorized'> & { ca: (string | Buffer)[] } {
  return {
    ca: [...getCACertificates('default'), ...(ca ? [ca] : [])],
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
  };
}
