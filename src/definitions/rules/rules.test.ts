// Every rule alone: what it lets pass, what it reports. The words users read are in ../bad-definitions.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPath } from '../../kit/path.ts';
import { createAuthority } from '../../testing/certificates.ts';
import type { GivenDefinition, GivenHook } from '../schema/given.ts';
import * as applyRules from './apply-rules.ts';
import * as hookRules from './hook-rules.ts';
import * as metadataRules from './metadata-rules.ts';
import * as resourceRules from './resource-rules.ts';
import * as securityRules from './security-rules.ts';
import * as selectorRules from './selector-rules.ts';
import * as strategyRules from './strategy-rules.ts';
import * as webhookRules from './webhook-rules.ts';

/** Input → code and path of each problem. */
type Cases<T> = readonly (readonly [T, ...string[]])[];

const RULES = {
  ...metadataRules,
  ...resourceRules,
  ...selectorRules,
  ...strategyRules,
  ...applyRules,
  ...securityRules,
};
const HOOK_RULES = { ...hookRules, ...webhookRules };

const children = (...childResources: unknown[]) => ({ spec: { childResources } }) as GivenDefinition;
const parent = (parentResource: unknown) => ({ spec: { parentResource } }) as GivenDefinition;
const decorator = (resources: unknown[], attachments: unknown[] = []) =>
  ({ spec: { resources, attachments } }) as GivenDefinition;
const labels = (labelSelector: unknown) => parent({ labelSelector });
const managedBy = (fieldManager: string) => ({ spec: { apply: { fieldManager } } }) as GivenDefinition;
const PODS_RULE = { apiVersion: 'v1', resource: 'pods' };
const NODES_RULE = { apiVersion: 'v1', resource: 'nodes' };
const C = 'spec.childResources';
const P = 'spec.parentResource';
const rolling = { apiVersion: 'v1', resource: 'pods', updateStrategy: { method: 'RollingInPlace', statusChecks: {} } };

const secret = { name: 'a', namespace: 'b' };
const CERTIFICATE = createAuthority('test').cert;
const W = 'spec.hooks.sync.webhook';
const E = 'spec.endpointConfigs';
const webhook = (more: unknown, endpointConfigs: unknown[] = []) =>
  ({ spec: { hooks: { sync: { webhook: more } }, endpointConfigs } }) as GivenDefinition;
const endpoint = (more: object) => webhook({}, [undefined, more]);

