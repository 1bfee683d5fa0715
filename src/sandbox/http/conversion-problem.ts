// The server's two ways from JSON to a Go value complain in different words: the decoder of texts, and the converter of
// values, which a strategic merge patch goes through. The checks are the same; this puts the one's words into the other's.

const MISMATCH = /^json: cannot unmarshal (\w+)( [\d.e+-]+)? into Go struct field \S+ of type (.+)$/;

/** How the converter names the kind of a JSON value. */
const KINDS: Readonly<Record<string, string>> = { array: 'slice', object: 'map', number: 'int64' };

/** A message of the decoder in the words of the converter; any other message as it is. */
export function conversionProblem(message: string): string {
  const [, given = '', detail = '', type = ''] = MISMATCH.exec(message) ?? [];
  if (given === '') return message;
  const kind = detail.includes('.') ? 'float64' : (KINDS[given] ?? given);
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`;
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`;
  if (type.includes('.')) return `cannot restore struct from: ${kind}`;
  const convertible = given === 'number' && type !== 'bool';
  return convertible ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${type}`;
}
