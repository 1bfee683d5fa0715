import type { EtagCaching, HookCredentials, ObjectName, WebhookSecurity } from '../../model/webhook.ts';
import { isEndpointOf, parsedWebhookUrl, SECURITY_FIELDS } from '../endpoint-host.ts';
import { indexed } from '../rules/rule.ts';
import type { GivenEndpointConfig, GivenReference, GivenSecurity, GivenWebhook, Items } from '../schema/given.ts';

/** The webhook's own settings, or, where it has none, those of the first endpoint config with its host: never a mix. */
export function securityOf(webhook: GivenWebhook, endpoints: Items<GivenEndpointConfig> | undefined): WebhookSecurity {
  const given = SECURITY_FIELDS.some((field) => webhook[field] !== undefined) ? webhook : matching(webhook, endpoints);
  return given ? normalizeSecurity(given) : {};
}

function matching(
  webhook: GivenWebhook,
  endpoints: Items<GivenEndpointConfig> | undefined,
): GivenEndpointConfig | undefined {
  const url = parsedWebhookUrl(webhook);
  return url && indexed(endpoints).find(([, { host = '' }]) => isEndpointOf(host, url))?.[1];
}

function normalizeSecurity({ caBundle, clientTLS, authorization, basicAuth }: GivenSecurity): WebhookSecurity {
  const ca = caBundle && caBundleOf(caBundle);
  const credentials = authorization ? tokenOf(authorization) : basicAuth && userOf(basicAuth);
  return {
    ...(ca ? { caBundle: ca } : {}),
    ...(clientTLS
      ? {
          clientTls: {
            secret: objectName(clientTLS.secretRef),
            certKey: clientTLS.certKey ?? 'tls.crt',
            privateKeyKey: clientTLS.privateKeyKey ?? 'tls.key',
          },
        }
      : {}),
    ...(credentials ? { credentials } : {}),
  };
}

function caBundleOf({ inline, secretRef, configMapRef }: NonNullable<GivenSecurity['caBundle']>) {
  if (inline !== undefined) return { kind: 'inline', pem: inline } as const;
  const [kind, ref] = secretRef ? (['Secret', secretRef] as const) : (['ConfigMap', configMapRef] as const);
  return { kind, ...objectName(ref), key: ref?.key ?? 'ca.crt' };
}

function tokenOf({ type = 'Bearer', secretRef }: NonNullable<GivenSecurity['authorization']>): HookCredentials {
  return { kind: 'authorization', type, secret: objectName(secretRef), key: secretRef?.key ?? '' };
}

function userOf({
  secretRef,
  usernameKey = 'username',
  passwordKey = 'password',
}: NonNullable<GivenSecurity['basicAuth']>): HookCredentials {
  return { kind: 'basic', secret: objectName(secretRef), usernameKey, passwordKey };
}

const objectName = (ref: GivenReference | undefined): ObjectName => ({
  namespace: ref?.namespace ?? '',
  name: ref?.name ?? '',
});

/** undefined: not enabled. */
export function etagOf({ etag }: GivenWebhook): EtagCaching | undefined {
  if (etag?.enabled !== true) return undefined;
  const { cacheTimeoutSeconds: timeout = 0, cacheCleanupSeconds: cleanup = 0 } = etag;
  return {
    ...(timeout > 0 ? { timeoutMs: timeout * 1_000 } : {}),
    ...(cleanup > 0 ? { cleanupMs: cleanup * 1_000 } : {}),
  };
}
