const NEWLINE = 0x0a;

/**
 * Splits a stream into lines without their newline; lines may be of any length. Split as bytes, so that a character
 * cut in two by the network is whole again.
 */
export class Lines {
  /** Of the line that has not ended yet. */
  #begun: Uint8Array[] = [];

  /** The lines that end in this piece of the stream, without blank ones; each is made when it is asked for. */
  *of(piece: Uint8Array): Generator<string> {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      this.#begun.push(piece.subarray(start, end));
      start = end + 1;
      const line = this.rest();
      if (line !== '') yield line;
    }
    if (start < piece.length) this.#begun.push(piece.subarray(start));
  }

  /** What has come of the line that has not ended; "" where that is blank. */
  rest(): string {
    const [first, ...more] = this.#begun;
    this.#begun = [];
    if (first === undefined) return '';
    return UTF8.decode(more.length === 0 ? first : Buffer.concat([first, ...more])).trim();
  }
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
