// Lets undici speak HTTP(S) over a connection that is no socket of ours: a stream through the API server to a pod.

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as startTls } from 'node:tls';
import type { buildConnector } from 'undici';
import type { TlsIdentity } from './identity.ts';

/** Opens a connection to the destination. */
export type Dial = () => Promise<Duplex>;

export function tunnelConnector(dial: Dial, tls: TlsIdentity): buildConnector.connector {
  return (options, callback) => {
    connect(dial, tls, options).then(
      (stream) => callback(null, stream),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/** undici asks of a socket what every Duplex has, and calls the rest only where it is there. */
async function connect(dial: Dial, tls: TlsIdentity, { protocol, hostname }: buildConnector.Options): Promise<Socket> {
  const stream = await dial();
  if (protocol !== 'https:') return stream as unknown as Socket;
  return new Promise((resolve, reject) => {
    const options = { ...tls, socket: stream, servername: hostname, minVersion: 'TLSv1.2' } as const;
    const secured = startTls({ ...options, ALPNProtocols: ['http/1.1'] });
    secured.once('secureConnect', () => {
      secured.off('error', reject);
      resolve(secured);
    });
    secured.once('error', reject);
  });
}
