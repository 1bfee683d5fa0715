// Which endpoint config belongs to which webhook: by host, as Metacontroller matches it.

import type { GivenWebhook } from './schema/given.ts';

/** `host` or `host:port`, without anything else of a URL. IPv6 addresses stand in brackets. */
export function isEndpointHost(text: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[^/@?#\\\s:[\]]+)(:\d{1,5})?$/i.test(text) && URL.canParse(`http://${text}`);
}

/** An entry without a port is for every port of its host; with one, the scheme's default port may be left out of the url. */
export function isEndpointOf(entry: string, url: URL): boolean {
  if (!isEndpointHost(entry)) return false;
  const port = /:(\d+)$/.exec(entry)?.[1];
  if (new URL(`http://${entry}`).hostname !== hostOf(url)) return false;
  return port === undefined || Number(port) === portOf(url);
}

/** Of a url with another scheme's rules the host is not in lower case yet. */
const hostOf = (url: URL): string => url.hostname.toLowerCase();
const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** What is called: the url, or what Service and path amount to. */
export function webhookUrl({ url, service, path = '' }: GivenWebhook): string {
  if (url !== undefined) return url;
  const { protocol = 'http', name, namespace, port = 80 } = service ?? {};
  return `${protocol}://${name}.${namespace}:${port}${path}`;
}

/** undefined where the definition is wrong in other places, which are told there. */
export function parsedWebhookUrl(webhook: GivenWebhook): URL | undefined {
  const complete = webhook.url !== undefined || (webhook.service?.name && webhook.service.namespace);
  return (complete && URL.parse(webhookUrl(webhook))) || undefined;
}

export const SECURITY_FIELDS = ['caBundle', 'clientTLS', 'authorization', 'basicAuth'] as const;
