// What stands in a container: probes, environment, ports, resources, mounts, security.

import { creates, type RecordedGroup } from '../case.ts';
import { app, CONTAINER, POD } from './objects.ts';

const http = { httpGet: { port: 80 } };

export const CONTAINERS: RecordedGroup = {
  name: 'containers',
  cases: creates('{core}/pods', POD, {
    'http probe': app({
      livenessProbe: http,
      readinessProbe: { httpGet: { port: 'web', path: 'x', httpHeaders: [{ name: 'A', value: 'b' }] } },
    }),
    'exec probe': app({ startupProbe: { exec: { command: ['true'] }, failureThreshold: 30 } }),
    'tcp and grpc probes': app({ livenessProbe: { tcpSocket: { port: 80 } }, readinessProbe: { grpc: { port: 80 } } }),
    'probe without handler': app({ livenessProbe: {} }),
    'probe with two handlers': app({ livenessProbe: { ...http, tcpSocket: { port: 1 } } }),
    'negative probe times': app({
      livenessProbe: {
        ...http,
        initialDelaySeconds: -1,
        timeoutSeconds: -1,
        periodSeconds: -1,
        failureThreshold: -1,
        successThreshold: -1,
      },
    }),
    'liveness success threshold': app({ livenessProbe: { ...http, successThreshold: 2 } }),
    'probe ports': app({
      livenessProbe: { httpGet: { port: 0 } },
      readinessProbe: { tcpSocket: { port: 'Bad_port_name_that_is_long' } },
    }),
    'probe scheme and header': app({
      livenessProbe: { httpGet: { port: 1, scheme: 'FTP', httpHeaders: [{ name: 'a b', value: 'c' }] } },
    }),
    'exec probe without command': app({ livenessProbe: { exec: {} } }),
    'probe grace period': app({
      livenessProbe: { ...http, terminationGracePeriodSeconds: 0 },
      readinessProbe: { ...http, terminationGracePeriodSeconds: 5 },
    }),
    lifecycle: app({ lifecycle: { postStart: { exec: { command: ['a'] } }, preStop: { httpGet: { port: 80 } } } }),
    'bad lifecycle': app({ lifecycle: { postStart: {}, preStop: { sleep: { seconds: -1 } } } }),
    environment: app({
      env: [
        { name: 'A', value: 'b' },
        { name: 'B' },
        { name: 'C', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
    }),
    'environment from everywhere': app({
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 's', key: 'k', optional: true } } },
        { name: 'C', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
      ],
      envFrom: [{ prefix: 'P_', configMapRef: { name: 'c' } }, { secretRef: { name: 's', optional: false } }],
    }),
    'environment names': app({ env: [{ name: '' }, { name: 'a=b' }, { name: '1-.a' }] }),
    'value and valueFrom': app({
      env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    }),
    'empty valueFrom': app({ env: [{ name: 'A', valueFrom: {} }] }),
    'two sources of a variable': app({
      env: [
        { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 'a', key: 'b' } } },
      ],
    }),
    'field references': app({
      env: [
        { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.nothing' } } },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: '' } } },
        { name: 'C', valueFrom: { fieldRef: { fieldPath: 'spec.hostNetwork' } } },
        { name: 'D', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } },
        { name: 'E', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['a']" } } },
        { name: 'F', valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } } },
      ],
    }),
    'key references': app({
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { name: '', key: '' } } },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 'a', key: 'b c' } } },
      ],
    }),
    'resource references': app({
      env: [
        { name: 'A', valueFrom: { resourceFieldRef: { resource: '' } } },
        { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.gpu', divisor: '3' } } },
      ],
    }),
    'bad envFrom': app({
      envFrom: [
        {},
        { prefix: '=', configMapRef: { name: '' } },
        { configMapRef: { name: 'a' }, secretRef: { name: 'b' } },
      ],
    }),
    ports: app({ ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP', name: 'dns' }] }),
    'bad ports': app({
      ports: [
        { containerPort: 0 },
        { containerPort: 70000 },
        { containerPort: 1, name: 'Bad_Name' },
        { containerPort: 2, protocol: 'tcp' },
        { containerPort: 3, hostPort: 65536 },
      ],
    }),
    'port without number': app({ ports: [{ name: 'web' }] }),
    'port names twice': app({
      ports: [
        { containerPort: 1, name: 'web' },
        { containerPort: 2, name: 'web' },
      ],
    }),
    'port name too long': app({ ports: [{ containerPort: 1, name: 'a-port-with-a-name' }] }),
    'port twice': app({ ports: [{ containerPort: 1 }, { containerPort: 1 }] }),
    resources: app({
      resources: {
        limits: { cpu: '1000m', memory: '1024Mi' },
        requests: { cpu: 0.5, memory: '1e3', 'ephemeral-storage': '1.5Gi' },
      },
    }),
    'limits only': app({ resources: { limits: { cpu: 2, memory: '1Gi' } } }),
    'requests above limits': app({
      resources: { limits: { cpu: '1' }, requests: { cpu: '2' } },
    }),
    'negative resources': app({ resources: { limits: { cpu: '-1' }, requests: { cpu: '-1' } } }),
    'unknown resource': app({ resources: { limits: { gpu: '1' } } }),
    'resource of other things': app({ resources: { limits: { storage: '1' } } }),
    'resource name': app({ resources: { limits: { 'a b': '1' } } }),
    'extended resource name': app({ resources: { limits: { 'example.com/a b': '2' } } }),
    'fractions of whole resources': app({ resources: { limits: { 'example.com/gpu': '1500m', memory: '100m' } } }),
    'request without limit of an extended resource': app({ resources: { requests: { 'example.com/gpu': '1' } } }),
    'huge pages': app({ resources: { limits: { 'hugepages-2Mi': '4Mi' } } }),
    'huge pages with cpu': app({
      resources: { limits: { 'hugepages-2Mi': '4Mi', cpu: '1' }, requests: { 'hugepages-2Mi': '2Mi' } },
    }),
    'sub-milli cpu': app({ resources: { requests: { cpu: '100u' } } }),
    'bad quantity': app({ resources: { requests: { cpu: 'much' } } }),
    'empty quantity': app({ resources: { requests: { cpu: '' } } }),
    'quantity of another type': app({ resources: { requests: { cpu: true } } }),
    'mount without volume': app({ volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
    'pull policy': app({ imagePullPolicy: 'Sometimes' }),
    'termination message policy': app({ terminationMessagePolicy: 'Loud', terminationMessagePath: '/x' }),
    'security context': app({ securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
    'more security context': app({
      securityContext: {
        runAsUser: -1,
        capabilities: { add: ['NET_ADMIN'] },
        procMount: 'Odd',
        seccompProfile: { type: 'Localhost' },
      },
    }),
    'all of security': app({
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
        seccompProfile: { type: 'Unconfined' },
        appArmorProfile: { type: 'RuntimeDefault' },
      },
    }),
    'init containers': {
      spec: {
        initContainers: [
          { name: 'init', image: 'busybox' },
          { name: 'side', image: 'busybox:1', restartPolicy: 'Always', startupProbe: http },
        ],
      },
    },
    'bad init containers': {
      spec: {
        initContainers: [
          { name: 'app', image: 'a' },
          { name: 'b', image: 'a', livenessProbe: http, lifecycle: { preStop: { exec: { command: ['a'] } } } },
        ],
      },
    },
    'restart policy of a container': app({ restartPolicy: 'Often' }),
    'ephemeral containers': { spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox' }] } },
    'working dir and args': {
      spec: { containers: [{ ...CONTAINER, command: ['a'], args: ['b'], workingDir: '/', stdin: true, tty: false }] },
    },
    'resize policy': app({
      resizePolicy: [
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
        { resourceName: 'gpu', restartPolicy: 'Soon' },
      ],
    }),
  }),
};
