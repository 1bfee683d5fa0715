// Service, Endpoints, EndpointSlice.

import { creates, type RecordedGroup, updates } from '../case.ts';

const PATH = '{core}/services';
const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'svc' },
  spec: { selector: { app: 'a' }, ports: [{ port: 80 }] },
};
const ENDPOINTS = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'ends' },
  subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80 }] }],
};
const SLICE = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'slice' },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['1.2.3.4'] }],
  ports: [{ port: 80 }],
};
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices';

export const SERVICES: RecordedGroup = {
  name: 'services',
  cases: [
    ...creates(PATH, SERVICE, {
      minimal: {},
      'no spec': { spec: null },
      'no ports': { spec: { ports: null } },
      headless: { spec: { clusterIP: 'None' } },
      'headless without ports': { spec: { clusterIP: 'None', ports: null } },
      'without selector': { spec: { selector: null } },
      'node port': { spec: { type: 'NodePort' } },
      'given node port': { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 31234 }] } },
      'node port of a cluster ip': { spec: { ports: [{ port: 80, nodePort: 31235 }] } },
      'load balancer': { spec: { type: 'LoadBalancer' } },
      'local load balancer': { spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' } },
      'load balancer with ranges': { spec: { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8', 'x'] } },
      'load balancer class': {
        spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/a', allocateLoadBalancerNodePorts: false },
      },
      'class without load balancer': { spec: { loadBalancerClass: 'example.com/a' } },
      'external name': { spec: { type: 'ExternalName', externalName: 'a.example.com', selector: null, ports: null } },
      'external name without name': { spec: { type: 'ExternalName' } },
      'bad external name': { spec: { type: 'ExternalName', externalName: 'A_b' } },
      'external name with address': { spec: { type: 'ExternalName', externalName: 'a.b', clusterIP: 'None' } },
      'unknown type': { spec: { type: 'Magic' } },
      'given address': { spec: { clusterIP: '10.0.77.7' } },
      'address out of range': { spec: { clusterIP: '192.168.1.1' } },
      'bad address': { spec: { clusterIP: 'x' } },
      'two addresses that differ': { spec: { clusterIP: '10.0.77.8', clusterIPs: ['10.0.77.9'] } },
      'two families': { spec: { ipFamilyPolicy: 'RequireDualStack' } },
      'preferred two families': { spec: { ipFamilyPolicy: 'PreferDualStack' } },
      'bad family': { spec: { ipFamilies: ['IPv5'] } },
      six: { spec: { ipFamilies: ['IPv6'] } },
      'bad family policy': { spec: { ipFamilyPolicy: 'Any' } },
      'client ip': { spec: { sessionAffinity: 'ClientIP' } },
      'client ip timeout': {
        spec: { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
      },
      'bad affinity': { spec: { sessionAffinity: 'Sticky' } },
      'target port': {
        spec: { ports: [{ port: 80, targetPort: 'web', protocol: 'UDP', name: 'a', appProtocol: 'http' }] },
      },
      'bad ports': {
        spec: {
          ports: [
            { port: 0, name: 'a' },
            { port: 70000, name: 'B_' },
            { port: 1, targetPort: 'Bad_', name: 'c' },
            { port: 2, targetPort: 0, protocol: 'tcp', name: 'd' },
          ],
        },
      },
      'unnamed ports': { spec: { ports: [{ port: 80 }, { port: 81 }] } },
      'ports of one name': {
        spec: {
          ports: [
            { port: 80, name: 'a' },
            { port: 81, name: 'a' },
          ],
        },
      },
      'ports twice': {
        spec: {
          ports: [
            { port: 80, name: 'a' },
            { port: 80, name: 'b' },
          ],
        },
      },
      'bad app protocol': { spec: { ports: [{ port: 80, appProtocol: 'a b' }] } },
      'bad selector': { spec: { selector: { 'a b': 'c d' } } },
      'bad name': { metadata: { name: 'a.b' } },
      'name begins with a digit': { metadata: { name: '1a' } },
      'external addresses': { spec: { externalIPs: ['1.2.3.4'] } },
      'bad external addresses': { spec: { externalIPs: ['x', '127.0.0.1'] } },
      'external policy of a cluster ip': { spec: { externalTrafficPolicy: 'Local' } },
      'bad policies': { spec: { type: 'NodePort', externalTrafficPolicy: 'Far', internalTrafficPolicy: 'Near' } },
      'traffic distribution': { spec: { trafficDistribution: 'PreferClose' } },
      'bad traffic distribution': { spec: { trafficDistribution: 'Anywhere' } },
      'publish not ready': { spec: { publishNotReadyAddresses: true } },
    }),
    // What is given out is looked at in earnest only where it is kept.
    {
      name: 'node port out of range',
      send: `POST ${PATH}`,
      body: { ...SERVICE, metadata: { name: 'far' }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] } },
    },
    {
      name: 'address of another service',
      send: `POST ${PATH}`,
      body: { ...SERVICE, metadata: { name: 'twin' }, spec: { ...SERVICE.spec, clusterIP: '10.0.0.1' } },
    },
    { name: 'endpoints that are not there', send: 'GET {core}/endpoints/none' },
    ...updates(PATH, SERVICE, {
      same: {},
      'another port': { spec: { ports: [{ port: 81 }] } },
      'another address': { spec: { clusterIP: '10.0.88.8' } },
      'no address': { spec: { clusterIP: 'None' } },
      'node port': { spec: { type: 'NodePort' } },
      'external name': { spec: { type: 'ExternalName', externalName: 'a.b' } },
      'bad selector': { spec: { selector: { a: '-' } } },
    }),
    ...updates(
      PATH,
      { ...SERVICE, metadata: { name: 'ported' }, spec: { ...SERVICE.spec, type: 'NodePort' } },
      {
        'node port is kept': {},
        'back to a cluster ip': { spec: { type: 'ClusterIP' } },
        'load balancer': { spec: { type: 'LoadBalancer' } },
      },
    ),
    ...updates(
      PATH,
      { ...SERVICE, metadata: { name: 'headless' }, spec: { ...SERVICE.spec, clusterIP: 'None' } },
      {
        same: {},
        'without clusterIP': { spec: { clusterIP: null } },
        'an address': { spec: { clusterIP: '10.0.88.9' } },
      },
    ),
    ...creates('{core}/endpoints', ENDPOINTS, {
      minimal: {},
      empty: { subsets: null },
      'bad address': {
        subsets: [
          {
            addresses: [{ ip: 'x' }, { ip: '127.0.0.1' }],
            ports: [{ port: 0 }, { port: 1, protocol: 'X', name: 'B_' }],
          },
        ],
      },
      'no addresses': { subsets: [{ ports: [{ port: 80 }] }] },
      'not ready': {
        subsets: [
          { notReadyAddresses: [{ ip: '1.2.3.4', targetRef: { kind: 'Pod', name: 'p' } }], ports: [{ port: 80 }] },
        ],
      },
    }),
    ...creates(SLICES, SLICE, {
      minimal: {},
      'no address type': { addressType: null },
      'unknown address type': { addressType: 'IPX' },
      'bad addresses': { endpoints: [{ addresses: [] }, { addresses: ['x', '127.0.0.1'] }] },
      'bad ports': { ports: [{ name: 'a', port: 0 }, { name: 'A_', protocol: 'x' }, { name: 'a' }] },
      conditions: { endpoints: [{ addresses: ['1.2.3.4'], conditions: { ready: true }, nodeName: 'n', zone: 'z' }] },
    }),
    ...updates(SLICES, SLICE, {
      'another address type': { addressType: 'FQDN', endpoints: [{ addresses: ['a.example.com'] }] },
    }),
  ],
};
