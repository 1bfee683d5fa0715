// Deployment, ReplicaSet, StatefulSet, DaemonSet, ReplicationController.

import { creates, type RecordedGroup, updates } from '../case.ts';
import { CONTAINER, LONG_LABEL, LONG_NAME, template, workload } from './objects.ts';

const apps = (resource: string): string => `/apis/apps/v1/namespaces/{ns}/${resource}`;
const DEPLOYMENT = workload('apps/v1', 'Deployment');
const REPLICA_SET = workload('apps/v1', 'ReplicaSet');
const STATEFUL_SET = workload('apps/v1', 'StatefulSet', { serviceName: 'svc' });
const DAEMON_SET = workload('apps/v1', 'DaemonSet');
const CONTROLLER = workload('v1', 'ReplicationController', { selector: { app: 'a' } });

/** What all four kinds of apps/v1 are asked alike. */
const COMMON = {
  minimal: {},
  'no spec': { spec: null },
  'no selector': { spec: { selector: null } },
  'empty selector': { spec: { selector: { matchLabels: null } } },
  'selector of something else': { spec: { selector: { matchLabels: { app: 'b' } } } },
  'bad selector': {
    spec: {
      selector: {
        matchLabels: { 'a b': 'c d' },
        matchExpressions: [
          { key: 'a', operator: 'In' },
          { key: 'b', operator: 'Exists', values: ['x'] },
          { key: 'c', operator: 'Like' },
        ],
      },
    },
  },
  'no template': { spec: { template: null } },
  'template without labels': { spec: { template: { metadata: null } } },
  'template with bad labels': { spec: { template: { metadata: { labels: { app: 'a', 'x y': '!' } } } } },
  'template without containers': template({ containers: null }),
  'template that restarts never': template({ restartPolicy: 'Never' }),
  'negative ready seconds': { spec: { minReadySeconds: -1 } },
};
const REPLICAS = {
  'negative replicas': { spec: { replicas: -1 } },
  'no replicas': { spec: { replicas: 0 } },
  'replicas as text': { spec: { replicas: '3' } },
  'replicas as fraction': { spec: { replicas: 1.5 } },
  'replicas too large': { spec: { replicas: 3_000_000_000 } },
};

