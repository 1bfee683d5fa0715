// TLS and credentials of webhooks, in the webhook itself and in spec.endpointConfigs.

import { X509Certificate } from 'node:crypto';
import { isDnsLabel, isDnsSubdomain } from '../../model/names.ts';
import { isEndpointHost, isEndpointOf, parsedWebhookUrl, SECURITY_FIELDS } from '../endpoint-host.ts';
import type { DocumentPath } from '../parse/document.ts';
import type { Problem } from '../problem.ts';
import type { GivenDefinition, GivenReference, GivenSecurity, GivenWebhook } from '../schema/given.ts';
import { indexed, type Rule } from './rule.ts';

type Secured = readonly [DocumentPath, GivenSecurity];

const ENDPOINTS: DocumentPath = ['spec', 'endpointConfigs'];

function webhooksOf({ spec }: GivenDefinition): [DocumentPath, GivenWebhook][] {
  return Object.entries(spec?.hooks ?? {}).flatMap(([name, hook]): [DocumentPath, GivenWebhook][] =>
    hook?.webhook ? [[['spec', 'hooks', name, 'webhook'], hook.webhook]] : [],
  );
}

function securedOf(given: GivenDefinition): Secured[] {
  const endpoints = indexed(given.spec?.endpointConfigs).map(([index, each]): Secured => [[...ENDPOINTS, index], each]);
  return [...webhooksOf(given), ...endpoints];
}

export const caBundleHasOneSource: Rule = function* (given): Generator<Problem> {
  for (const [path, { caBundle }] of securedOf(given)) {
    if (!caBundle) continue;
    const sources = (['inline', 'secretRef', 'configMapRef'] as const).filter((key) => caBundle[key] !== undefined);
    if (sources.length === 0)
      yield {
        code: 'missing-field',
        path: [...path, 'caBundle'],
        part: 'key',
        summary: 'The caBundle says nowhere where the certificates are',
        hint: 'Add one of: inline, secretRef, configMapRef.',
      };
    if (sources.length > 1)
      yield {
        code: 'conflicting-fields',
        path: [...path, 'caBundle', sources[1] as string],
        part: 'key',
        summary: `The caBundle has ${sources.join(' and ')}; it can have only one`,
        hint: 'Keep one; a Secret or ConfigMap may hold several certificates.',
      };
  }
};

export const inlineCertificatesAreReadable: Rule = function* (given): Generator<Problem> {
  for (const [path, { caBundle }] of securedOf(given)) {
    if (caBundle?.inline === undefined || areCertificates(caBundle.inline)) continue;
    yield {
      code: 'invalid-value',
      path: [...path, 'caBundle', 'inline'],
      summary: 'caBundle.inline holds no certificates that can be read',
      hint: 'Write the PEM text: "-----BEGIN CERTIFICATE-----" and what follows (in YAML after "inline: |").',
    };
  }
};

function areCertificates(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.length > 0 && blocks.every(isCertificate);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem) !== undefined;
  } catch {
    return false; // the only thing that the parser says is that it isn't one
  }
}

export const oneKindOfCredentials: Rule = function* (given): Generator<Problem> {
  for (const [path, { authorization, basicAuth }] of securedOf(given)) {
    if (!authorization || !basicAuth) continue;
    yield {
      code: 'conflicting-fields',
      path: [...path, 'basicAuth'],
      part: 'key',
      summary: 'Both authorization and basicAuth are given; there is one Authorization header',
      hint: 'Keep the one that the hook asks for.',
    };
  }
};

