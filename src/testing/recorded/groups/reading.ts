// How bodies are read: types, canonical texts, defaults after a patch, the status subresource.

import type { RecordedCase, RecordedGroup } from '../case.ts';
import { CONTAINER, POD, workload } from './objects.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments';
const DEPLOYMENT = workload('apps/v1', 'Deployment');
const typed = (name: string, body: object, path = '{core}/pods'): RecordedCase => ({
  name,
  send: `POST ${path}?dryRun=All`,
  body: body as never,
});
const patched = (name: string, as: string, body: unknown, path = `${DEPLOYMENTS}/work`): RecordedCase => ({
  name,
  send: `PATCH ${path}?dryRun=All`,
  as,
  body: body as never,
});
const pod = (spec: object): object => ({ ...POD, spec: { containers: [CONTAINER], ...spec } });

export const READING: RecordedGroup = {
  name: 'reading',
  cases: [
    typed('spec is a list', { ...POD, spec: [] }),
    typed('containers are an object', pod({ containers: {} })),
    typed('container is text', pod({ containers: ['x'] })),
    typed('name is a number', { ...POD, metadata: { name: 5 } }),
    typed('metadata is text', { ...POD, metadata: 'x' }),
    typed('boolean as text', pod({ hostNetwork: 'true' })),
    typed('number as text', pod({ terminationGracePeriodSeconds: '5' })),
    typed('fraction of a whole number', pod({ terminationGracePeriodSeconds: 5.5 })),
    typed('number with a fraction of zero', pod({ terminationGracePeriodSeconds: 5.0 })),
    typed('text as number', pod({ nodeName: 5 })),
    typed('list of other types', pod({ containers: [{ ...CONTAINER, args: [1] }] })),
    typed('null in a list', pod({ containers: [{ ...CONTAINER, args: ['a', null] }] })),
    typed(
      'null everywhere',
      pod({
        containers: [{ ...CONTAINER, args: null, env: null, resources: null }],
        volumes: null,
        securityContext: null,
      }),
    ),
    typed(
      'empty values everywhere',
      pod({
        containers: [{ ...CONTAINER, args: [], env: [], resources: {}, workingDir: '' }],
        volumes: [],
        nodeSelector: {},
        hostNetwork: false,
      }),
    ),
    typed('port as a list', pod({ containers: [{ ...CONTAINER, livenessProbe: { httpGet: { port: [] } } }] })),
    typed('port as a fraction', pod({ containers: [{ ...CONTAINER, livenessProbe: { httpGet: { port: 1.5 } } }] })),
    typed('other case of a field', pod({ HostNetwork: true })),
    typed('wrong kind', { ...POD, kind: 'Service' }),
    typed('wrong version', { ...POD, apiVersion: 'v2' }),
    typed(
      'times are canonical',
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'l' },
        spec: { acquireTime: '2019-01-01T02:00:00+02:00' },
      },
      '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases',
    ),
    ...[
      '1000m',
      '1',
      1,
      0.1,
      '0.5',
      '1.5Gi',
      '1024',
      '1024Ki',
      '1e3',
      '1E3',
      '12e6',
      '1000k',
      '1500m',
      '1n',
      '0',
      '-0',
      '+5',
      '.5',
      '5.',
      '1.0',
      '100000000000000000000',
      '9223372036854775807',
      '1.23456789',
      '3e-3',
      '0.0001Ki',
    ].map((amount) =>
      typed(
        `quantity ${JSON.stringify(amount)}`,
        {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'q' },
          spec: { hard: { 'limits.memory': amount } },
        },
        '{core}/resourcequotas',
      ),
    ),
    ...['1.5.2', '1Xi', 'Ki', ' 1', '1 ', '1ee3', '--1', '0x5'].map((amount) =>
      typed(
        `no quantity ${JSON.stringify(amount)}`,
        {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'q' },
          spec: { hard: { 'limits.memory': amount } },
        },
        '{core}/resourcequotas',
      ),
    ),
    { name: 'deployment to patch', send: `POST ${DEPLOYMENTS}`, body: DEPLOYMENT },
    patched('replicas by merge patch', 'merge', { spec: { replicas: 3 } }),
    patched('replicas by strategic patch', 'strategic', { spec: { replicas: 3 } }),
    patched('replicas by json patch', 'json', [{ op: 'replace', path: '/spec/replicas', value: 3 }]),
    patched('replicas away', 'merge', { spec: { replicas: null } }),
    patched('negative replicas by patch', 'merge', { spec: { replicas: -1 } }),
    patched('replicas as text by patch', 'merge', { spec: { replicas: 'x' } }),
    patched('selector by patch', 'merge', { spec: { selector: { matchLabels: { app: 'b' } } } }),
    patched('strategy by patch', 'merge', { spec: { strategy: { type: 'Recreate' } } }),
    patched('strategy and no rolling update by patch', 'merge', {
      spec: { strategy: { type: 'Recreate', rollingUpdate: null } },
    }),
    patched('containers by merge patch', 'merge', { spec: { template: { spec: { containers: [{ name: 'x' }] } } } }),
    patched('unknown field by patch', 'merge', { spec: { nonsense: 1 } }),
    patched('same by patch', 'merge', { spec: { replicas: 1 } }),
    patched(
      'status by patch',
      'merge',
      { status: { replicas: 2, conditions: [{ type: 'A', status: 'True' }] } },
      `${DEPLOYMENTS}/work/status`,
    ),
    patched(
      'bad status by patch',
      'merge',
      { status: { replicas: -2, readyReplicas: 5 } },
      `${DEPLOYMENTS}/work/status`,
    ),
    {
      name: 'scale up',
      send: `PATCH ${DEPLOYMENTS}/work/scale?dryRun=All`,
      as: 'merge',
      body: { spec: { replicas: 2 } },
    },
    {
      name: 'scale below zero',
      send: `PATCH ${DEPLOYMENTS}/work/scale?dryRun=All`,
      as: 'merge',
      body: { spec: { replicas: -2 } },
    },
    { name: 'get the deployment', send: `GET ${DEPLOYMENTS}/work` },
    { name: 'create it again', send: `POST ${DEPLOYMENTS}`, body: DEPLOYMENT },
    { name: 'create a bad one of its name', send: `POST ${DEPLOYMENTS}`, body: { ...DEPLOYMENT, spec: {} } },
    {
      name: 'update what is not there',
      send: `PUT ${DEPLOYMENTS}/none`,
      body: { ...DEPLOYMENT, metadata: { name: 'none' } },
    },
    {
      name: 'update under another name',
      send: `PUT ${DEPLOYMENTS}/work`,
      body: { ...DEPLOYMENT, metadata: { name: 'none' } },
    },
  ],
};
