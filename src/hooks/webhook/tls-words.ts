// TLS that did not come about: each of the usual ways with what to do about it, by the fields of the definition.

import type { WebhookHook } from '../../model/definition.ts';
import type { CaBundle } from '../../model/webhook.ts';

export interface Words {
  readonly what: string;
  readonly hint?: string;
}

interface Place {
  readonly url: URL;
  readonly hook: WebhookHook;
  /** That the server's certificate is for, where that was wrong. */
  readonly names?: string | undefined;
}

/** Of node:tls and of OpenSSL: the server's certificate, ours (the server's alerts), and servers that speak something else. */
export function isTlsCode(code: string): boolean {
  return code === 'EPROTO' || code.startsWith('ERR_SSL') || /CERT|SELF_SIGNED|VERIFY|ISSUER|CRL/.test(code);
}

export function tlsWords(code: string, message: string, { url, hook, names }: Place): Words {
  const place = `${url.hostname}:${url.port || '443'}`;
  const theirs = `the TLS certificate of ${place}`;
  if (code === 'CERT_HAS_EXPIRED')
    return { what: `${theirs} has expired`, hint: `renew it where ${place} runs${orTheClock(hook)}` };
  if (code === 'CERT_NOT_YET_VALID')
    return { what: `${theirs} is not valid yet`, hint: 'is the clock of this machine right?' };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return {
      what: `${theirs} is for another name`,
      hint: `it must be for "${url.hostname}": issue one that names it, or call the hook by a name that it has (${names?.slice(0, 200) || 'it names none'})`,
    };
  const alert = ALERTS.find(([pattern]) => pattern.test(`${code} ${message}`));
  if (alert) return { what: `${place} ${alert[1]}`, hint: clientHint(hook) };
  if (/HANDSHAKE_FAILURE/.test(code))
    return {
      what: `${place} refused the TLS handshake`,
      hint: 'it may ask for a client certificate (webhook.clientTLS), or offer no cipher that we know',
    };
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return {
      what: `${place} doesn't speak TLS the way we do`,
      hint: 'should the url begin with http:// instead of https://? Older than TLS 1.2 is refused',
    };
  return {
    what: `${theirs} is signed by an authority that is not trusted`,
    hint: hook.caBundle
      ? `the authority is not in ${sourceOf(hook.caBundle)}, which was read again: put the right one there`
      : 'name the certificate authority in webhook.caBundle (Secret, ConfigMap or inline)',
  };
}

const orTheClock = ({ caBundle }: WebhookHook): string =>
  `; it may be the authority's own${caBundle ? `, in ${sourceOf(caBundle)}` : ''}`;

function sourceOf(ca: CaBundle): string {
  return ca.kind === 'inline' ? 'caBundle.inline' : `the key "${ca.key}" of the ${ca.kind} ${ca.namespace}/${ca.name}`;
}

/** What the server says of our certificate arrives as an alert. */
const ALERTS: readonly (readonly [RegExp, string])[] = [
  [/CERTIFICATE_REQUIRED|certificate required/i, 'asks for a client certificate'],
  [/CERTIFICATE_EXPIRED|alert certificate expired/i, 'says that our client certificate has expired'],
  [/CERTIFICATE_REVOKED|alert certificate revoked/i, 'says that our client certificate was revoked'],
  [/ALERT_UNKNOWN_CA|alert unknown ca/i, 'does not trust the authority of our client certificate'],
  [/BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNSUPPORTED_CERTIFICATE/i, 'did not take our client certificate'],
];

function clientHint({ clientTls }: WebhookHook): string {
  if (!clientTls) return 'give it one: webhook.clientTLS names the Secret';
  const { namespace, name } = clientTls.secret;
  return `put the right one into the Secret ${namespace}/${name}; it was read again before this`;
}
