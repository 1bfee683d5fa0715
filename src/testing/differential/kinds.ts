// Kinds whose objects are made at random for the comparison with the real server. Small vocabularies, so that managers
// meet each other's fields; only what both servers must answer the same without a controller having its say.

import type { JsonObject, JsonValue, MutableJsonObject } from '../../kit/json.ts';
import { pick } from '../random-json.ts';

type Random = () => number;

export interface DifferentialKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly custom?: boolean;
  readonly status?: (random: Random) => JsonValue;
  readonly scale?: boolean;
  /** A whole object's content, without apiVersion, kind and name. `partial`: only some of it, as an apply may have. */
  readonly content: (random: Random, partial: boolean) => JsonObject;
}

const chance = (random: Random, share: number): boolean => random() < share;

/** Each with some chance; always in the same order. */
function some(random: Random, share: number, fields: Readonly<Record<string, () => JsonValue>>): JsonObject {
  const out: MutableJsonObject = {};
  for (const [key, make] of Object.entries(fields)) if (chance(random, share)) out[key] = make();
  return out;
}

const words = (random: Random): string => pick(random, ['a', 'b', 'c']);
const textMap = (random: Random, keys: readonly string[] = ['x', 'y', 'z']): JsonObject =>
  some(random, 0.5, Object.fromEntries(keys.map((key) => [key, () => words(random)])));

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const rest = [...items];
  const out: T[] = [];
  while (rest.length > 0) out.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return out;
}

const subset = <T>(random: Random, items: readonly T[], share = 0.6): T[] =>
  shuffled(
    random,
    items.filter(() => chance(random, share)),
  );

/**
 * Maps in the metadata of custom resources are never empty: of an applied empty one the server keeps something that it
 * does not show, and the next write that changes nothing is one.
 */
export function metadata(random: Random, custom = false): JsonObject {
  const textOf = (): JsonObject => ({ ...(custom && { m: words(random) }), ...textMap(random) });
  return some(random, 0.4, {
    labels: textOf,
    annotations: textOf,
    finalizers: () => subset(random, ['example.com/a', 'example.com/b']),
  });
}

function container(random: Random, name: string, partial: boolean): JsonObject {
  return {
    name,
    ...((!partial || chance(random, 0.7)) && { image: pick(random, ['i:1', 'i:2']) }),
    ...some(random, 0.35, {
      command: () => subset(random, ['sh', '-c', 'x']),
      env: () => subset(random, ['A', 'B', 'C']).map((item) => ({ name: item, value: words(random) })),
      ports: () =>
        subset(random, [80, 81, 82]).map((containerPort) => ({
          containerPort,
          ...some(random, 0.4, { protocol: () => pick(random, ['TCP', 'UDP']), name: () => `p${containerPort}` }),
        })),
      resources: () => ({ limits: some(random, 0.6, { cpu: () => '1', memory: () => pick(random, ['1Gi', '2Gi']) }) }),
      imagePullPolicy: () => pick(random, ['Always', 'IfNotPresent']),
      volumeMounts: () => subset(random, ['/v', '/w']).map((mountPath) => ({ mountPath, name: 'v' })),
    }),
  };
}

function podTemplate(random: Random, partial: boolean): JsonObject {
  const names = partial ? subset(random, ['c', 'd']) : ['c', ...subset(random, ['d'])];
  return {
    metadata: { labels: { app: 'x', ...textMap(random) } },
    spec: {
      ...((!partial || names.length > 0) && { containers: names.map((name) => container(random, name, partial)) }),
      ...some(random, 0.3, {
        volumes: () => [{ name: 'v', ...pick(random, [{ emptyDir: {} }, { configMap: { name: 'm' } }]) }],
        nodeSelector: () => textMap(random),
        tolerations: () => subset(random, ['k', 'l']).map((key) => ({ key, operator: 'Exists' })),
        securityContext: () => some(random, 0.5, { runAsUser: () => 1, fsGroup: () => 2 }),
        imagePullSecrets: () => subset(random, ['s', 't']).map((name) => ({ name })),
        terminationGracePeriodSeconds: () => 5,
      }),
    },
  };
}

const conditions = (random: Random): JsonValue =>
  subset(random, ['Ready', 'Synced']).map((type) => ({
    type,
    status: pick(random, ['True', 'False']),
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: 'R',
    message: words(random),
  }));

function workloadSpec(random: Random, partial: boolean): JsonObject {
  return {
    ...((!partial || chance(random, 0.5)) && { selector: { matchLabels: { app: 'x' } } }),
    ...((!partial || chance(random, 0.7)) && { template: podTemplate(random, partial) }),
    ...some(random, 0.5, { replicas: () => pick(random, [0, 1, 2]), minReadySeconds: () => pick(random, [0, 1]) }),
  };
}

const rule = (random: Random): JsonObject => ({
  apiGroups: [''],
  resources: subset(random, ['pods', 'secrets'], 0.9).length === 2 ? ['pods', 'secrets'] : ['pods'],
  verbs: pick(random, [['get'], ['get', 'list']]),
});

