// Problems in several entries of one map: the server meets them in any order.

import { creates, type RecordedGroup } from '../case.ts';
import { app, POD } from './objects.ts';

const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' } };
const QUOTA = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'quota' }, spec: { hard: { pods: '10' } } };

export const MAPS: RecordedGroup = {
  name: 'maps',
  unordered: true,
  cases: [
    ...creates('{core}/configmaps', MAP, {
      'bad keys': { data: { 'a b': '1', '': '2', '..': '3', '.': '4', '../x': '5', ['k'.repeat(254)]: '6' } },
      'bad labels': { metadata: { labels: { 'p/q/r': 'x', '/n': 'y', 'P_/n': 'z', n: '-' } } },
      'bad annotations': { metadata: { annotations: { 'a b': '', '/n': '', 'P/n': '' } } },
    }),
    ...creates('{core}/pods', POD, {
      'resources above limits': app({
        resources: { limits: { cpu: '1', memory: '1Mi' }, requests: { cpu: '2', memory: '2Mi' } },
      }),
      'unknown resources': app({ resources: { limits: { gpu: '1', 'example.com/gpu': '1', storage: '1' } } }),
      'bad resource names': app({ resources: { limits: { 'a b': '1', 'example.com/a b': '2' } } }),
      'node selector': { spec: { nodeSelector: { 'a b': 'c', d: 'e f' } } },
    }),
    ...creates('{core}/resourcequotas', QUOTA, {
      'bad hard': { spec: { hard: { pods: '-1', 'x y': '1', services: '1500m' } } },
    }),
  ],
};
