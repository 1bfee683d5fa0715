// Two connection pools of one identity. Calls share few connections; each watch has a connection of its own and never
// stands in the way of a call (in one bounded pool, open watches starve the calls for ever).
// HTTP/1.1 only: undici's HTTP/2 merges repeated headers and does not notice a frozen server.

import type { Agent } from 'undici';
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
  readonly calls: Agent;
  readonly watches: Agent;
}

const IDLE_MS = 30_000;

export async function openAgents(tls: TlsOptions, limits: AgentLimits): Promise<Agents> {
  const undici = await import('undici');
  const shared = {
    allowH2: false,
    pipelining: 1,
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: IDLE_MS,
    connect: { ...tls, timeout: limits.connectTimeoutMs, keepAlive: true, keepAliveInitialDelay: IDLE_MS },
  };
  return {
    tls,
    calls: new undici.Agent({ ...shared, connections: limits.connections, bodyTimeout: limits.bodyTimeoutMs }),
    watches: new undici.Agent({ ...shared, bodyTimeout: limits.watchInactivityMs }),
  };
}
