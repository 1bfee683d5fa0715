import type { Duplex } from 'node:stream';
import type { ObjectName } from '../model/webhook.ts';

/** Connections to pods through the API server, for those who can't reach the cluster's network. */
export interface Tunnels {
  /**
   * A connection to a port of a pod, as of TCP; destroy it when done. Throws ConnectionError when there is none to be had,
   * or the signal's reason.
   */
  open(pod: ObjectName, port: number, signal: AbortSignal): Promise<Duplex>;
}