// No empty maps and lists inside of atomic values: the server's types tell empty from absent in memory, for one write,
// where what they write as JSON does not.
export const BUILT_INS: readonly DifferentialKind[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    resource: 'configmaps',
    content: (random) =>
      some(random, 0.6, { data: () => textMap(random), binaryData: () => some(random, 0.4, { b: () => 'YQ==' }) }),
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    resource: 'secrets',
    content: (random) =>
      some(random, 0.5, {
        data: () => some(random, 0.5, { x: () => 'YQ==', y: () => 'Yg==' }),
        stringData: () => textMap(random),
      }),
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    resource: 'services',
    content: (random, partial) => ({
      spec: {
        ...((!partial || chance(random, 0.7)) && {
          ports: subset(random, [80, 81, 82], 0.7)
            .concat(partial ? [] : [90])
            .map((port) => ({
              port,
              name: `p${port}`,
              ...some(random, 0.4, {
                targetPort: () => pick<JsonValue>(random, [8080, 'http']),
                protocol: () => 'TCP',
              }),
            })),
        }),
        ...some(random, 0.4, {
          selector: () => textMap(random),
          sessionAffinity: () => pick(random, ['None', 'ClientIP']),
          publishNotReadyAddresses: () => true,
        }),
      },
    }),
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    resource: 'deployments',
    scale: true,
    status: (random) =>
      some(random, 0.5, { replicas: () => 1, observedGeneration: () => 1, conditions: () => conditions(random) }),
    content: (random, partial) => ({
      spec: {
        ...workloadSpec(random, partial),
        ...some(random, 0.3, {
          paused: () => true,
          strategy: () =>
            pick(random, [{ type: 'Recreate' }, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }]),
        }),
      },
    }),
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    resource: 'statefulsets',
    scale: true,
    status: (random) => ({
      replicas: 1,
      ...some(random, 0.5, { currentReplicas: () => 1, conditions: () => conditions(random) }),
    }),
    content: (random, partial) => ({ spec: { serviceName: 's', ...workloadSpec(random, partial) } }),
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    resource: 'cronjobs',
    content: (random, partial) => ({
      spec: {
        ...((!partial || chance(random, 0.6)) && { schedule: pick(random, ['0 0 1 1 *', '0 0 2 1 *']) }),
        ...((!partial || chance(random, 0.5)) && {
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: 'Never', containers: [container(random, 'c', partial)] } } },
          },
        }),
        suspend: true,
        ...some(random, 0.3, { concurrencyPolicy: () => 'Forbid', startingDeadlineSeconds: () => 10 }),
      },
    }),
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    resource: 'ingresses',
    content: (random) => ({
      spec: {
        ...some(random, 0.4, {
          ingressClassName: () => words(random),
          tls: () => [{ hosts: pick(random, [['h'], ['h', 'i']]), secretName: 's' }],
        }),
        rules: pick(random, ['h.example', 'i.example'])
          .split(' ')
          .map((host) => ({
            host,
            http: {
              paths: [
                {
                  path: pick(random, ['/', '/x']),
                  pathType: 'Prefix',
                  backend: { service: { name: 's', port: { number: 80 } } },
                },
              ],
            },
          })),
      },
    }),
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    resource: 'networkpolicies',
    content: (random) => ({
      spec: {
        podSelector: { matchLabels: { app: words(random) } },
        ...some(random, 0.5, {
          policyTypes: () => ['Ingress'],
          ingress: () => [{ from: [{ podSelector: { matchLabels: { app: words(random) } } }], ports: [{ port: 80 }] }],
        }),
      },
    }),
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    resource: 'roles',
    content: (random) => ({ rules: [rule(random), ...(chance(random, 0.4) ? [rule(random)] : [])] }),
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    resource: 'serviceaccounts',
    content: (random) =>
      some(random, 0.5, {
        secrets: () => subset(random, ['s', 't']).map((name) => ({ name })),
        imagePullSecrets: () => subset(random, ['s', 't']).map((name) => ({ name })),
        automountServiceAccountToken: () => chance(random, 0.5),
      }),
  },
];

export const GROUP = 'differential.example.com';

const items = (random: Random): JsonValue =>
  subset(random, ['x', 'y', 'z']).map((name) => ({
    name,
    ...some(random, 0.5, { v: () => pick(random, [1, 2]), note: () => words(random) }),
  }));

export const CUSTOM: readonly DifferentialKind[] = [
  {
    apiVersion: `${GROUP}/v1`,
    kind: 'Widget',
    resource: 'widgets',
    custom: true,
    scale: true,
    status: (random) =>
      some(random, 0.6, {
        replicas: () => pick(random, [1, 2]),
        conditions: () => conditions(random),
        note: () => words(random),
      }),
    content: (random) => ({
      spec: some(random, 0.5, {
        replicas: () => pick(random, [0, 1, 2]),
        color: () => pick(random, ['red', 'blue']),
        items: () => items(random),
        tags: () => subset(random, ['a', 'b', 'c']),
        atomicMap: () => textMap(random),
        list: () => subset(random, [1, 2, 3]),
        labels: () => textMap(random),
        ports: () =>
          subset(random, [80, 81]).map((port) => ({
            port,
            ...some(random, 0.4, { protocol: () => pick(random, ['TCP', 'UDP']) }),
          })),
        nested: () => some(random, 0.6, { a: () => words(random), b: () => textMap(random) }),
      }),
    }),
  },
  {
    apiVersion: `${GROUP}/v1`,
    kind: 'Gadget',
    resource: 'gadgets',
    custom: true,
    content: (random) => ({
      ...some(random, 0.5, {
        port: () => pick<JsonValue>(random, [80, 'http']),
        free: () => ({
          ...textMap(random),
          ...some(random, 0.4, { list: () => items(random), deep: () => ({ m: textMap(random) }) }),
        }),
        // Never without a label: of an empty map in embedded metadata the server keeps something that it does not show.
        template: () => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'n', labels: { n: '1', ...textMap(random) } },
          data: textMap(random),
        }),
        size: () => pick(random, ['1Gi', '2Gi']),
        optional: () => null,
      }),
    }),
  },
];
