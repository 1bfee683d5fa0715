// Warning headers (RFC 7234 §5.5) as the API server sends them: 299 - "unknown field \"spec.x\"", several joined by ", ".

const WARNING = /\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g;

/** The texts of a Warning header, in order; empty when there is none or it can't be read. */
export function warningTexts(header: string | undefined): string[] {
  if (header === undefined) return [];
  return [...header.matchAll(WARNING)].map((match) => (match[1] as string).replace(/\\(.)/g, '$1'));
}
