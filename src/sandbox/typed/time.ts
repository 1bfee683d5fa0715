// metav1.Time and MicroTime: read as RFC 3339, written in UTC with whole seconds or with six digits.

export class TimeError extends Error {
  override readonly name = 'TimeError';
}

const SECONDS = '2006-01-02T15:04:05Z07:00';
const MICROS = '2006-01-02T15:04:05.000000Z07:00';
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export function canonicalTime(given: string): string {
  const match = TIME.exec(given);
  const at = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN;
  if (!Number.isNaN(at)) return `${new Date(at).toISOString().slice(0, 19)}Z`;
  throw problem(given, SECONDS);
}

export function canonicalMicroTime(given: string): string {
  const match = TIME.exec(given);
  const at = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN;
  const fraction = match?.[2] ?? '';
  if (!Number.isNaN(at) && fraction.length === 7) return `${new Date(at).toISOString().slice(0, 19)}${fraction}Z`;
  throw problem(given, MICROS);
}

/** As Go's time.Parse complains: what it could not read, and as what. */
function problem(given: string, layout: string): TimeError {
  const seconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(given)?.[0];
  const date = /^\d{4}-\d\d-\d\d/.exec(given)?.[0];
  const [rest, wanted] =
    seconds === undefined
      ? date === undefined
        ? [given, '2006']
        : [given.slice(date.length), 'T']
      : [given.slice(seconds.length), layout === MICROS ? '.000000' : 'Z07:00'];
  return new TimeError(
    `parsing time ${JSON.stringify(given)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(wanted)}`,
  );
}