const RULE_CASES: Record<keyof typeof RULES, Cases<GivenDefinition>> = {
  nameIsDnsSubdomain: [
    [{ metadata: { name: 'a.b-1' } }],
    [{ metadata: {} }],
    [{ metadata: { name: 'a'.repeat(254) } }, 'invalid-value metadata.name'],
    [{ metadata: { name: '-a' } }, 'invalid-value metadata.name'],
  ],
  fieldManagerIsOne: [
    [managedBy('metactl')],
    [managedBy('team a, ünlü')],
    [managedBy('é'.repeat(64))],
    [managedBy('é'.repeat(65)), 'invalid-value spec.apply.fieldManager'],
    [managedBy('a\nb'), 'invalid-value spec.apply.fieldManager'],
    [managedBy('a\u00a0b'), 'invalid-value spec.apply.fieldManager'],
  ],
  noNamespace: [[{ metadata: { name: 'a' } }], [{ metadata: { namespace: 'b' } }, 'ineffective metadata.namespace']],
  apiVersionsAreGroupVersions: [
    [children({ apiVersion: 'v1' }, { apiVersion: 'apps/v1beta2' }, { apiVersion: 'a.b/anything' }, {})],
    [children({ apiVersion: 'a/b/v1' }), `invalid-value ${C}[0].apiVersion`],
    [children(undefined, { apiVersion: '/v1' }), `invalid-value ${C}[1].apiVersion`],
    [parent({ apiVersion: 'Apps/v1' }), `invalid-value ${P}.apiVersion`],
  ],
  resourcesArePluralNames: [
    [children({ resource: 'pods' }, {})],
    [children({ resource: 'Pod' }), `invalid-value ${C}[0].resource`],
    [parent({ resource: 'a.b' }), `invalid-value ${P}.resource`],
  ],
  listedResourcesAreDistinct: [
    [children({ apiVersion: 'v1', resource: 'events' }, { apiVersion: 'events.k8s.io/v1', resource: 'events' }, {})],
    [
      children(undefined, { apiVersion: 'a/v1', resource: 'x' }, { apiVersion: 'a/v2', resource: 'x' }),
      `conflicting-fields ${C}[2].resource`,
    ],
    [decorator([PODS_RULE, NODES_RULE], [PODS_RULE])],
    [decorator([PODS_RULE, PODS_RULE]), 'conflicting-fields spec.resources[1].resource'],
    [decorator([], [PODS_RULE, PODS_RULE]), 'conflicting-fields spec.attachments[1].resource'],
  ],
  attachmentsAreNotDecorated: [
    [decorator([PODS_RULE], [NODES_RULE])],
    [decorator([{ ...PODS_RULE, annotationSelector: {} }], [PODS_RULE])],
    [decorator([PODS_RULE], [NODES_RULE, PODS_RULE]), 'conflicting-fields spec.attachments[1].resource'],
  ],
  parentIsNotItsOwnChild: [
    [
      {
        spec: {
          parentResource: { apiVersion: 'a/v1', resource: 'x' },
          childResources: [{ apiVersion: 'b/v1', resource: 'x' }],
        },
      },
    ],
    [
      {
        spec: {
          parentResource: { apiVersion: 'a/v1', resource: 'x' },
          childResources: [{ apiVersion: 'a/v1', resource: 'x' }],
        },
      },
      `conflicting-fields ${C}[0].resource`,
    ],
  ],
  selectorValuesFitOperators: [
    [labels({ matchExpressions: [{ operator: 'In', values: ['a'] }, { operator: 'DoesNotExist', values: [] }, {}] })],
    [labels({ matchExpressions: [{ operator: 'NotIn' }] }), `missing-field ${P}.labelSelector.matchExpressions[0]`],
    [
      labels({ matchExpressions: [{ operator: 'DoesNotExist', values: ['a'] }] }),
      `conflicting-fields ${P}.labelSelector.matchExpressions[0].values`,
    ],
    [
      decorator([PODS_RULE, { annotationSelector: { matchExpressions: [{ operator: 'In' }] } }]),
      'missing-field spec.resources[1].annotationSelector.matchExpressions[0]',
    ],
  ],
  selectorLabelsAreLabels: [
    [
      labels({
        matchLabels: { 'app.kubernetes.io/name': 'a', b: '' },
        matchExpressions: [{ key: 'A_b.c', values: ['x'] }],
      }),
    ],
    [labels({ matchLabels: { 'a/b/c': 'x' } }), `invalid-value ${P}.labelSelector.matchLabels["a/b/c"]`],
    [labels({ matchLabels: { a: 'x'.repeat(64) } }), `invalid-value ${P}.labelSelector.matchLabels.a`],
    [labels({ matchExpressions: [{ key: '-' }] }), `invalid-value ${P}.labelSelector.matchExpressions[0].key`],
    [
      labels({ matchExpressions: [{ values: ['a', 'b c'] }] }),
      `invalid-value ${P}.labelSelector.matchExpressions[0].values[1]`,
    ],
    [decorator([{ annotationSelector: { matchAnnotations: { 'A.b/c': 'any text: {}' } } }])],
    [
      decorator([{ annotationSelector: { matchExpressions: [{ key: 'a b', values: ['any text'] }] } }]),
      'invalid-value spec.resources[0].annotationSelector.matchExpressions[0].key',
    ],
    [
      decorator([{ labelSelector: { matchLabels: { a: 'any text' } } }]),
      'invalid-value spec.resources[0].labelSelector.matchLabels.a',
    ],
  ],
  statusChecksNeedRolling: [
    [children(rolling, { updateStrategy: { method: 'InPlace' } })],
    [
      children({ updateStrategy: { method: 'InPlace', statusChecks: {} } }),
      `ineffective ${C}[0].updateStrategy.statusChecks`,
    ],
  ],
  revisionHistoryNeedsRolling: [
    [{ spec: { parentResource: { revisionHistory: {} }, ...children(rolling).spec } }],
    [parent({ revisionHistory: {} }), `ineffective ${P}.revisionHistory`],
  ],
  fieldPathsAreDotted: [
    [parent({ revisionHistory: { fieldPaths: ['spec', 'spec.template', 'metadata.x-y'] } })],
    [
      parent({ revisionHistory: { fieldPaths: ['spec.a[0]', 'spec..b', '.spec', 'a/b'] } }),
      ...[0, 1, 2, 3].map((index) => `invalid-value ${P}.revisionHistory.fieldPaths[${index}]`),
    ],
  ],
  caBundleHasOneSource: [
    [webhook({ caBundle: { inline: 'x' } }, [{ caBundle: { configMapRef: secret } }, {}])],
    [webhook({ caBundle: {} }), `missing-field ${W}.caBundle`],
    [endpoint({ caBundle: { inline: 'x', secretRef: secret } }), `conflicting-fields ${E}[1].caBundle.secretRef`],
  ],
  inlineCertificatesAreReadable: [
    [webhook({ caBundle: { inline: `# ours\n${CERTIFICATE}${CERTIFICATE}` } })],
    [webhook({ caBundle: { inline: 'x' } }), `invalid-value ${W}.caBundle.inline`],
    [
      endpoint({ caBundle: { inline: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' } }),
      `invalid-value ${E}[1].caBundle.inline`,
    ],
    [
      webhook({ caBundle: { inline: CERTIFICATE + CERTIFICATE.replace('MII', 'AII') } }),
      `invalid-value ${W}.caBundle.inline`,
    ],
  ],
  oneKindOfCredentials: [
    [webhook({ authorization: {} }, [{ basicAuth: {} }])],
    [webhook({ authorization: {}, basicAuth: {} }), `conflicting-fields ${W}.basicAuth`],
    [endpoint({ authorization: {}, basicAuth: {} }), `conflicting-fields ${E}[1].basicAuth`],
  ],
  authorizationTypeIsNotBasic: [
    [webhook({ authorization: { type: 'Bearer' } }, [{ authorization: {} }])],
    [webhook({ authorization: { type: 'BaSiC' } }), `invalid-value ${W}.authorization.type`],
    [endpoint({ authorization: { type: 'two words' } }), `invalid-value ${E}[1].authorization.type`],
  ],
  referencesAreNames: [
    [webhook({ basicAuth: { secretRef: secret }, caBundle: { configMapRef: { ...secret, key: 'ca.crt' } } })],
    [webhook({ clientTLS: { secretRef: { ...secret, name: 'A' } } }), `invalid-value ${W}.clientTLS.secretRef.name`],
    [
      endpoint({ authorization: { secretRef: { name: 'a', namespace: 'b.c', key: 'd/e' } } }),
      `invalid-value ${E}[1].authorization.secretRef.namespace`,
      `invalid-value ${E}[1].authorization.secretRef.key`,
    ],
  ],
  tlsNeedsHttps: [
    [webhook({ url: 'https://x', caBundle: {} })],
    [webhook({ url: 'http://x', basicAuth: {} })],
    [
      webhook({ url: 'http://x', caBundle: {}, clientTLS: {} }),
      `ineffective ${W}.caBundle`,
      `ineffective ${W}.clientTLS`,
    ],
    [webhook({ service: secret, clientTLS: {} }), `ineffective ${W}.clientTLS`],
  ],
  endpointHostsAreHosts: [
    [webhook({}, [{ host: 'a.example' }, { host: 'a.b:80' }, { host: '[::1]:8443' }, {}])],
    [endpoint({ host: 'https://a.example/sync' }), `invalid-value ${E}[1].host`],
    [endpoint({ host: 'a.example/' }), `invalid-value ${E}[1].host`],
    [endpoint({ host: 'me@a.example' }), `invalid-value ${E}[1].host`],
  ],
  endpointConfigsAreUsed: [
    [webhook({ url: 'https://a.example/s' }, [{ host: 'a.example:443' }])],
    [webhook({ service: secret, path: '/s' }, [{ host: 'other' }, { host: 'A.B' }]), `ineffective ${E}[0].host`],
    [webhook({ url: 'http://a', basicAuth: {} }, [{ host: 'a' }]), `ineffective ${E}[0].host`],
    [webhook({ url: 'http://a' }, [{ host: 'a' }, { host: 'a:80' }]), `ineffective ${E}[1].host`],
  ],
};

const H = 'spec.hooks.sync';
const service = { name: 'a', namespace: 'b' };
const HOOK_CASES: Record<keyof typeof HOOK_RULES, Cases<GivenHook>> = {
  exactlyOneHookKind: [
    [{ exec: {} }],
    [{}, `missing-field ${H}`],
    [{ webhook: {}, module: {} }, `conflicting-fields ${H}.module`],
  ],
  timeoutIsDuration: [
    [{ exec: { timeout: '1h2m3.5s' }, webhook: { timeout: '-1s' }, module: {} }],
    [{ module: { timeout: '10' } }, `invalid-value ${H}.module.timeout`],
    [{ exec: { timeout: '1 s' } }, `invalid-value ${H}.exec.timeout`],
  ],
  timeoutIsPositive: [
    [{ exec: { timeout: '1ms' }, webhook: { timeout: 'x' } }],
    [{ webhook: { timeout: '-1s' } }, `ineffective ${H}.webhook.timeout`],
    [{ exec: { timeout: '0' } }, `ineffective ${H}.exec.timeout`],
  ],
  jsonnetPathIsJsonnet: [
    [{ jsonnet: { path: './sync.jsonnet' } }],
    [{ jsonnet: { path: './lib.libsonnet' }, module: { path: 'a.txt' } }],
    [{ jsonnet: { path: './sync.js' } }, `invalid-value ${H}.jsonnet.path`],
  ],
  commandHasProgram: [
    [{ exec: { command: ['python3', 'a b.py'] } }],
    [{ exec: { command: ['/opt/my tools/hook'] } }],
    [{ exec: {} }],
    [{ exec: { command: [' '] } }, `invalid-value ${H}.exec.command[0]`],
    [{ exec: { command: ['python3 a.py'] } }, `invalid-value ${H}.exec.command[0]`],
  ],
  environmentNames: [
    [{ exec: { env: { A_1: '', 'a.b': 'x' } } }],
    [{ exec: { env: { 'A=B': '' } } }, `invalid-value ${H}.exec.env["A=B"]`],
  ],
  modulePathIsScript: [
    [{ module: { path: './a/hook.ts' } }],
    [{ module: {} }],
    [{ module: { path: './hook' } }, `invalid-value ${H}.module.path`],
  ],
  webhookHasTarget: [
    [{ webhook: { url: 'x' } }],
    [{ webhook: { service, path: '/' } }],
    [{ exec: {} }],
    [{ webhook: { service } }, `missing-field ${H}.webhook`],
  ],
  urlHasNoRival: [
    [{ webhook: { url: 'x' } }],
    [
      { webhook: { url: 'x', path: '/', service } },
      `ineffective ${H}.webhook.service`,
      `ineffective ${H}.webhook.path`,
    ],
  ],
  urlIsAbsoluteHttp: [
    [{ webhook: { url: 'https://[::1]:8443/a?b=c' } }],
    [{ webhook: { url: 'HTTP://x' } }],
    [{ webhook: { url: '/sync' } }, `invalid-value ${H}.webhook.url`],
    [{ webhook: { url: 'http:///sync' } }, `invalid-value ${H}.webhook.url`],
    [{ webhook: { url: 'http://a b' } }, `invalid-value ${H}.webhook.url`],
  ],
  pathIsAbsolute: [[{ webhook: { path: '/a' } }], [{ webhook: { path: 'a' } }, `invalid-value ${H}.webhook.path`]],
  etagIsEnabled: [
    [{ webhook: { etag: { enabled: true, cacheTimeoutSeconds: 1 } } }],
    [{ webhook: {} }],
    [{ webhook: { etag: { cacheTimeoutSeconds: 1 } } }, `ineffective ${H}.webhook.etag`],
  ],
  serviceNamesAreDnsLabels: [
    [{ webhook: { service } }],
    [
      { webhook: { service: { name: 'A', namespace: 'b.c' } } },
      `invalid-value ${H}.webhook.service.name`,
      `invalid-value ${H}.webhook.service.namespace`,
    ],
  ],
};

for (const [name, rule] of Object.entries(RULES)) {
  test(`rule ${name}`, () => {
    for (const [given, ...want] of RULE_CASES[name as keyof typeof RULES]) {
      assert.deepEqual(
        [...rule(given)].map(({ code, path }) => `${code} ${formatPath(path)}`),
        want,
      );
    }
  });
}

for (const [name, rule] of Object.entries(HOOK_RULES)) {
  test(`hook rule ${name}`, () => {
    for (const [hook, ...want] of HOOK_CASES[name as keyof typeof HOOK_RULES]) {
      const problems = [...rule(hook, ['spec', 'hooks', 'sync'])];
      assert.deepEqual(
        problems.map(({ code, path }) => `${code} ${formatPath(path)}`),
        want,
      );
    }
  });
}
