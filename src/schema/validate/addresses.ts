// IP addresses as Go's net package reads them.

/** `sloppy`: leading zeros are tolerated, as before Go 1.17. */
export function isIPv4(text: string, sloppy = false): boolean {
  const parts = text.split('.');
  return (
    parts.length === 4 &&
    parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255 && (sloppy || part === String(Number(part))))
  );
}

/** Also "::ffff:1.2.3.4"; no zone, no brackets. */
export function isIPv6(text: string): boolean {
  if (!text.includes(':')) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1)?.at(-1);
  const hasIPv4 = last?.includes('.') === true;
  if (hasIPv4 && !isIPv4(last)) return false;
  const words = groups.flat().slice(0, hasIPv4 ? -1 : undefined);
  if (!words.every((word) => /^[0-9a-fA-F]{1,4}$/.test(word))) return false;
  const count = words.length + (hasIPv4 ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}
