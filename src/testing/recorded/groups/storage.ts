// PersistentVolumeClaim, PersistentVolume, StorageClass.

import { creates, type RecordedGroup, updates } from '../case.ts';

const CLAIM = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'claim' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const VOLUME = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: '{ns}-volume' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/x' } },
};
const CLASS = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: '{ns}-class' },
  provisioner: 'example.com/x',
};
const CLASSES = '/apis/storage.k8s.io/v1/storageclasses';

export const STORAGE: RecordedGroup = {
  name: 'storage',
  cases: [
    ...creates('{core}/persistentvolumeclaims', CLAIM, {
      minimal: {},
      'no spec': { spec: null },
      'no modes': { spec: { accessModes: null } },
      'unknown mode': { spec: { accessModes: ['WriteOften'] } },
      'exclusive with another mode': { spec: { accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] } },
      'no size': { spec: { resources: null } },
      'negative size': { spec: { resources: { requests: { storage: '-1Gi' } } } },
      'no storage in it': { spec: { resources: { requests: { storage: '0' } } } },
      'size in another notation': { spec: { resources: { requests: { storage: '0.5Gi' } } } },
      class: { spec: { storageClassName: 'fast', volumeMode: 'Block' } },
      'no class': { spec: { storageClassName: '' } },
      'bad class': { spec: { storageClassName: 'Fast_1' } },
      'bad volume mode': { spec: { volumeMode: 'Tape' } },
      'bad selector': { spec: { selector: { matchLabels: { 'a b': 'c' } } } },
      'data source': { spec: { dataSource: { kind: 'PersistentVolumeClaim', name: 'other' } } },
      'bad data source': { spec: { dataSource: { kind: '', name: '' } } },
      'attributes class': { spec: { volumeAttributesClassName: 'gold' } },
      'bad name': { metadata: { name: 'Claim_1' } },
    }),
    ...updates('{core}/persistentvolumeclaims', CLAIM, {
      same: {},
      'a label': { metadata: { labels: { a: 'b' } } },
      'more storage': { spec: { resources: { requests: { storage: '2Gi' } } } },
      'less storage': { spec: { resources: { requests: { storage: '1Mi' } } } },
      'another mode': { spec: { accessModes: ['ReadOnlyMany'] } },
      'another class': { spec: { storageClassName: 'fast' } },
      'another volume mode': { spec: { volumeMode: 'Block' } },
      'a volume': { spec: { volumeName: 'v' } },
    }),
    ...creates('/api/v1/persistentvolumes', VOLUME, {
      minimal: {},
      'no spec': { spec: null },
      'no capacity': { spec: { capacity: null } },
      'bad capacity': { spec: { capacity: { storage: '-1', cpu: '1' } } },
      'no modes': { spec: { accessModes: null } },
      'unknown mode': { spec: { accessModes: ['X'] } },
      'no source': { spec: { hostPath: null } },
      'two sources': { spec: { nfs: { server: 's', path: '/p' } } },
      'bad host path': { spec: { hostPath: { path: '' } } },
      'bad policy': { spec: { persistentVolumeReclaimPolicy: 'Burn' } },
      recycle: { spec: { persistentVolumeReclaimPolicy: 'Recycle' } },
      csi: { spec: { hostPath: null, csi: { driver: 'x.example.com', volumeHandle: 'h' } } },
      'bad csi': { spec: { hostPath: null, csi: { driver: 'X_', volumeHandle: '' } } },
      local: {
        spec: {
          hostPath: null,
          local: { path: '/x' },
          nodeAffinity: {
            required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] },
          },
        },
      },
      'local without affinity': { spec: { hostPath: null, local: { path: '/x' } } },
      'bad class and mode': { spec: { storageClassName: 'A_', volumeMode: 'Tape' } },
    }),
    ...updates('/api/v1/persistentvolumes', VOLUME, {
      'another source': { spec: { hostPath: { path: '/tmp/y' } } },
      'another policy': { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      'more capacity': { spec: { capacity: { storage: '2Gi' } } },
      'another volume mode': { spec: { volumeMode: 'Block' } },
    }),
    ...creates(CLASSES, CLASS, {
      minimal: {},
      'no provisioner': { provisioner: null },
      'bad provisioner': { provisioner: 'a b' },
      full: {
        parameters: { a: 'b' },
        reclaimPolicy: 'Retain',
        volumeBindingMode: 'WaitForFirstConsumer',
        allowVolumeExpansion: true,
        mountOptions: ['ro'],
      },
      'bad policy and mode': { reclaimPolicy: 'Recycle', volumeBindingMode: 'Never' },
      'empty parameter': { parameters: { '': 'b' } },
      topologies: { allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }] },
      'bad topologies': { allowedTopologies: [{ matchLabelExpressions: [{ key: 'a b', values: [] }] }] },
    }),
    ...updates(CLASSES, CLASS, {
      expansion: { allowVolumeExpansion: true },
      'another provisioner': { provisioner: 'example.com/y' },
      'other parameters': { parameters: { a: 'c' } },
      'another policy': { reclaimPolicy: 'Retain' },
      'another binding mode': { volumeBindingMode: 'WaitForFirstConsumer' },
    }),
  ],
};
