// PersistentVolume.

import { formatTime } from '../../../kit/clock.ts';
import { type JsonObject, jsonEqual } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { withMetadata } from '../../meta/metadata.ts';
import { subdomainProblems } from '../../meta/names.ts';
import { nanosOf } from '../../typed/quantity.ts';
import { goDiff } from '../go-diff.ts';
import { goStruct } from '../go-struct.ts';
import { checkNoBacksteps } from '../paths.ts';
import { checkNodeSelector } from '../pods/scheduling.ts';
import { checkHostPath, checkNfs } from '../pods/volumes.ts';
import { fields, IMMUTABLE, keysOf, optional, present, type Report, text, texts } from '../report.ts';
import type { KindRules } from '../rules.ts';
import { checkAccessModes, checkClassName, VOLUME_MODES } from './claim-spec.ts';

type Check = (report: Report, path: string, source: JsonObject, spec: JsonObject) => void;

const checkCsi: Check = (report, path, source) => {
  const driver = text(source['driver']);
  if (driver === '') report.required(`${path}.driver`);
  else report.invalidBy(`${path}.driver`, driver, subdomainProblems(driver.toLowerCase()));
  if (text(source['volumeHandle']) === '') report.required(`${path}.volumeHandle`);
};

const checkLocal: Check = (report, path, source, spec) => {
  if (text(source['path']) === '') report.required(`${path}.path`);
  checkNoBacksteps(report, `${path}.path`, text(source['path']));
  if (!present(fields(spec['nodeAffinity'])['required']))
    report.required('spec.nodeAffinity', 'Local volume requires node affinity');
};

/** In the order in which the server looks for them; those without a check are let through. */
const SOURCES: Readonly<Record<string, Check | undefined>> = {
  hostPath: (report, path, source) => checkHostPath(report, path, source, ''),
  gcePersistentDisk: undefined,
  awsElasticBlockStore: undefined,
  glusterfs: undefined,
  flocker: undefined,
  nfs: (report, path, source) => checkNfs(report, path, source, ''),
  rbd: undefined,
  quobyte: undefined,
  cephfs: undefined,
  iscsi: undefined,
  cinder: undefined,
  fc: undefined,
  azureFile: undefined,
  vsphereVolume: undefined,
  photonPersistentDisk: undefined,
  portworxVolume: undefined,
  azureDisk: undefined,
  scaleIO: undefined,
  local: checkLocal,
  storageos: undefined,
  csi: checkCsi,
  flexVolume: undefined,
};

function check(report: Report, object: KubeObject): void {
  const spec = fields(object['spec']);
  const modes = texts(spec['accessModes']);
  if (modes.length === 0) report.required('spec.accessModes');
  checkAccessModes(report, 'spec.accessModes', modes);
  checkCapacity(report, spec);
  report.oneOf('spec.persistentVolumeReclaimPolicy', spec['persistentVolumeReclaimPolicy'], [
    'Delete',
    'Recycle',
    'Retain',
  ]);
  const affinity = optional(fields(spec['nodeAffinity'])['required']);
  if (affinity) checkNodeSelector(report, 'spec.nodeAffinity.required', affinity);
  checkSource(report, spec);
  checkClassName(report, 'spec.storageClassName', spec);
  const mode = spec['volumeMode'];
  if (present(mode)) report.oneOf('spec.volumeMode', mode, VOLUME_MODES);
  if (spec['persistentVolumeReclaimPolicy'] === 'Recycle') {
    const advice =
      'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
    report.warnings.push(`spec.persistentVolumeReclaimPolicy: ${advice}`);
  }
}

function checkCapacity(report: Report, spec: JsonObject): void {
  const capacity = optional(spec['capacity']);
  const names = keysOf(capacity);
  if (names.length === 0) report.required('spec.capacity');
  if (!names.includes('storage') || names.length > 1) {
    const shown = capacity ? JSON.stringify(Object.fromEntries(names.map((name) => [name, capacity[name]]))) : 'null';
    report.add('spec.capacity', 'FieldValueNotSupported', `Unsupported value: ${shown}: supported values: "storage"`);
  }
  for (const name of names) {
    const nanos = nanosOf(capacity?.[name]);
    const path = `spec.capacity[${name}]`;
    if (nanos < 0n) report.invalid(path, Number(nanos / 1_000_000_000n), 'must be a valid resource quantity');
    if (nanos <= 0n) report.invalid(path, capacity?.[name], 'must be greater than zero');
  }
}

function checkSource(report: Report, spec: JsonObject): void {
  let found = false;
  for (const [kind, checkOne] of Object.entries(SOURCES)) {
    const source = optional(spec[kind]);
    if (!source) continue;
    if (found) report.forbidden(`spec.${kind}`, 'may not specify more than 1 volume type');
    else checkOne?.(report, `spec.${kind}`, source, spec);
    found = true;
  }
  if (!found) report.required('spec', 'must specify a volume type');
}

function checkUpdate(report: Report, before: KubeObject, after: KubeObject): void {
  check(report, after);
  const source = (object: KubeObject): JsonObject => goStruct('core.PersistentVolumeSource', fields(object['spec']));
  const [old, now] = [source(before), source(after)];
  if (!jsonEqual(old, now)) {
    const path = 'spec.persistentvolumesource';
    report.forbidden(path, `${path} is immutable after creation\n${goDiff(old, now)}`);
  }
  const mode = fields(after['spec'])['volumeMode'];
  if (!jsonEqual(mode, fields(before['spec'])['volumeMode'])) report.invalid('volumeMode', mode, IMMUTABLE);
}

export const VOLUME: KindRules = {
  create: (core, object) => {
    const finalizers = object.metadata.finalizers ?? [];
    const protection = 'kubernetes.io/pv-protection';
    const added = finalizers.includes(protection) ? finalizers : [...finalizers, protection];
    return {
      ...withMetadata(object, { finalizers: added }),
      status: { phase: 'Pending', lastPhaseTransitionTime: formatTime(core.clock.now()) },
    };
  },
  check,
  checkUpdate,
};
