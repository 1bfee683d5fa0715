// PodDisruptionBudget, HorizontalPodAutoscaler, ResourceQuota, LimitRange, PriorityClass, Lease, Node.

import { creates, type RecordedGroup, updates } from '../case.ts';

const budgets = '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets';
const scalers = '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers';
const oldScalers = '/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers';
const leases = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases';
const priorities = '/apis/scheduling.k8s.io/v1/priorityclasses';
const BUDGET = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'pdb' },
  spec: { selector: { matchLabels: { a: 'b' } } },
};
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'work' };
const SCALER = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'hpa' },
  spec: { scaleTargetRef, maxReplicas: 3 },
};
const QUOTA = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'quota' }, spec: { hard: { pods: '10' } } };
const RANGE = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'range' },
  spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '100m' } }] },
};
const PRIORITY = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: '{ns}-high' },
  value: 1000,
};
const LEASE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'lease' } };
const NODE = { apiVersion: 'v1', kind: 'Node', metadata: { name: '{ns}-node' } };

export const POLICIES: RecordedGroup = {
  name: 'policies',
  cases: [
    ...creates(budgets, BUDGET, {
      minimal: {},
      'no spec': { spec: null },
      'min available': { spec: { minAvailable: 1 } },
      'min available in percent': { spec: { minAvailable: '50%' } },
      'max unavailable': { spec: { maxUnavailable: '30%', unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
      both: { spec: { minAvailable: 1, maxUnavailable: 1 } },
      negative: { spec: { minAvailable: -1 } },
      'bad percent': { spec: { maxUnavailable: '101%' } },
      'no percent': { spec: { maxUnavailable: 'x' } },
      'bad selector': { spec: { selector: { matchLabels: { 'a b': 'c' } } } },
      'bad policy': { spec: { unhealthyPodEvictionPolicy: 'Never' } },
    }),
    ...updates(budgets, BUDGET, {
      'max unavailable': { spec: { maxUnavailable: 1 } },
      both: { spec: { minAvailable: 1, maxUnavailable: 1 } },
    }),
    ...creates(scalers, SCALER, {
      minimal: {},
      'no spec': { spec: null },
      'no maximum': { spec: { maxReplicas: null } },
      'minimum above maximum': { spec: { minReplicas: 5 } },
      'minimum zero': { spec: { minReplicas: 0 } },
      'no target': { spec: { scaleTargetRef: null } },
      'bad target': { spec: { scaleTargetRef: { kind: 'A/B', name: '', apiVersion: 'x/y/z' } } },
      'cpu metric': {
        spec: {
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
          ],
        },
      },
      'bad metrics': {
        spec: {
          metrics: [
            { type: '' },
            { type: 'Odd' },
            { type: 'Resource' },
            { type: 'Resource', resource: { name: '', target: { type: 'Utilization', averageUtilization: 0 } } },
          ],
        },
      },
      'pods metric': {
        spec: {
          metrics: [
            { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1000m' } } },
          ],
        },
      },
      'external metric': {
        spec: {
          metrics: [{ type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '10k' } } }],
        },
      },
      behaviour: { spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 5 } } } },
      'bad behaviour': {
        spec: {
          behavior: {
            scaleUp: {
              stabilizationWindowSeconds: 4000,
              policies: [{ type: 'Odd', value: 0, periodSeconds: 0 }],
              selectPolicy: 'Any',
            },
          },
        },
      },
    }),
    ...updates(scalers, SCALER, { 'more replicas': { spec: { maxReplicas: 5 } }, none: { spec: { maxReplicas: 0 } } }),
    ...creates(
      oldScalers,
      { ...SCALER, apiVersion: 'autoscaling/v1' },
      { 'old version': {}, 'cpu in the old version': { spec: { targetCPUUtilizationPercentage: 70 } } },
    ),
    ...creates('{core}/resourcequotas', QUOTA, {
      minimal: {},
      'no spec': { spec: null },
      'other notations': { spec: { hard: { cpu: '1000m', memory: '1024Mi', 'count/things.example.com': 5 } } },
      'negative hard': { spec: { hard: { pods: '-1' } } },
      'hard of an unknown resource': { spec: { hard: { 'x y': '1' } } },
      'part of a service': { spec: { hard: { services: '1500m' } } },
      'bad scopes': { spec: { scopes: ['Odd', 'BestEffort', 'NotBestEffort'] } },
      'scope of another resource': { spec: { hard: { 'requests.cpu': '1' }, scopes: ['BestEffort'] } },
    }),
    ...updates('{core}/resourcequotas', QUOTA, {
      more: { spec: { hard: { pods: '20' } } },
      scopes: { spec: { scopes: ['Terminating'] } },
    }),
    ...creates('{core}/limitranges', RANGE, {
      minimal: {},
      'no limits': { spec: { limits: null } },
      'minimum above maximum': { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }] } },
      'defaults out of bounds': {
        spec: {
          limits: [
            {
              type: 'Container',
              max: { cpu: '2' },
              min: { cpu: '1' },
              default: { cpu: '3' },
              defaultRequest: { cpu: '500m' },
            },
          ],
        },
      },
      'two of one type': {
        spec: {
          limits: [
            { type: 'Pod', max: { cpu: '1' } },
            { type: 'Pod', max: { cpu: '2' } },
          ],
        },
      },
      'pod with default': { spec: { limits: [{ type: 'Pod', default: { cpu: '1' } }] } },
      'claim limits': { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }] } },
      'claim without limits': { spec: { limits: [{ type: 'PersistentVolumeClaim', default: { storage: '1Gi' } }] } },
      'no type': { spec: { limits: [{ max: { cpu: '1' } }] } },
      ratio: { spec: { limits: [{ type: 'Container', maxLimitRequestRatio: { cpu: '0.5' } }] } },
    }),
    ...creates(priorities, PRIORITY, {
      minimal: {},
      full: { globalDefault: false, description: 'd', preemptionPolicy: 'Never' },
      'too high': { value: 2_000_000_000 },
      'system name': { metadata: { name: 'system-x' } },
      'bad policy': { preemptionPolicy: 'Maybe' },
    }),
    ...updates(priorities, PRIORITY, {
      'another value': { value: 5 },
      'another policy': { preemptionPolicy: 'Never' },
      'another text': { description: 'x' },
    }),
    ...creates(leases, LEASE, {
      minimal: {},
      full: {
        spec: {
          holderIdentity: 'me',
          leaseDurationSeconds: 15,
          acquireTime: '2024-01-01T00:00:00.5Z',
          renewTime: '2024-01-01T00:00:00.000000Z',
          leaseTransitions: 0,
        },
      },
      bad: { spec: { leaseDurationSeconds: 0, leaseTransitions: -1, holderIdentity: '' } },
      'bad time': { spec: { renewTime: 'now' } },
    }),
    ...creates('/api/v1/nodes', NODE, {
      minimal: {},
      taints: {
        spec: {
          taints: [{ key: 'a', effect: 'NoSchedule' }],
          unschedulable: true,
          podCIDR: '10.1.0.0/24',
          providerID: 'x://y',
        },
      },
      'bad taints': {
        spec: {
          taints: [
            { key: '', effect: '' },
            { key: 'a', effect: 'Odd' },
            { key: 'a', value: 'b c', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoSchedule' },
          ],
        },
      },
      capacity: { status: { capacity: { cpu: '1000m', memory: '1Gi' } } },
    }),
    ...updates('/api/v1/nodes', NODE, {
      unschedulable: { spec: { unschedulable: true } },
      'pod range': { spec: { podCIDR: '10.1.0.0/24' } },
    }),
  ],
};
