// Uids and name suffixes from a seeded generator, so that two runs with one seed make the same objects.

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export interface RandomSource {
  /** A version 4 UUID. */
  uid(): string;
  /** Five characters, as the server appends to generateName. */
  suffix(): string;
}

/** splitmix32: small, and good enough where nothing secret depends on it. */
export function seededRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  const hex = (): string => next().toString(16).padStart(8, '0');
  return {
    uid() {
      const digits = hex() + hex() + hex() + hex();
      const variant = '89ab'[Number.parseInt(digits[16] ?? '0', 16) & 3];
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
    },
    suffix: () => Array.from({ length: 5 }, () => ALPHABET[next() % ALPHABET.length]).join(''),
  };
}
