// The objects that the comparison of controllers writes.

import type { JsonObject } from '../../kit/json.ts';

interface Workload {
  readonly replicas?: number;
  readonly image?: string;
  /** Merged over spec. */
  readonly spec?: JsonObject;
}

const templateOf = (name: string, image: string): JsonObject => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'main', image }], terminationGracePeriodSeconds: 5 },
});

export function workload(
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet',
  name: string,
  { replicas, image = 'example.com/app:1', spec = {} }: Workload = {},
): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, labels: { app: name } },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      selector: { matchLabels: { app: name } },
      template: templateOf(name, image),
      ...spec,
    },
  };
}

export function job(name: string, spec: JsonObject = {}): JsonObject {
  const { metadata, spec: podSpec } = templateOf(name, 'example.com/app:1') as {
    metadata: JsonObject;
    spec: JsonObject;
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { ...spec, template: { metadata, spec: { ...podSpec, restartPolicy: 'Never' } } },
  };
}

export const service = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
});

export const disruptionBudget = (name: string): JsonObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name },
  spec: { maxUnavailable: 1, selector: { matchLabels: { app: name } } },
});

export function configMap(name: string, owners: readonly JsonObject[] = []): JsonObject {
  const ownerReferences = owners.map((owner) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...owner }));
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences }, data: { k: 'v' } };
}
