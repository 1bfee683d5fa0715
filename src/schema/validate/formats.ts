// The string formats that the API server checks; every other format says nothing. Names are compared without dashes.

import { isIPv4, isIPv6 } from './addresses.ts';

type Check = (text: string) => boolean;
const matching =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const uuid = (version: string, variant = '[0-9a-f]'): Check =>
  matching(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'));

const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
const CREDIT_CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;
const COLOR_PART = '\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*';

const CHECKS: Readonly<Record<string, Check>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  uri: isRequestUri,
  email: isEmail,
  hostname: (text) => HOSTNAME.test(text) && text.length <= 255 && text.split('.').every((part) => part.length <= 63),
  ipv4: (text) => (isIPv4(text, true) || isIPv6(text)) && text.includes('.'),
  ipv6: isIPv6,
  cidr: isCidr,
  mac: isMac,
  uuid: uuid('[0-9a-f]'),
  uuid3: uuid('3'),
  uuid4: uuid('4', '[89ab]'),
  uuid5: uuid('5', '[89ab]'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matching(new RegExp(`^rgb\\(${COLOR_PART},${COLOR_PART},${COLOR_PART}\\)$`)),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && new RegExp(`^${LABEL}$`).test(text),
  k8slongname: (text) => text.length <= 253 && new RegExp(`^${LABEL}(?:\\.${LABEL})*$`).test(text),
};

/** The check of a string format, or undefined where the server has none. */
export function formatCheck(format: string): Check | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
}

/** As url.ParseRequestURI: absolute, or an absolute path. */
function isRequestUri(text: string): boolean {
  if (text === '' || /[\u0000-\u0020\u007f]/.test(text.replaceAll(' ', '')) || /%(?![0-9a-fA-F]{2})/.test(text))
    return false;
  if (text.startsWith('/')) return true;
  const match = /^[a-zA-Z][a-zA-Z0-9+.-]*:(.*)$/.exec(text);
  if (!match) return false;
  const rest = match[1] ?? '';
  if (!rest.startsWith('//')) return true;
  const authority = rest.slice(2).split(/[/?]/, 1)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return !/[ <>"^`{|}\\]/.test(host) && /^(?:\[[^\]]*\]|[^:[\]]*)(?::\d*)?$/.test(host);
}

/** "a@b.c" or "Name <a@b.c>", as net/mail reads it in its usual cases. */
function isEmail(text: string): boolean {
  const address = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.trim();
  const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]+";
  return new RegExp(`^(?:${atom}(?:\\.${atom})*|"[^"]+")@(?:${atom}(?:\\.${atom})*|\\[[^\\]]+\\])$`, 'u').test(address);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d+$/.test(bits)) return false;
  return isIPv4(address, true) ? Number(bits) <= 32 : isIPv6(address) && Number(bits) <= 128;
}

function isMac(text: string): boolean {
  const octets = '(?:[0-9a-fA-F]{2}SEP){5}(?:(?:[0-9a-fA-F]{2}SEP){2}(?:(?:[0-9a-fA-F]{2}SEP){12})?)?[0-9a-fA-F]{2}';
  if (/^(?:[0-9a-fA-F]{4}\.){2}(?:[0-9a-fA-F]{4}\.)?(?:(?:[0-9a-fA-F]{4}\.){6})?[0-9a-fA-F]{4}$/.test(text))
    return true;
  return [':', '-'].some((separator) => new RegExp(`^${octets.replaceAll('SEP', separator)}$`).test(text));
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]+/g, '');
  if (!/^(?:\d{9}X|\d{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, i) => total + (i + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits.slice(0, 12)].reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D+/g, '');
  if (!CREDIT_CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return total + (value >= 10 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time);
  return match !== null && (match[1] ?? '') <= '23' && (match[2] ?? '') <= '59' && (match[3] ?? '') <= '59';
}

const UNITS = /^(?:ns|us|µs|ms|s|m|h|d|w|hr|wk|nano|micro|milli|sec|min|hour|day|week)/i;
const EXACT_UNITS = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'd', 'w', 'hr', 'wk']);
const LONG_UNITS = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

/** Go's durations, or one number with a unit somewhere in the text. */
function isDuration(text: string): boolean {
  if (/^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  for (const match of text.matchAll(/\d+\s*([A-Za-zµ]+)/g)) {
    const unit = (match[1] ?? '').toLowerCase();
    if (!UNITS.test(unit)) continue;
    // The last variant of each unit stands for whatever begins with it: "days", "seconds", and so does a lone "s".
    if (EXACT_UNITS.has(unit) || LONG_UNITS.some((long) => unit.startsWith(long))) return true;
  }
  return false;
}
