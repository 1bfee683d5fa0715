// Defaults of volumes, claims, persistent volumes and storage classes.

import { type Default, type Fields, fieldsAt, optionalFields, orElse, orElseText } from './fields.ts';
import { imageTag } from './image.ts';

const mode: Default = (source) => orElse(source, 'defaultMode', 0o644);

const volume: Default = (object) => {
  if (Object.keys(object).every((field) => field === 'name')) object['emptyDir'] = {};
  const image = optionalFields(object['image']);
  if (!image) return;
  const tag = imageTag(String(image['reference'] ?? ''));
  orElseText(image, 'pullPolicy', tag === 'latest' ? 'Always' : 'IfNotPresent');
};

const rbd: Default = (source) => {
  orElseText(source, 'pool', 'rbd');
  orElseText(source, 'user', 'admin');
  orElseText(source, 'keyring', '/etc/ceph/keyring');
};

const scaleIo: Default = (source) => {
  orElseText(source, 'storageMode', 'ThinProvisioned');
  orElseText(source, 'fsType', 'xfs');
};

const azureDisk: Default = (source) => {
  orElse(source, 'cachingMode', 'ReadWrite');
  orElse(source, 'fsType', 'ext4');
  orElse(source, 'readOnly', false);
  orElse(source, 'kind', 'Shared');
};

const phase = (object: Fields, name: string): void => orElseText(fieldsAt(object, 'status'), 'phase', name);

export const VOLUME_DEFAULTS: Readonly<Record<string, Default>> = {
  'core.v1.Volume': volume,
  'core.v1.SecretVolumeSource': mode,
  'core.v1.ConfigMapVolumeSource': mode,
  'core.v1.DownwardAPIVolumeSource': mode,
  'core.v1.ProjectedVolumeSource': mode,
  'core.v1.ServiceAccountTokenProjection': (source) => orElse(source, 'expirationSeconds', 3600),
  'core.v1.HostPathVolumeSource': (source) => orElse(source, 'type', ''),
  'core.v1.ISCSIVolumeSource': (source) => orElseText(source, 'iscsiInterface', 'default'),
  'core.v1.ISCSIPersistentVolumeSource': (source) => orElseText(source, 'iscsiInterface', 'default'),
  'core.v1.RBDVolumeSource': rbd,
  'core.v1.RBDPersistentVolumeSource': rbd,
  'core.v1.ScaleIOVolumeSource': scaleIo,
  'core.v1.ScaleIOPersistentVolumeSource': scaleIo,
  'core.v1.AzureDiskVolumeSource': azureDisk,
  'core.v1.PersistentVolume': (object) => {
    phase(object, 'Pending');
    const spec = fieldsAt(object, 'spec');
    orElseText(spec, 'persistentVolumeReclaimPolicy', 'Retain');
    orElse(spec, 'volumeMode', 'Filesystem');
  },
  'core.v1.PersistentVolumeClaim': (object) => phase(object, 'Pending'),
  'core.v1.PersistentVolumeClaimSpec': (spec) => orElse(spec, 'volumeMode', 'Filesystem'),
  'storage.v1.StorageClass': (object) => {
    orElse(object, 'reclaimPolicy', 'Delete');
    orElse(object, 'volumeBindingMode', 'Immediate');
  },
};