export const authorizationTypeIsNotBasic: Rule = function* (given): Generator<Problem> {
  for (const [path, { authorization }] of securedOf(given)) {
    const type = authorization?.type;
    if (type === undefined || (type.toLowerCase() !== 'basic' && /^[\w!#$%&'*+.^`|~-]+$/.test(type))) continue;
    const basic = type.toLowerCase() === 'basic';
    yield {
      code: 'invalid-value',
      path: [...path, 'authorization', 'type'],
      summary: basic
        ? 'authorization can not be of the type basic'
        : `"${type}" can not be the type of an authorization`,
      hint: basic ? 'Use basicAuth, which takes user name and password from the Secret.' : 'Write one word: "Bearer".',
    };
  }
};

export const referencesAreNames: Rule = function* (given): Generator<Problem> {
  for (const [path, reference] of securedOf(given).flatMap(referencesOf)) {
    const { name, namespace, key } = reference;
    const wrong = (field: string, value: string, hint: string): Problem => ({
      code: 'invalid-value',
      path: [...path, field],
      summary: `"${value}" can not be the ${field} of a Secret or ConfigMap`,
      hint,
    });
    if (name !== undefined && !isDnsSubdomain(name))
      yield wrong('name', name, 'Lower case letters, digits, "-" and ".", at most 253 characters.');
    if (namespace !== undefined && !isDnsLabel(namespace))
      yield wrong('namespace', namespace, 'Lower case letters, digits and "-", at most 63 characters.');
    if (key !== undefined && !/^[-._a-zA-Z0-9]{1,253}$/.test(key))
      yield wrong('key', key, 'Letters, digits, "-", "_" and ".", at most 253 characters.');
  }
};

function referencesOf([path, security]: Secured): [DocumentPath, GivenReference][] {
  const { caBundle, clientTLS, authorization, basicAuth } = security;
  const all: [DocumentPath, GivenReference | undefined][] = [
    [['caBundle', 'secretRef'], caBundle?.secretRef],
    [['caBundle', 'configMapRef'], caBundle?.configMapRef],
    [['clientTLS', 'secretRef'], clientTLS?.secretRef],
    [['authorization', 'secretRef'], authorization?.secretRef],
    [['basicAuth', 'secretRef'], basicAuth?.secretRef],
  ];
  return all.flatMap(([below, reference]) => (reference ? [[[...path, ...below], reference]] : []));
}

export const tlsNeedsHttps: Rule = function* (given): Generator<Problem> {
  for (const [path, webhook] of webhooksOf(given)) {
    if (parsedWebhookUrl(webhook)?.protocol !== 'http:') continue;
    for (const field of ['caBundle', 'clientTLS'] as const) {
      if (webhook[field] === undefined) continue;
      yield {
        severity: 'warning',
        code: 'ineffective',
        path: [...path, field],
        part: 'key',
        summary: `webhook.${field} has no effect: the hook is called over http, without TLS`,
        hint: webhook.url === undefined ? 'Add "protocol: https" to the service.' : 'Begin the url with https://.',
      };
    }
  }
};

export const endpointHostsAreHosts: Rule = function* ({ spec }): Generator<Problem> {
  for (const [index, { host }] of indexed(spec?.endpointConfigs)) {
    if (host === undefined || isEndpointHost(host)) continue;
    const url = URL.parse(host);
    yield {
      code: 'invalid-value',
      path: [...ENDPOINTS, index, 'host'],
      summary: `"${host}" is not a host`,
      hint: url?.host ? `Write "${url.host}".` : 'Write the host of the webhook, or host:port, and nothing else.',
    };
  }
};

export const endpointConfigsAreUsed: Rule = function* (given): Generator<Problem> {
  const urls = webhooksOf(given).flatMap(([, webhook]) =>
    SECURITY_FIELDS.some((field) => webhook[field] !== undefined) ? [] : (parsedWebhookUrl(webhook) ?? []),
  );
  const endpoints = indexed(given.spec?.endpointConfigs).filter(([, { host }]) => host && isEndpointHost(host));
  const used = new Set(urls.map((url) => endpoints.find(([, { host = '' }]) => isEndpointOf(host, url))?.[0]));
  for (const [index, { host }] of endpoints) {
    if (used.has(index)) continue;
    yield {
      severity: 'warning',
      code: 'ineffective',
      path: [...ENDPOINTS, index, 'host'],
      summary: `The endpoint config of "${host}" has no effect`,
      detail:
        'It counts for webhooks with this host that have no TLS or credentials of their own; the first that matches wins.',
      hint: 'Remove it, or correct the host.',
    };
  }
};
