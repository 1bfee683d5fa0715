// Pods: what is filled in, what is refused, what may be changed.

import { creates, type RecordedGroup, updates } from '../case.ts';
import { app, CONTAINER, POD } from './objects.ts';

const PATH = '{core}/pods';

export const PODS: RecordedGroup = {
  name: 'pods',
  cases: [
    ...creates(PATH, POD, {
      minimal: {},
      'no spec': { spec: null },
      'no containers': { spec: { containers: null } },
      'empty containers': { spec: { containers: [] } },
      'unnamed container': { spec: { containers: [{ image: 'nginx' }] } },
      'container without image': { spec: { containers: [{ name: 'app' }] } },
      'image with spaces': app({ image: ' nginx ' }),
      'latest image': app({ image: 'nginx' }),
      'image by digest': app({ image: `nginx@sha256:${'a'.repeat(64)}` }),
      'image of a registry with a port': app({ image: 'registry.example.com:5000/nginx' }),
      'two containers of one name': { spec: { containers: [CONTAINER, CONTAINER] } },
      'container with a bad name': app({ name: 'App_1' }),
      'bad name': { metadata: { name: 'Pod_1' } },
      'no name': { metadata: { name: null } },
      'generated name': { metadata: { name: null, generateName: 'gen-' } },
      'bad label': { metadata: { labels: { 'a b': 'c d' } } },
      'bad annotation': { metadata: { annotations: { 'a b': 'c' } } },
      'bad restart policy': { spec: { restartPolicy: 'Sometimes' } },
      'bad dns policy': { spec: { dnsPolicy: 'None' } },
      'unknown dns policy': { spec: { dnsPolicy: 'Never' } },
      'dns config': {
        spec: { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.2.3.4'], options: [{ name: 'ndots', value: '2' }] } },
      },
      'negative grace period': { spec: { terminationGracePeriodSeconds: -1 } },
      'zero grace period': { spec: { terminationGracePeriodSeconds: 0 } },
      'deadline zero': { spec: { activeDeadlineSeconds: 0 } },
      'host network': { spec: { hostNetwork: true, containers: [{ ...CONTAINER, ports: [{ containerPort: 80 }] }] } },
      'host port without host network': {
        spec: { hostNetwork: true, containers: [{ ...CONTAINER, ports: [{ containerPort: 80, hostPort: 81 }] }] },
      },
      'same host port twice': app({
        ports: [
          { containerPort: 80, hostPort: 8080 },
          { containerPort: 81, hostPort: 8080 },
        ],
      }),
      'service account': { spec: { serviceAccountName: 'robot' } },
      'deprecated service account': { spec: { serviceAccount: 'robot' } },
      'bad service account': { spec: { serviceAccountName: 'Robot_1' } },
      'bad node name': { spec: { nodeName: 'Node_1' } },
      'bad hostname': { spec: { hostname: 'Host_1', subdomain: 'Sub_1' } },
      'bad node selector': { spec: { nodeSelector: { 'a b': 'c d' } } },
      'unknown priority class': { spec: { priorityClassName: 'no-such-class' } },
      'explicit priority': { spec: { priority: 5 } },
      'system priority': { spec: { priorityClassName: 'system-node-critical' } },
      tolerations: {
        spec: { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }] },
      },
      'all tolerated': { spec: { tolerations: [{ operator: 'Exists' }] } },
      'bad tolerations': {
        spec: {
          tolerations: [
            { operator: 'Equal', value: 'v' },
            { key: 'a', operator: 'Exists', value: 'v' },
            { key: 'a', operator: 'Maybe', effect: 'Now' },
            { key: 'a', tolerationSeconds: 5, effect: 'NoSchedule' },
          ],
        },
      },
      'host aliases': {
        spec: {
          hostAliases: [
            { ip: '1.2.3.4', hostnames: ['a.b'] },
            { ip: 'x', hostnames: ['A_'] },
          ],
        },
      },
      'bad pull secret': { spec: { imagePullSecrets: [{ name: '' }, { name: 'ok' }] } },
      'bad preemption policy': { spec: { preemptionPolicy: 'Perhaps' } },
      'host users off': { spec: { hostUsers: false } },
      'os windows': { spec: { os: { name: 'windows' } } },
      'bad os': { spec: { os: { name: 'beos' } } },
      'readiness gates': { spec: { readinessGates: [{ conditionType: 'example.com/a' }, { conditionType: '' }] } },
      'scheduling gates': { spec: { schedulingGates: [{ name: 'a' }, { name: 'a' }, { name: 'B C' }] } },
      'topology spread': {
        spec: {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: { a: 'b' } },
            },
          ],
        },
      },
      'bad topology spread': {
        spec: { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Maybe' }] },
      },
      'node affinity': {
        spec: {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
              },
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
              ],
            },
          },
        },
      },
      'bad node affinity': {
        spec: {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  {
                    matchExpressions: [
                      { key: 'a b', operator: 'In' },
                      { key: 'a', operator: 'Exists', values: ['b'] },
                      { key: 'a', operator: 'Gt', values: ['b'] },
                      { key: 'a', operator: 'Has' },
                    ],
                  },
                ],
              },
              preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }],
            },
          },
        },
      },
      'no node selector terms': {
        spec: { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } },
      },
      'bad pod affinity': {
        spec: {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { a: 'b c' } } }],
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 101, podAffinityTerm: { topologyKey: 'a b' } },
              ],
            },
          },
        },
      },
      'everything of the pod': {
        metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['example.com/x'] },
        spec: {
          restartPolicy: 'OnFailure',
          terminationGracePeriodSeconds: 5,
          activeDeadlineSeconds: 10,
          dnsPolicy: 'Default',
          nodeSelector: { a: 'b' },
          automountServiceAccountToken: false,
          hostPID: true,
          shareProcessNamespace: false,
          securityContext: {
            runAsUser: 0,
            fsGroup: 5,
            supplementalGroups: [1],
            seccompProfile: { type: 'RuntimeDefault' },
            sysctls: [{ name: 'net.core.somaxconn', value: '1' }],
          },
          imagePullSecrets: [{ name: 'a' }],
          hostname: 'h',
          subdomain: 's',
          schedulerName: 'other',
          enableServiceLinks: false,
          setHostnameAsFQDN: true,
          overhead: { cpu: '10m' },
        },
      },
    }),
    ...updates(
      PATH,
      { ...POD, metadata: { name: 'pod', labels: { a: 'b' } } },
      {
        same: {},
        'another image': app({ image: 'nginx:1.28' }),
        'no image': app({ image: '' }),
        'another label': { metadata: { labels: { a: 'c' } } },
        'another command': app({ command: ['sh'] }),
        'one more container': { spec: { containers: [CONTAINER, { name: 'b', image: 'b' }] } },
        'another restart policy': { spec: { restartPolicy: 'Never' } },
        'a deadline': { spec: { activeDeadlineSeconds: 10 } },
        'one more toleration': { spec: { tolerations: [{ key: 'x', operator: 'Exists' }] } },
        'a shorter grace period': { spec: { terminationGracePeriodSeconds: 1 } },
        'another node': { spec: { nodeName: 'elsewhere' } },
        'another resource request': app({ resources: { requests: { cpu: '1' } } }),
      },
    ),
  ],
};
