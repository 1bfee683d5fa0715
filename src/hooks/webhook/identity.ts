// What we are to one webhook: the authorities we trust, the certificate we show, the Authorization header we send. Made
// of the definition and what it refers to, for each call anew; whoever wants to know whether two are the same compares
// `tlsKey` and `authorization`.
// Nothing of this may stand in an error: parsers of PEM get no say in our messages.

import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import type { CaBundle, ClientTls, HookCredentials, WebhookSecurity } from '../../model/webhook.ts';
import { HookFailure } from '../failure.ts';
import type { Reference, References } from './references.ts';

export interface TlsIdentity {
  /** PEM; instead of the system's authorities. */
  readonly ca?: string;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export interface Identity {
  readonly tls: TlsIdentity;
  /** Equal for equal certificates and keys; "" for none. */
  readonly tlsKey: string;
  readonly authorization?: string;
  /** Texts that must not be repeated, however short. */
  readonly hidden: readonly string[];
}

export const NOBODY: Identity = { tls: {}, tlsKey: '', hidden: [] };

/** Most hooks ask for nothing. */
export function isNobody({ caBundle, clientTls, credentials }: WebhookSecurity): boolean {
  return caBundle === undefined && clientTls === undefined && credentials === undefined;
}

/** Everything in Secrets and ConfigMaps that a webhook's identity is made of. */
export function referencesOf({ caBundle, clientTls, credentials }: WebhookSecurity): Reference[] {
  return [
    ...(caBundle && caBundle.kind !== 'inline' ? [caReference(caBundle)] : []),
    ...(clientTls ? clientReferences(clientTls) : []),
    ...(credentials ? credentialReferences(credentials) : []),
  ];
}

type ReferredCa = Exclude<CaBundle, { kind: 'inline' }>;
const caReference = (ca: ReferredCa): Reference => ({ ...ca, field: 'caBundle' });

function clientReferences({ secret, certKey, privateKeyKey }: ClientTls): [Reference, Reference] {
  const at = { kind: 'Secret', ...secret, field: 'clientTLS' } as const;
  return [
    { ...at, key: certKey },
    { ...at, key: privateKeyKey },
  ];
}

function credentialReferences(credentials: HookCredentials): Reference[] {
  const { secret } = credentials;
  if (credentials.kind === 'authorization')
    return [{ kind: 'Secret', ...secret, key: credentials.key, field: 'authorization' }];
  const at = { kind: 'Secret', ...secret, field: 'basicAuth' } as const;
  return [
    { ...at, key: credentials.usernameKey },
    { ...at, key: credentials.passwordKey },
  ];
}

/** Throws HookFailure. `isKnown`: a tlsKey whose certificates were looked at before. `now` is epoch time. */
export async function resolveIdentity(
  security: WebhookSecurity,
  references: References,
  { isKnown, now }: { readonly isKnown: (tlsKey: string) => boolean; readonly now: number },
): Promise<Identity> {
  const [tls, { authorization, hidden }] = await Promise.all([
    resolveTls(security, references),
    resolveCredentials(security.credentials, references),
  ]);
  const tlsKey = digestOf(tls);
  if (!isKnown(tlsKey)) checkTls(tls, security, now);
  return { tls, tlsKey, hidden, ...(authorization === undefined ? {} : { authorization }) };
}

async function resolveTls({ caBundle, clientTls }: WebhookSecurity, references: References): Promise<TlsIdentity> {
  const ca =
    caBundle?.kind === 'inline' ? caBundle.pem : caBundle && (await references.bytes(caReference(caBundle))).toString();
  if (!clientTls) return ca === undefined ? {} : { ca };
  const [certReference, keyReference] = clientReferences(clientTls);
  const [cert, key] = await Promise.all([references.bytes(certReference), references.bytes(keyReference)]);
  return { ...(ca === undefined ? {} : { ca }), cert, key };
}

function digestOf({ ca, cert, key }: TlsIdentity): string {
  if (ca === undefined && cert === undefined) return '';
  const hash = createHash('sha256');
  for (const part of [ca, cert, key]) hash.update(part === undefined ? '-' : `${part.length} `).update(part ?? '');
  return hash.digest('hex');
}

async function resolveCredentials(
  credentials: HookCredentials | undefined,
  references: References,
): Promise<Pick<Identity, 'authorization' | 'hidden'>> {
  if (!credentials) return { hidden: [] };
  const sources = credentialReferences(credentials);
  const values = await Promise.all(sources.map(async (source) => (await references.bytes(source)).toString().trim()));
  const [first = '', second = ''] = values;
  if (credentials.kind === 'authorization') {
    if (!/^[\x20-\x7e]+$/.test(first)) throw unusable(sources[0], 'holds characters that no header can carry');
    return { authorization: `${credentials.type} ${first}`, hidden: values };
  }
  if (first.includes(':')) throw unusable(sources[0], 'holds a colon, which ends a user name');
  const pair = Buffer.from(`${first}:${second}`).toString('base64');
  return { authorization: `Basic ${pair}`, hidden: [...values, pair] };
}

function unusable(reference: Reference | undefined, why: string, hint?: string): HookFailure {
  const { field, kind, namespace, name, key } = reference ?? { field: '', kind: '', namespace: '', name: '', key: '' };
  return new HookFailure({
    code: 'hook-failed',
    what: `webhook.${field}: the key "${key}" of the ${kind} ${namespace}/${name} ${why}`,
    hint,
  });
}

function checkTls({ ca, cert, key }: TlsIdentity, { caBundle, clientTls }: WebhookSecurity, now: number): void {
  if (ca !== undefined && caBundle?.kind !== 'inline' && !areCertificates(ca))
    throw unusable(caBundle && caReference(caBundle), 'holds no certificates that can be read', 'it must be PEM text');
  if (!clientTls || cert === undefined || key === undefined) return;
  const [certReference, keyReference] = clientReferences(clientTls);
  const shown = certificateOf(cert);
  if (!shown) throw unusable(certReference, 'holds no certificate that can be read', 'it must be PEM text');
  const privateKey = attempt(() => createPrivateKey(key));
  if (!privateKey)
    throw unusable(keyReference, 'holds no private key that can be read', 'it must be PEM text without a passphrase');
  if (!shown.checkPrivateKey(privateKey))
    throw unusable(keyReference, `is not the private key of the certificate under "${clientTls.certKey}"`);
  if (shown.validToDate.getTime() < now)
    throw unusable(certReference, `holds a certificate that expired on ${shown.validTo}`, 'renew the certificate');
}

const certificateOf = (pem: string | Buffer): X509Certificate | undefined => attempt(() => new X509Certificate(pem));

function areCertificates(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.length > 0 && blocks.every((block) => certificateOf(block) !== undefined);
}

/** Errors of the parsers say nothing that helps, and may quote what they read. */
function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
