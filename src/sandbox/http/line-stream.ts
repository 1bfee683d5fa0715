// The body of a watch: text that is pushed in and read out as bytes, until either side ends it.

export class LineStream implements AsyncIterable<Uint8Array> {
  #chunks: string[] = [];
  #ended = false;
  #failure: unknown;
  #wake: (() => void) | undefined;
  readonly #onEnd: (() => void)[] = [];

  get ended(): boolean {
    return this.#ended;
  }

  push(text: string): void {
    if (this.#ended) return;
    this.#chunks.push(text);
    this.#wake?.();
  }

  /** What has been pushed is still read. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const callback of this.#onEnd) callback();
    this.#wake?.();
  }

  /** The reader gets the reason as an error. */
  abort(reason: unknown): void {
    if (!this.#ended) this.#failure = { reason };
    this.#chunks = [];
    this.end();
  }

  onEnd(callback: () => void): void {
    if (this.#ended) callback();
    else this.#onEnd.push(callback);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (this.#chunks.length > 0) {
          const text = this.#chunks.join('');
          this.#chunks = [];
          yield Buffer.from(text);
        } else if (this.#failure) throw (this.#failure as { reason: unknown }).reason;
        else if (this.#ended) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.end();
    }
  }
}
