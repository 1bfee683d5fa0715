// Webhook TLS, credentials and ETags (behaviour of Metacontroller 4.16). All known, none honoured yet.

import { type FieldSchema, flag, integer, list, object, text } from './types.ts';

const LATER = 'TLS and credentials of webhooks';

const secretRef = (description: string): FieldSchema =>
  object(description, { 'name*': text('Name of the Secret.'), 'namespace*': text('Namespace of the Secret.') });

const keyRef = (what: string): FieldSchema =>
  object(`A key of a ${what}.`, {
    'name*': text(`Name of the ${what}.`),
    'namespace*': text(`Namespace of the ${what}.`),
    key: text('Key inside it.', { default: 'ca.crt' }),
  });

export const securityFields: Record<string, FieldSchema> = {
  caBundle: object(
    'Certificates that the server is checked against, instead of those of the system. Exactly one source.',
    {
      inline: text('The certificates as PEM.'),
      secretRef: keyRef('Secret'),
      configMapRef: keyRef('ConfigMap'),
    },
    { 'x-metactl-unsupported': LATER },
  ),
  clientTLS: object(
    'The client certificate shown to the server.',
    {
      'secretRef*': secretRef('The Secret that holds it.'),
      certKey: text('Key of the certificate.', { default: 'tls.crt' }),
      privateKeyKey: text('Key of the private key.', { default: 'tls.key' }),
    },
    { 'x-metactl-unsupported': LATER },
  ),
  authorization: object(
    'An Authorization header: the type and a token from a Secret.',
    {
      type: text('The scheme; `basic` is refused, use basicAuth.', { default: 'Bearer' }),
      'secretRef*': object('Where the token is.', {
        'name*': text('Name of the Secret.'),
        'namespace*': text('Namespace of the Secret.'),
        'key*': text('Key inside the Secret.'),
      }),
    },
    { 'x-metactl-unsupported': LATER },
  ),
  basicAuth: object(
    'HTTP basic authentication from a Secret.',
    {
      'secretRef*': secretRef('The Secret that holds both.'),
      usernameKey: text('Key of the user name.', { default: 'username' }),
      passwordKey: text('Key of the password.', { default: 'password' }),
    },
    { 'x-metactl-unsupported': LATER },
  ),
};

export const etagField: FieldSchema = object(
  'Caching of answers by ETag.',
  {
    enabled: flag('Send If-None-Match and reuse answers.'),
    cacheTimeoutSeconds: integer('How long an answer is kept.', { minimum: 0 }),
    cacheCleanupSeconds: integer('How often old answers are dropped.', { minimum: 0 }),
  },
  { 'x-metactl-unsupported': 'caching of answers by ETag' },
);

export const endpointConfigsField: FieldSchema = list(
  'TLS and credentials by host, for webhooks that have none of their own.',
  object('One host.', { 'host*': text('Host or host:port of the webhook URL.'), ...securityFields }),
  { 'x-metactl-unsupported': LATER },
);