export const WORKLOADS: RecordedGroup = {
  name: 'workloads',
  cases: [
    ...creates(apps('deployments'), DEPLOYMENT, {
      ...COMMON,
      ...REPLICAS,
      'long name': { metadata: { name: LONG_NAME } },
      recreate: { spec: { strategy: { type: 'Recreate' } } },
      'recreate with rolling update': { spec: { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } } },
      'unknown strategy': { spec: { strategy: { type: 'BigBang' } } },
      'rolling update': { spec: { strategy: { rollingUpdate: { maxSurge: '50%', maxUnavailable: 0 } } } },
      'rolling update of nothing': { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } } },
      'bad rolling update': { spec: { strategy: { rollingUpdate: { maxSurge: 'x', maxUnavailable: '101%' } } } },
      'negative rolling update': { spec: { strategy: { rollingUpdate: { maxSurge: -1, maxUnavailable: -2 } } } },
      'negative history': { spec: { revisionHistoryLimit: -1, progressDeadlineSeconds: -1 } },
      'deadline below ready seconds': { spec: { minReadySeconds: 10, progressDeadlineSeconds: 10 } },
      'template with deadline': template({ activeDeadlineSeconds: 5 }),
      'template with limits': template({ containers: [{ ...CONTAINER, resources: { limits: { cpu: '2000m' } } }] }),
      'template with creation time null': { spec: { template: { metadata: { creationTimestamp: null } } } },
      'with status': { status: { replicas: 3 } },
      paused: { spec: { paused: true } },
    }),
    ...updates(apps('deployments'), DEPLOYMENT, {
      same: {},
      'another selector': {
        spec: { selector: { matchLabels: { app: 'b' } }, template: { metadata: { labels: { app: 'b' } } } },
      },
      'selector beside the template': { spec: { selector: { matchLabels: { app: 'b' } } } },
      'negative replicas': { spec: { replicas: -1 } },
      'three replicas': { spec: { replicas: 3 } },
      'another image': template({ containers: [{ ...CONTAINER, image: 'nginx:1.28' }] }),
      'an annotation': { metadata: { annotations: { a: 'b' } } },
      'a status': { status: { replicas: 3 } },
      'another uid': { metadata: { uid: 'other' } },
      'no containers': template({ containers: [] }),
    }),
    ...creates(apps('replicasets'), REPLICA_SET, { ...COMMON, ...REPLICAS }),
    ...updates(apps('replicasets'), REPLICA_SET, {
      'another selector': {
        spec: { selector: { matchLabels: { app: 'b' } }, template: { metadata: { labels: { app: 'b' } } } },
      },
      'another image': template({ containers: [{ ...CONTAINER, image: 'nginx:1.28' }] }),
      'negative replicas': { spec: { replicas: -1 } },
    }),
    ...creates(apps('statefulsets'), STATEFUL_SET, {
      ...COMMON,
      'negative replicas': { spec: { replicas: -1 } },
      'no service name': { spec: { serviceName: null } },
      'bad service name': { spec: { serviceName: 'Bad_1' } },
      'long name': { metadata: { name: LONG_LABEL } },
      'on delete': { spec: { updateStrategy: { type: 'OnDelete' } } },
      'on delete with partition': { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } } },
      'bad partition': { spec: { updateStrategy: { rollingUpdate: { partition: -1, maxUnavailable: 0 } } } },
      'unknown strategy': { spec: { updateStrategy: { type: 'BigBang' } } },
      'bad management policy': { spec: { podManagementPolicy: 'Chaotic' } },
      parallel: { spec: { podManagementPolicy: 'Parallel' } },
      'retention policy': { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } } },
      'bad retention policy': {
        spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep', whenScaled: 'Delete' } },
      },
      'claim templates': {
        spec: {
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
            },
          ],
        },
      },
      'negative history': { spec: { revisionHistoryLimit: -1 } },
      ordinals: { spec: { ordinals: { start: -1 } } },
      'mount of a claim template': {
        spec: {
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
          template: { spec: { containers: [{ ...CONTAINER, volumeMounts: [{ name: 'data', mountPath: '/d' }] }] } },
        },
      },
    }),
    ...updates(apps('statefulsets'), STATEFUL_SET, {
      'three replicas': { spec: { replicas: 3 } },
      'another service': { spec: { serviceName: 'other' } },
      'another selector': {
        spec: { selector: { matchLabels: { app: 'b' } }, template: { metadata: { labels: { app: 'b' } } } },
      },
      'another management policy': { spec: { podManagementPolicy: 'Parallel' } },
      'claim templates': {
        spec: {
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
        },
      },
      'another image': template({ containers: [{ ...CONTAINER, image: 'nginx:1.28' }] }),
      'history limit': { spec: { revisionHistoryLimit: 3 } },
    }),
    ...creates(apps('daemonsets'), DAEMON_SET, {
      ...COMMON,
      'on delete': { spec: { updateStrategy: { type: 'OnDelete' } } },
      surge: { spec: { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } } },
      'surge and unavailable': { spec: { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } } },
      'neither surge nor unavailable': { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } } },
      'unknown strategy': { spec: { updateStrategy: { type: 'BigBang' } } },
      'negative history': { spec: { revisionHistoryLimit: -1 } },
      'template generation': { metadata: { annotations: { 'deprecated.daemonset.template.generation': '5' } } },
    }),
    ...updates(apps('daemonsets'), DAEMON_SET, {
      'another selector': {
        spec: { selector: { matchLabels: { app: 'b' } }, template: { metadata: { labels: { app: 'b' } } } },
      },
      'another image': template({ containers: [{ ...CONTAINER, image: 'nginx:1.28' }] }),
      same: {},
    }),
    ...creates('{core}/replicationcontrollers', CONTROLLER, {
      minimal: {},
      'no selector': { spec: { selector: null } },
      'no template': { spec: { template: null } },
      'selector of something else': { spec: { selector: { app: 'b' } } },
      'negative replicas': { spec: { replicas: -1, minReadySeconds: -1 } },
      'no template labels': { spec: { template: { metadata: null } } },
    }),
  ],
};
