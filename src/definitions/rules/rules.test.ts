// Every rule alone: what it lets pass, what it reports. The words users read are in ../bad-definitions.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPath } from '../../kit/path.ts';
import type { GivenComposite, GivenHook } from '../schema/given.ts';
import * as hookRules from './hook-rules.ts';
import * as metadataRules from './metadata-rules.ts';
import * as resourceRules from './resource-rules.ts';
import * as selectorRules from './selector-rules.ts';
import * as strategyRules from './strategy-rules.ts';
import * as webhookRules from './webhook-rules.ts';

/** Input → code and path of each problem. */
type Cases<T> = readonly (readonly [T, ...string[]])[];

const RULES = { ...metadataRules, ...resourceRules, ...selectorRules, ...strategyRules };
const HOOK_RULES = { ...hookRules, ...webhookRules };

const children = (...childResources: unknown[]) => ({ spec: { childResources } }) as GivenComposite;
const parent = (parentResource: unknown) => ({ spec: { parentResource } }) as GivenComposite;
const labels = (labelSelector: unknown) => parent({ labelSelector });
const C = 'spec.childResources';
const P = 'spec.parentResource';
const rolling = { apiVersion: 'v1', resource: 'pods', updateStrategy: { method: 'RollingInPlace', statusChecks: {} } };

const RULE_CASES: Record<keyof typeof RULES, Cases<GivenComposite>> = {
  nameIsDnsSubdomain: [
    [{ metadata: { name: 'a.b-1' } }],
    [{ metadata: {} }],
    [{ metadata: { name: 'a'.repeat(254) } }, 'invalid-value metadata.name'],
    [{ metadata: { name: '-a' } }, 'invalid-value metadata.name'],
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
  childRulesAreDistinct: [
    [children({ apiVersion: 'v1', resource: 'events' }, { apiVersion: 'events.k8s.io/v1', resource: 'events' }, {})],
    [
      children(undefined, { apiVersion: 'a/v1', resource: 'x' }, { apiVersion: 'a/v2', resource: 'x' }),
      `conflicting-fields ${C}[2].resource`,
    ],
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
