// IP addresses and ranges, as far as the kinds ask for them.

import { isIP } from 'node:net';
import type { Report } from './report.ts';

export const IP_PROBLEM = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** Fields that are older than the strict reading of addresses: leading zeros are let through. */
export const isAddress = (text: string): boolean =>
  isIP(text) !== 0 || (/^(\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split('.').every((part) => Number(part) < 256));

export function checkAddress(report: Report, path: string, address: string): void {
  if (!isAddress(address)) report.invalid(path, address, IP_PROBLEM);
}

export interface Range {
  readonly bits: bigint;
  readonly length: number;
  readonly family: 4 | 6;
}

/** undefined when the text is no range. */
export function parseRange(text: string): Range | undefined {
  const [address = '', length = '', ...rest] = text.split('/');
  const family = isIP(address);
  if (rest.length > 0 || !/^\d{1,3}$/.test(length) || (family !== 4 && family !== 6)) return undefined;
  const total = family === 4 ? 32 : 128;
  if (Number(length) > total) return undefined;
  return { bits: addressBits(address), length: Number(length), family };
}

/** Is the second range a part of the first, and smaller? */
export function isStrictPart(whole: Range, part: Range): boolean {
  if (whole.family !== part.family || part.length <= whole.length) return false;
  const total = whole.family === 4 ? 32 : 128;
  const shift = BigInt(total - whole.length);
  return whole.bits >> shift === part.bits >> shift;
}

export function isInRange(range: Range, address: string): boolean {
  const family = isIP(address);
  if (family !== range.family) return false;
  const shift = BigInt((family === 4 ? 32 : 128) - range.length);
  return addressBits(address) >> shift === range.bits >> shift;
}

function addressBits(address: string): bigint {
  if (isIP(address) === 4) return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(Number(part)), 0n);
  const [head = '', tail] = address.split('::');
  const words = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const front = words(head);
  const back = tail === undefined ? [] : words(tail);
  const middle = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return [...front, ...middle, ...back].reduce((bits, word) => (bits << 16n) | BigInt(Number.parseInt(word, 16)), 0n);
}

/** Addresses that nobody else can reach. */
export function specialAddressProblem(address: string): string | undefined {
  if (address === '0.0.0.0' || address === '::') return `may not be unspecified (${address})`;
  if (/^127\./.test(address) || address === '::1') return 'may not be in the loopback range (127.0.0.0/8, ::1/128)';
  if (/^169\.254\./.test(address) || /^fe[89ab]/i.test(address))
    return 'may not be in the link-local range (169.254.0.0/16, fe80::/10)';
  if (/^224\.0\.0\./.test(address) || /^ff02:/i.test(address))
    return 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)';
  return undefined;
}
