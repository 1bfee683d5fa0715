const MOST_BYTES = 128;

/** Why the server takes it for no name of a field manager; undefined: it is one. */
export function fieldManagerProblem(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (new TextEncoder().encode(name).length > MOST_BYTES) return `has more than ${MOST_BYTES} bytes`;
  return NOT_PRINTABLE.test(name) ? 'has characters that can not be printed' : undefined;
}

/** What Go does not take for printable: of the spaces only the common one is. */
const NOT_PRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
