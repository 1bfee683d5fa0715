// Certificates for tests that speak TLS: an authority, and what it signs. Made when a test runs, so that none expires and
// no key stands in the repository. Only as much of X.509 as node:tls wants.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Pem {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** Its own certificate, PEM. */
  readonly cert: string;
  /** `names`: DNS names and IPv4 addresses that a server's certificate is for. `years`: valid from, to; both in 2000–2049. */
  issue(commonName: string, names?: readonly string[], years?: Years): Pem;
}

export type Years = readonly [from: number, to: number];
const FOR_LONG: Years = [2020, 2049];

export function createAuthority(name: string): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  let serial = 1;
  const certify = (subject: string, publicKey: KeyObject, extensions: Buffer[], [from, to] = FOR_LONG): string => {
    const body = sequence(
      tagged(0xa0, integer(2)),
      integer(serial++),
      ECDSA_SHA256,
      nameOf(name),
      sequence(utcTime(from), utcTime(to)),
      nameOf(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      tagged(0xa3, sequence(...extensions)),
    );
    const signature = sign('sha256', body, keys.privateKey);
    return pem(sequence(body, ECDSA_SHA256, bits(signature)));
  };
  return {
    cert: certify(name, keys.publicKey, [BASIC_CONSTRAINTS_CA]),
    issue(commonName, names = [], years = FOR_LONG) {
      const own = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      const extensions = names.length === 0 ? [NO_AUTHORITY] : [NO_AUTHORITY, alternativeNames(names)];
      return {
        cert: certify(commonName, own.publicKey, extensions, years),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

// ASN.1, distinguished encoding.

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size: number[] = [];
  for (let left = content.length; left > 0; left >>= 8) size.unshift(left & 0xff);
  const length = content.length < 0x80 ? [content.length] : [0x80 | size.length, ...size];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const integer = (value: number): Buffer => tagged(0x02, Buffer.from([value]));
const bits = (content: Buffer): Buffer => tagged(0x03, Buffer.from([0]), content);
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const utcTime = (year: number): Buffer =>
  tagged(0x17, Buffer.from(`${String(year % 100).padStart(2, '0')}0101000000Z`));

/** ecdsa-with-SHA256 */
const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');

function nameOf(text: string): Buffer {
  return sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(text)))));
}

const extension = (id: string, content: Buffer): Buffer => sequence(oid(id), tagged(0x04, content));
const BASIC_CONSTRAINTS_CA = extension('551d13', sequence(tagged(0x01, Buffer.from([0xff]))));
const NO_AUTHORITY = extension('551d13', sequence());

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    /^[\d.]+$/.test(name) ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name)),
  );
  return extension('551d11', sequence(...entries));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
