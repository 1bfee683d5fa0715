// Ingress, IngressClass, NetworkPolicy.

import { creates, type RecordedGroup, updates } from '../case.ts';

const at = (resource: string): string => `/apis/networking.k8s.io/v1/namespaces/{ns}/${resource}`;
const backend = { service: { name: 'svc', port: { number: 80 } } };
const path = (fields: object): object => ({ path: '/', pathType: 'Prefix', backend, ...fields });
const rule = (fields: object): object => ({ http: { paths: [path(fields)] } });
const INGRESS = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'in' },
  spec: { rules: [{ host: 'a.example.com', ...rule({}) }] },
};
const CLASS = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name: '{ns}-class' },
  spec: { controller: 'example.com/x' },
};
const POLICY = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'policy' },
  spec: { podSelector: {} },
};
const CLASSES = '/apis/networking.k8s.io/v1/ingressclasses';
const rules = (...list: object[]) => ({ spec: { rules: list as never[] } });

export const NETWORKING: RecordedGroup = {
  name: 'networking',
  cases: [
    ...creates(at('ingresses'), INGRESS, {
      minimal: {},
      'no spec': { spec: null },
      'no rules': { spec: { rules: null } },
      'default backend': { spec: { rules: null, defaultBackend: backend } },
      'bad backend': { spec: { defaultBackend: { service: { name: 'A_', port: {} } } } },
      'two backends': { spec: { defaultBackend: { ...backend, resource: { kind: 'A', name: 'b' } } } },
      'resource backend': { spec: { defaultBackend: { resource: { apiGroup: 'example.com', kind: 'A', name: 'b' } } } },
      'no path type': rules(rule({ pathType: null })),
      'unknown path type': rules(rule({ pathType: 'Regex' })),
      'relative path': rules(rule({ path: 'x' })),
      'bad paths': rules(rule({ path: '/a//b' }), rule({ path: '/a/../b', pathType: 'Exact' })),
      'no path': rules(rule({ path: '', pathType: 'ImplementationSpecific' })),
      'no backend': rules(rule({ backend: null })),
      'port by name and number': rules(
        rule({ backend: { service: { name: 's', port: { name: 'web', number: 80 } } } }),
      ),
      'bad ports': rules(
        rule({ backend: { service: { name: 's', port: { number: 70000 } } } }),
        rule({ backend: { service: { name: 's', port: { name: 'A_' } } } }),
      ),
      'no service name': rules(rule({ backend: { service: { port: { number: 80 } } } })),
      'host is an address': { spec: { rules: [{ host: '1.2.3.4', ...rule({}) }] } },
      'bad hosts': {
        spec: {
          rules: [
            { host: 'A_b', ...rule({}) },
            { host: '*.a', ...rule({}) },
            { host: 'a.*', ...rule({}) },
          ],
        },
      },
      'rule without http': { spec: { rules: [{ host: 'a.b' }] } },
      'no paths': { spec: { rules: [{ http: { paths: [] } }] } },
      tls: { spec: { tls: [{ hosts: ['a.example.com'], secretName: 's' }] } },
      'bad tls': { spec: { tls: [{ hosts: ['A_', '*.x.y'], secretName: 'B_' }] } },
      class: { spec: { ingressClassName: 'x' } },
      'bad class': { spec: { ingressClassName: 'X_' } },
      'class twice': {
        metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } },
        spec: { ingressClassName: 'b' },
      },
    }),
    ...updates(at('ingresses'), INGRESS, {
      same: {},
      'another host': { spec: { rules: [{ host: 'b.example.com', ...rule({}) }] } },
      'no rules': { spec: { rules: null } },
    }),
    ...creates(CLASSES, CLASS, {
      minimal: {},
      'no spec': { spec: null },
      'bad controller': { spec: { controller: 'x y' } },
      parameters: { spec: { parameters: { apiGroup: 'example.com', kind: 'A', name: 'b' } } },
      'bad parameters': { spec: { parameters: { kind: '', name: '', scope: 'Namespace' } } },
    }),
    ...updates(CLASSES, CLASS, { 'another controller': { spec: { controller: 'example.com/y' } } }),
    ...creates(at('networkpolicies'), POLICY, {
      minimal: {},
      'no spec': { spec: null },
      ingress: {
        spec: {
          ingress: [
            {
              from: [{ podSelector: { matchLabels: { a: 'b' } } }],
              ports: [{ port: 80 }, { protocol: 'UDP', port: 'dns' }],
            },
          ],
        },
      },
      egress: { spec: { egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }] } },
      'both types': { spec: { policyTypes: ['Ingress', 'Egress'] } },
      'unknown types': { spec: { policyTypes: ['Sideways'] } },
      'three types': { spec: { policyTypes: ['Ingress', 'Egress', 'Ingress'] } },
      'empty peer': { spec: { ingress: [{ from: [{}] }] } },
      'block beside selector': {
        spec: { ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: '1.2.3.0/24' } }] }] },
      },
      'bad blocks': {
        spec: {
          egress: [
            {
              to: [
                { ipBlock: { cidr: '' } },
                { ipBlock: { cidr: 'x' } },
                { ipBlock: { cidr: '1.2.3.0/24', except: ['9.9.9.0/24', 'y'] } },
              ],
            },
          ],
        },
      },
      'bad ports': {
        spec: {
          ingress: [
            {
              ports: [
                { port: 0 },
                { port: 'Bad_' },
                { protocol: 'X' },
                { port: 5, endPort: 4 },
                { endPort: 4 },
                { port: 'a', endPort: 9 },
              ],
            },
          ],
        },
      },
      'port range': { spec: { ingress: [{ ports: [{ port: 5, endPort: 9 }] }] } },
      'bad selector': { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } } },
    }),
    ...updates(at('networkpolicies'), POLICY, { 'other types': { spec: { policyTypes: ['Egress'] } }, same: {} }),
  ],
};
