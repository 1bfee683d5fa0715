// The daemon as objects of a cluster: one source for `metactl install` and for deploy/kustomize. The Helm chart says the same
// in templates, and a test compares the two.

import type { KubeObject } from '../model/object.ts';
import type { Right } from '../model/right.ts';
import { rolesOf, roleWithBinding } from './roles.ts';

export interface InstallOptions {
  /** Of everything. */
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  readonly replicas: number;
  /** For the daemon, after its election's. */
  readonly arguments: readonly string[];
  /** everything: of whatever controllers there will be, as Metacontroller has it. */
  readonly rights: 'everything' | readonly Right[];
}

/** The Lease has the name that Metacontroller's has: of the two only one is at work where they share a namespace. */
export const LEASE_NAME = 'metacontroller';

const EVERYTHING = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] as const;
/** Nobody; as distroless images have it. */
const USER = 65_532;

export function manifestsOf(options: InstallOptions): readonly KubeObject[] {
  const { name, namespace, rights, replicas } = options;
  const labels = labelsOf(name);
  const serviceAccount = { namespace, name };
  const roles =
    rights === 'everything'
      ? roleWithBinding(EVERYTHING, { name, labels, namespace: undefined, serviceAccount })
      : rolesOf(rights, { name, labels, serviceAccount });
  return [
    namespaceOf(namespace, labels),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels } },
    ...roles,
    deploymentOf(options, labels),
    ...(replicas > 1 ? [budgetOf(options, labels)] : []),
  ];
}

type Labels = Readonly<Record<string, string>>;

const labelsOf = (name: string): Labels => ({
  'app.kubernetes.io/name': 'metactl',
  'app.kubernetes.io/instance': name,
});

/** What the daemon needs of its pods is what the strictest of the pod security standards allows. */
const namespaceOf = (name: string, labels: Labels): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Namespace' },
  metadata: { name, labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'restricted' } },
});

function deploymentOf({ name, namespace, replicas, ...options }: InstallOptions, labels: Labels): KubeObject {
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podOf({ name, ...options }) },
    },
  };
}

function podOf({ name, image, arguments: more }: Pick<InstallOptions, 'name' | 'image' | 'arguments'>) {
  return {
    serviceAccountName: name,
    // --drain-timeout is 20 s, and the lease is given up after it.
    terminationGracePeriodSeconds: 30,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'daemon',
        image,
        args: ['daemon', '--leader-election', ...more],
        ports: [
          { name: 'metrics', containerPort: 9999, protocol: 'TCP' },
          { name: 'health', containerPort: 8081, protocol: 'TCP' },
        ],
        livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 10, periodSeconds: 20 },
        readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 10 },
        // The heap takes what the limit leaves: bin/heap-limit.js.
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
      },
    ],
    volumes: [{ name: 'tmp', emptyDir: {} }],
  };
}

const budgetOf = ({ name, namespace }: InstallOptions, labels: Labels): KubeObject => ({
  ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
  metadata: { name, namespace, labels },
  spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
});
