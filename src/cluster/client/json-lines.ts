const NEWLINE = 0x0a;

/**
 * Splits a stream into lines without their newline; lines may be of any length. Split as bytes, so that a character
 * cut in two by the network is whole again. `onRest` gets what stood after the last newline, if that is not blank.
 */
export async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  onRest: (rest: string) => void,
): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end));
      const line = textOf(pieces);
      pieces = [];
      start = end + 1;
      if (line !== '') yield line;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  const rest = textOf(pieces);
  if (rest !== '') onRest(rest);
}

function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8').trim();
}
