// Webhook TLS, credentials and ETags (behaviour of Metacontroller 4.16).

import { type FieldSchema, flag, integer, list, object, text } from './types.ts';

const nameOf = (what: string): Record<string, FieldSchema> => ({
  'name*': text(`Name of the ${what}.`, { examples: ['my-hook'] }),
  'namespace*': text(`Namespace of the ${what}.`, { examples: ['my-namespace'] }),
});

const secretRef = (description: string): FieldSchema => object(description, nameOf('Secret'));

const keyRef = (what: string): FieldSchema =>
  object(`A key of a ${what}, which is read by name.`, {
    ...nameOf(what),
    key: text('Key inside it.', { default: 'ca.crt' }),
  });

export const securityFields: Record<string, FieldSchema> = {
  caBundle: object(
    'Certificates (PEM) that the server is checked against, instead of those of the system. Exactly one source.',
    {
      inline: text('The certificates as PEM.'),
      secretRef: keyRef('Secret'),
      configMapRef: keyRef('ConfigMap'),
    },
  ),
  clientTLS: object('The client certificate shown to the server.', {
    'secretRef*': secretRef('The Secret that holds it.'),
    certKey: text('Key of the certificate.', { default: 'tls.crt' }),
    privateKeyKey: text('Key of the private key.', { default: 'tls.key' }),
  }),
  authorization: object('An Authorization header: the type and a token from a Secret.', {
    type: text('The scheme; `basic` is refused, use basicAuth.', { default: 'Bearer' }),
    'secretRef*': object('Where the token is.', {
      ...nameOf('Secret'),
      'key*': text('Key inside the Secret.', { examples: ['token'] }),
    }),
  }),
  basicAuth: object('HTTP basic authentication from a Secret.', {
    'secretRef*': secretRef('The Secret that holds both.'),
    usernameKey: text('Key of the user name.', { default: 'username' }),
    passwordKey: text('Key of the password.', { default: 'password' }),
  }),
};

export const etagField: FieldSchema = object('Caching of answers by ETag.', {
  enabled: flag('Send If-None-Match, and take the kept answer when the hook says 304 or 412.'),
  cacheTimeoutSeconds: integer('How long an answer is kept. 0 or absent: as long as there is room.', { minimum: 0 }),
  cacheCleanupSeconds: integer('How often answers that are too old are dropped.', { minimum: 0 }),
});

export const endpointConfigsField: FieldSchema = list(
  'TLS and credentials by host, for webhooks that have none of their own. The first one that matches counts, whole.',
  object('One host.', {
    'host*': text('Host of the webhook (any port), or host:port. Of a Service: name.namespace.', {
      examples: ['my-hook.my-namespace'],
    }),
    ...securityFields,
  }),
);
