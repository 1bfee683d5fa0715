// Text that a hook wrote (a response body, stderr, console.log) on its way to a terminal or a CI log: cut to size, and
// without control characters, so that it can neither flood the log nor move the cursor.

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Line breaks and tabs stay; carriage returns and every other control character go. */
export function stripControls(text: string): string {
  return text.replaceAll(CONTROL, '');
}

/** The beginning of a text: at most so many characters and lines, trimmed, with an ellipsis where something was cut. */
export function excerptStart(text: string, limits = { characters: 600, lines: 12 }): string {
  const clean = stripControls(text).trim();
  const lines = clean.slice(0, limits.characters).split('\n').slice(0, limits.lines).join('\n');
  return lines.length < clean.length ? `${lines.trimEnd()} …` : lines;
}

/** The last lines of a text, which is where programs say why they failed. */
export function excerptEnd(text: string, limits = { characters: 3000, lines: 20 }): string {
  const clean = stripControls(text).trim();
  const lines = clean.slice(-limits.characters).split('\n').slice(-limits.lines).join('\n');
  return lines.length < clean.length ? `…\n${lines}` : lines;
}

/** Cuts a stream of chunks into lines. `end` gives what is left when the stream is over. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  #rest = '';

  push(chunk: Uint8Array | string): string[] {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true });
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }

  end(): string[] {
    const last = this.#rest + this.#decoder.decode();
    this.#rest = '';
    return last === '' ? [] : [last];
  }
}
