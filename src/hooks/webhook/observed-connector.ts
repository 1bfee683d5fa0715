// Tells what becomes of the connections that undici opens: names looked up, handshakes begun and ended. A connection is
// opened in the course of the call that needs it first, and what is told of it is told within that call (AsyncResource),
// whoever uses the connection later. An address is not looked up, as in Go.

import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import type { WireEvent } from '../../ports/hook.ts';

export function observedConnector(
  connector: buildConnector.connector,
  onWire: (event: WireEvent) => void,
): buildConnector.connector {
  return (options, callback) => {
    const tell = AsyncResource.bind(onWire);
    const isName = isIP(options.hostname.replace(/^\[|\]$/g, '')) === 0;
    if (isName) tell('dns_start');
    // Its type does not say so, but it returns the socket at once, and without it there is no telling when what happens.
    const socket: unknown = connector(options, callback);
    if (!(socket instanceof EventEmitter)) return;
    if (isName) socket.once('lookup', () => tell('dns_done'));
    if (options.protocol !== 'https:') return;
    socket.once('connect', () => tell('tls_handshake_start'));
    socket.once('secureConnect', () => tell('tls_handshake_done'));
  };
}
