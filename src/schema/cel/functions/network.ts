// IP addresses, networks and URLs.

import type { Environment } from '@marcbachmann/cel-js';
import { isIPv4, isIPv6 } from '../../validate/addresses.ts';

class IP {
  readonly text: string;
  readonly bits: bigint;
  readonly size: 32 | 128;
  constructor(text: string) {
    const isFour = isIPv4(text);
    // An IPv4 address inside of an IPv6 one is refused: two names for one address invite mistakes.
    if (!isFour && (!isIPv6(text) || text.includes('.'))) {
      throw new Error(
        `IP Address '${text}' parse error during conversion from string: ParseAddr("${text}"): unable to parse IP`,
      );
    }
    this.text = text;
    this.size = isFour ? 32 : 128;
    this.bits = isFour ? fourBits(text) : sixBits(text);
  }
}

const fourBits = (text: string): bigint => text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);

function sixBits(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const words = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const after = tail === undefined ? [] : words(tail);
  const zeros = tail === undefined ? 0 : 8 - words(head).length - after.length;
  const all = [...words(head), ...Array<string>(zeros).fill('0'), ...after];
  return all.reduce((bits, word) => (bits << 16n) | BigInt(`0x${word}`), 0n);
}

class CIDR {
  readonly address: IP;
  readonly length: number;
  constructor(text: string) {
    const [address = '', length = '', ...rest] = text.split('/');
    const problem = `network address parse error during conversion from string: netip.ParsePrefix("${text}")`;
    if (rest.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(length)) throw new Error(problem);
    this.address = new IP(address);
    this.length = Number(length);
    if (this.length > this.address.size) throw new Error(problem);
  }

  contains(ip: IP): boolean {
    if (ip.size !== this.address.size) return false;
    const shift = BigInt(ip.size - this.length);
    return ip.bits >> shift === this.address.bits >> shift;
  }
}

const succeeds = (act: () => unknown): boolean => {
  try {
    act();
    return true;
  } catch {
    return false;
  }
};

/** Fails as a call of the wrong types does: the server's own answer to a text that is no address. */
function addressIn(text: string): IP {
  if (!succeeds(() => new IP(text))) throw new Error('no such overload');
  return new IP(text);
}

const isLocal = (ip: IP): boolean => (ip.size === 32 ? ip.bits >> 24n === 127n : ip.bits === 1n);

export function registerNetwork(environment: Environment): void {
  environment
    .registerType('IP', { ctor: IP, fields: {} })
    .registerFunction('ip(string): IP', (text: string) => new IP(text))
    .registerFunction('isIP(string): bool', (text: string) => succeeds(() => new IP(text)))
    .registerFunction('IP.family(): int', (ip: IP) => (ip.size === 32 ? 4n : 6n))
    .registerFunction('IP.isUnspecified(): bool', (ip: IP) => ip.bits === 0n)
    .registerFunction('IP.isLoopback(): bool', isLocal)
    .registerFunction('IP.isLinkLocalUnicast(): bool', (ip: IP) =>
      ip.size === 32 ? ip.bits >> 16n === 0xa9fen : ip.bits >> 118n === 0x3fan,
    )
    .registerFunction('IP.isLinkLocalMulticast(): bool', (ip: IP) =>
      ip.size === 32 ? ip.bits >> 8n === 0xe00000n : (ip.bits >> 112n) & 0xff0fn ? ip.bits >> 112n === 0xff02n : false,
    )
    .registerFunction('string(IP): string', (ip: IP) => ip.text)
    .registerOperator('IP == IP', (a: IP, b: IP) => a.size === b.size && a.bits === b.bits)
    .registerType('CIDR', { ctor: CIDR, fields: {} })
    .registerFunction('cidr(string): CIDR', (text: string) => new CIDR(text))
    .registerFunction('isCIDR(string): bool', (text: string) => succeeds(() => new CIDR(text)))
    .registerFunction('CIDR.containsIP(IP): bool', (cidr: CIDR, ip: IP) => cidr.contains(ip))
    .registerFunction('CIDR.containsIP(string): bool', (cidr: CIDR, text: string) => cidr.contains(addressIn(text)))
    .registerFunction('CIDR.containsCIDR(CIDR): bool', containsNetwork)
    .registerFunction('CIDR.containsCIDR(string): bool', (cidr: CIDR, text: string) =>
      containsNetwork(cidr, new CIDR(text)),
    )
    .registerFunction('CIDR.prefixLength(): int', (cidr: CIDR) => BigInt(cidr.length))
    .registerFunction('CIDR.ip(): IP', (cidr: CIDR) => cidr.address);
  registerUrls(environment);
}

const containsNetwork = (outer: CIDR, inner: CIDR): boolean =>
  inner.length >= outer.length && outer.contains(inner.address);

/** An absolute URL, or an absolute path. */
class URLValue {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  constructor(text: string) {
    const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):(?:\/\/([^/?#\s]*))?)?([^?#\s]*)(?:\?([^#\s]*))?(?:#\S*)?$/.exec(text);
    if (!match || (match[1] === undefined && !text.startsWith('/'))) {
      throw new Error(`URL parse error during conversion from string: parse "${text}": invalid URI for request`);
    }
    this.scheme = (match[1] ?? '').toLowerCase();
    this.host = (match[2] ?? '').replace(/^.*@/, '');
    this.path = match[3] ?? '';
    this.query = match[4] ?? '';
  }
}

function registerUrls(environment: Environment): void {
  environment
    .registerType('URL', { ctor: URLValue, fields: {} })
    .registerFunction('url(string): URL', (text: string) => new URLValue(text))
    .registerFunction('isURL(string): bool', (text: string) => succeeds(() => new URLValue(text)))
    .registerFunction('URL.getScheme(): string', (url: URLValue) => url.scheme)
    .registerFunction('URL.getHost(): string', (url: URLValue) => url.host)
    .registerFunction('URL.getHostname(): string', (url: URLValue) =>
      url.host.replace(/:\d*$/, '').replace(/^\[|\]$/g, ''),
    )
    .registerFunction('URL.getPort(): string', (url: URLValue) => /:(\d+)$/.exec(url.host)?.[1] ?? '')
    .registerFunction('URL.getEscapedPath(): string', (url: URLValue) => url.path);
}
