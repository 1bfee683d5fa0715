// Volumes of pods and the mounts of them.

import type { JsonObject } from '../../../kit/json.ts';
import { creates, type RecordedGroup } from '../case.ts';
import { CONTAINER, POD } from './objects.ts';

const volumes = (...list: JsonObject[]): JsonObject => ({ spec: { volumes: list } });
const data = (source: JsonObject): JsonObject => volumes({ name: 'data', ...source });
const mounts = (...list: JsonObject[]): JsonObject => ({
  spec: { volumes: [{ name: 'data', emptyDir: {} }], containers: [{ ...CONTAINER, volumeMounts: list }] },
});

export const VOLUMES: RecordedGroup = {
  name: 'volumes',
  cases: creates('{core}/pods', POD, {
    'without a source': data({}),
    'empty dir': data({ emptyDir: { medium: 'Memory', sizeLimit: '1024Mi' } }),
    'bad empty dir': data({ emptyDir: { medium: 'Tape', sizeLimit: '-1' } }),
    'two sources': data({ emptyDir: {}, secret: { secretName: 's' } }),
    'two of one name': volumes({ name: 'a' }, { name: 'a' }),
    'bad names': volumes({ name: 'A_1' }, { name: '' }),
    secret: data({ secret: { secretName: 's', items: [{ key: 'k', path: 'p' }] } }),
    'secret without name': data({ secret: {} }),
    'secret mode': data({ secret: { secretName: 's', defaultMode: 1000 } }),
    'bad items': data({
      configMap: {
        name: 'c',
        items: [
          { key: '', path: '' },
          { key: 'a', path: '../b' },
          { key: 'a', path: '/c', mode: -1 },
        ],
      },
    }),
    'config map': data({ configMap: { name: 'c', optional: true, defaultMode: 256 } }),
    'config map without name': data({ configMap: {} }),
    'host path': data({ hostPath: { path: '/tmp' } }),
    'bad host path': data({ hostPath: { path: '', type: 'Pipe' } }),
    'host path backsteps': data({ hostPath: { path: '/a/../b' } }),
    claim: data({ persistentVolumeClaim: { claimName: 'c' } }),
    'claim without name': data({ persistentVolumeClaim: {} }),
    projected: data({
      projected: {
        sources: [
          { configMap: { name: 'c' } },
          { serviceAccountToken: { path: 'token' } },
          { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        ],
      },
    }),
    'bad projected': data({
      projected: {
        sources: [{}, { secret: { name: '' } }, { serviceAccountToken: { path: '', expirationSeconds: 5 } }],
      },
    }),
    'projected conflict': data({
      projected: {
        sources: [
          { secret: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
          { configMap: { name: 'b', items: [{ key: 'k', path: 'p' }] } },
        ],
      },
    }),
    'downward api': data({
      downwardAPI: { items: [{ path: 'a', resourceFieldRef: { containerName: 'app', resource: 'limits.cpu' } }] },
    }),
    'bad downward api': data({
      downwardAPI: {
        items: [
          { path: 'a' },
          { path: '', fieldRef: { fieldPath: 'status.podIP' } },
          { path: 'b', fieldRef: { fieldPath: 'metadata.name' }, resourceFieldRef: { resource: 'limits.cpu' } },
        ],
      },
    }),
    nfs: data({ nfs: { server: '', path: 'x' } }),
    csi: data({ csi: { driver: 'a.example.com' } }),
    'csi without driver': data({ csi: {} }),
    ephemeral: data({
      ephemeral: {
        volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      },
    }),
    'bad ephemeral': data({ ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' }, spec: {} } } }),
    'iscsi defaults': data({ iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2015-02.example.com:test', lun: 0 } }),
    'rbd defaults': data({ rbd: { monitors: ['a'], image: 'i' } }),
    'azure disk defaults': data({ azureDisk: { diskName: 'd', diskURI: 'https://a.example.com/b' } }),
    'image volume': data({ image: { reference: 'busybox' } }),
    mount: mounts({ name: 'data', mountPath: '/data' }),
    'mount of nothing': mounts({ name: 'other', mountPath: '/data' }),
    'mount without name and path': mounts({}),
    'two mounts of one path': mounts({ name: 'data', mountPath: '/data' }, { name: 'data', mountPath: '/data' }),
    'mount sub paths': mounts(
      { name: 'data', mountPath: '/a', subPath: '/abs' },
      { name: 'data', mountPath: '/b', subPath: '../up' },
      { name: 'data', mountPath: '/c', subPath: 'x', subPathExpr: 'y' },
    ),
    'mount propagation': mounts(
      { name: 'data', mountPath: '/a', mountPropagation: 'Bidirectional' },
      { name: 'data', mountPath: '/b', mountPropagation: 'Sideways' },
    ),
    'recursive read only': mounts({ name: 'data', mountPath: '/a', recursiveReadOnly: 'Enabled' }),
  }),
};
