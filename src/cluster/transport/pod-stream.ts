// One TCP connection to a port of a pod, carried by a WebSocket to the API server, in the form that kubelets speak as
// v4.channel.k8s.io: binary messages whose first byte is a channel. Channel 0 is the data, 1 is what went wrong; the first
// message of each says the port in two bytes. One WebSocket is one connection: the form has no way to end only a channel.

import { Duplex } from 'node:stream';
import type { WebSocket } from 'undici';

export const POD_STREAM_PROTOCOL = 'v4.channel.k8s.io';

const DATA = 0;
const PORT_BYTES = 2;
/** Servers read a message as a whole. */
const LARGEST_MESSAGE = 64 * 1024;

export class PodStream extends Duplex {
  readonly #socket: WebSocket;
  /** Channels whose first message has come. */
  readonly #begun = new Set<number>();
  #said = '';

  /** `socket`: open, with binaryType arraybuffer. */
  constructor(socket: WebSocket) {
    super();
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(data));
    socket.addEventListener('close', () => this.#ended());
    socket.addEventListener('error', () => this.#ended());
  }

  /** What comes can't be held back: a WebSocket has no way to say so. */
  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    try {
      for (let at = 0; at < chunk.length; at += LARGEST_MESSAGE)
        this.#socket.send(Buffer.concat([Buffer.of(DATA), chunk.subarray(at, at + LARGEST_MESSAGE)]));
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _final(done: () => void): void {
    this.#socket.close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.close();
    done(error);
  }

  #take(data: unknown): void {
    if (!(data instanceof ArrayBuffer) || data.byteLength === 0 || this.destroyed) return;
    const [channel = 0] = new Uint8Array(data, 0, 1);
    let content = Buffer.from(data, 1);
    if (!this.#begun.has(channel)) {
      this.#begun.add(channel);
      content = content.subarray(PORT_BYTES);
    }
    if (content.length === 0) return;
    if (channel === DATA) this.push(content);
    else this.#said += content.toString('utf8').slice(0, 1_000);
  }

  #ended(): void {
    if (this.destroyed) return;
    if (this.#said === '') this.push(null);
    else this.destroy(new Error(`the pod's node says: ${this.#said.trim()}`));
  }
}
