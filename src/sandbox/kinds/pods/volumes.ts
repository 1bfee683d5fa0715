// Volumes of a pod and how containers mount them.

import type { JsonObject, JsonValue } from '../../../kit/json.ts';
import { subdomainProblems } from '../../meta/names.ts';
import { nanosOf } from '../../typed/quantity.ts';
import { labelTexts } from '../names.ts';
import { checkNoBacksteps, checkRelative, checkRelativeFile } from '../paths.ts';
import { fields, items, number, optional, present, type Report, text } from '../report.ts';
import { checkClaimSpec } from '../storage/claim-spec.ts';
import { checkFieldRef, checkResourceRef } from './environment.ts';

type Check = (report: Report, path: string, source: JsonObject, name: string) => void;

const MODE_PROBLEM = 'must be a number between 0 and 0777 (octal), both inclusive';
const PATH_TYPES = [
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
  '',
];
const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

const isMode = (mode: JsonValue): boolean => number(mode) >= 0 && number(mode) <= 0o777;

function checkMode(report: Report, path: string, mode: JsonValue | undefined): void {
  if (present(mode) && !isMode(mode)) report.invalid(path, mode, MODE_PROBLEM);
}

const needs =
  (...names: readonly string[]): Check =>
  (report, path, source) => {
    for (const name of names) if (text(source[name]) === '') report.required(`${path}.${name}`);
  };

const files =
  (nameField: string): Check =>
  (report, path, source) => {
    if (text(source[nameField]) === '') report.required(`${path}.${nameField}`);
    checkMode(report, `${path}.defaultMode`, source['defaultMode']);
    for (const [index, item] of items(source['items']).entries()) checkItem(report, `${path}.items[${index}]`, item);
  };

function checkItem(report: Report, path: string, item: JsonObject): void {
  if (text(item['key']) === '') report.required(`${path}.key`);
  if (text(item['path']) === '') report.required(`${path}.path`);
  checkRelativeFile(report, `${path}.path`, text(item['path']));
  checkMode(report, `${path}.mode`, item['mode']);
}

export const checkHostPath: Check = (report, path, source) => {
  const given = text(source['path']);
  if (given === '') return report.required(`${path}.path`);
  checkNoBacksteps(report, `${path}.path`, given);
  const type = source['type'];
  if (present(type) && !PATH_TYPES.includes(text(type))) {
    report.unsupported(`${path}.type`, text(type), ['', ...PATH_TYPES.slice(0, -1)]);
  }
};

export const checkNfs: Check = (report, path, source) => {
  needs('server', 'path')(report, path, source, '');
  const given = text(source['path']);
  if (given !== '' && !given.startsWith('/')) report.invalid(`${path}.path`, given, 'must be an absolute path');
};

function checkDownwardFile(report: Report, path: string, file: JsonObject): void {
  const given = text(file['path']);
  if (given === '') report.required(`${path}.path`);
  checkRelativeFile(report, `${path}.path`, given);
  const field = optional(file['fieldRef']);
  const resource = optional(file['resourceFieldRef']);
  if (field) {
    checkFieldRef(report, `${path}.fieldRef`, field, VOLUME_FIELDS);
    if (resource) report.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (resource) checkResourceRef(report, `${path}.resourceFieldRef`, resource, true);
  else report.required(path, 'one of fieldRef and resourceFieldRef is required');
  checkMode(report, `${path}.mode`, file['mode']);
}

const checkDownward: Check = (report, path, source) => {
  checkMode(report, `${path}.defaultMode`, source['defaultMode']);
  for (const file of items(source['items'])) checkDownwardFile(report, path, file);
};

const checkProjected: Check = (report, path, volume) => {
  checkMode(report, `${path}.defaultMode`, volume['defaultMode']);
  const paths = new Set<string>();
  const claim = (name: string, shown: string): void => {
    if (name !== '' && paths.has(name)) report.invalid(path, shown, 'conflicting duplicate paths');
    paths.add(name);
  };
  for (const [index, source] of items(volume['sources']).entries()) {
    checkProjection(report, { path, at: `${path}.sources[${index}]`, claim }, source);
  }
};

interface Projection {
  readonly path: string;
  readonly at: string;
  /** Two sources must not write one file. */
  claim(path: string, shown: string): void;
}

function checkProjection(report: Report, { path, at, claim }: Projection, source: JsonObject): void {
  for (const kind of ['secret', 'configMap']) {
    const given = optional(source[kind]);
    if (!given) continue;
    if (text(given['name']) === '') report.required(`${at}.${kind}.name`);
    for (const [index, item] of items(given['items']).entries()) {
      checkItem(report, `${at}.${kind}.items[${index}]`, item);
      claim(text(item['path']), text(given['name']));
    }
  }
  for (const file of items(fields(source['downwardAPI'])['items'])) {
    checkDownwardFile(report, `${at}.downwardAPI`, file);
    claim(text(file['path']), text(file['path']));
  }
  const token = optional(source['serviceAccountToken']);
  if (token) checkToken(report, path, `${at}.serviceAccountToken`, token);
  if (Object.keys(source).length > 1) report.forbidden(at, 'may not specify more than 1 volume type per source');
}

function checkToken(report: Report, volume: string, path: string, token: JsonObject): void {
  const seconds = number(token['expirationSeconds']);
  const at = `${path}.expirationSeconds`;
  if (seconds < 600) report.invalid(at, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > 2 ** 32) report.invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds');
  if (text(token['path']) === '') report.required(`${volume}.path`);
  else checkRelativeFile(report, `${volume}.path`, text(token['path']));
}

const checkEphemeral: Check = (report, path, source) => {
  const at = `${path}.volumeClaimTemplate`;
  const template = optional(source['volumeClaimTemplate']);
  if (!template) return report.required(at);
  const metadata = fields(template['metadata']);
  for (const name of Object.keys(metadata)) {
    if (name !== 'labels' && name !== 'annotations') report.forbidden(`${at}.metadata.${name}`, 'cannot be set');
  }
  checkClaimSpec(report, `${at}.spec`, fields(template['spec']));
};

const checkCsi: Check = (report, path, source) => {
  const driver = text(source['driver']);
  if (driver === '') report.required(`${path}.driver`);
  else report.invalidBy(`${path}.driver`, driver, subdomainProblems(driver.toLowerCase()));
};

/** In the order in which the server looks for them. Those that no provider serves any more are let through. */
const SOURCES: Readonly<Record<string, Check | undefined>> = {
  emptyDir: (report, path, source) => {
    if (nanosOf(source['sizeLimit']) < 0n)
      report.forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
  },
  hostPath: checkHostPath,
  gitRepo: needs('repository'),
  gcePersistentDisk: needs('pdName'),
  awsElasticBlockStore: needs('volumeID'),
  secret: files('secretName'),
  nfs: checkNfs,
  iscsi: needs('targetPortal', 'iqn'),
  glusterfs: needs('endpoints', 'path'),
  flocker: undefined,
  persistentVolumeClaim: needs('claimName'),
  rbd: needs('image'),
  cinder: needs('volumeID'),
  cephfs: undefined,
  quobyte: needs('registry', 'volume'),
  downwardAPI: checkDownward,
  fc: undefined,
  flexVolume: needs('driver'),
  configMap: files('name'),
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk: needs('diskName', 'diskURI'),
  storageos: undefined,
  projected: checkProjected,
  scaleIO: needs('gateway', 'system', 'volumeName'),
  csi: checkCsi,
  ephemeral: checkEphemeral,
  image: needs('reference'),
};

/** The volumes that can be mounted: those without a problem. */
export function checkVolumes(report: Report, path: string, volumes: readonly JsonObject[]): Set<string> {
  const usable = new Set<string>();
  for (const [index, volume] of volumes.entries()) {
    const before = report.problems.length;
    const at = `${path}[${index}]`;
    const name = text(volume['name']);
    checkSource(report, at, volume, name);
    if (name === '') report.required(`${at}.name`);
    else report.invalidBy(`${at}.name`, name, labelTexts(name));
    if (usable.has(name)) report.duplicate(`${at}.name`, name);
    if (report.problems.length === before) usable.add(name);
  }
  return usable;
}

function checkSource(report: Report, path: string, volume: JsonObject, name: string): void {
  let found = false;
  for (const [kind, check] of Object.entries(SOURCES)) {
    const source = optional(volume[kind]);
    if (!source) continue;
    if (found) report.forbidden(`${path}.${kind}`, 'may not specify more than 1 volume type');
    else check?.(report, `${path}.${kind}`, source, name);
    found = true;
  }
  if (!found) report.required(path, 'must specify a volume type');
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

export function checkMounts(report: Report, path: string, container: JsonObject, volumes: Set<string>): void {
  const list = `${path}.volumeMounts`;
  const taken = new Set<string>();
  for (const [index, mount] of items(container['volumeMounts']).entries()) {
    const at = `${list}[${index}]`;
    const name = text(mount['name']);
    const target = text(mount['mountPath']);
    if (name === '') report.required(`${at}.name`);
    if (!volumes.has(name)) report.notFound(`${at}.name`, name);
    if (target === '') report.required(`${at}.mountPath`);
    if (taken.has(target)) report.invalid(`${at}.mountPath`, target, 'must be unique');
    taken.add(target);
    checkSubPaths(report, list, at, mount);
    checkPropagation(report, list, mount, container);
  }
}

/** The server leaves the index out of some of these paths. */
function checkSubPaths(report: Report, list: string, at: string, mount: JsonObject): void {
  const subPath = text(mount['subPath']);
  if (subPath !== '') checkRelative(report, `${list}.subPath`, subPath);
  const expression = text(mount['subPathExpr']);
  if (expression === '') return;
  if (subPath !== '') report.invalid(`${at}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive');
  checkRelative(report, `${list}.subPathExpr`, expression);
}

function checkPropagation(report: Report, list: string, mount: JsonObject, container: JsonObject): void {
  const { mountPropagation: propagation, recursiveReadOnly: recursive } = mount;
  if (present(propagation)) {
    report.oneOf(`${list}.mountPropagation`, propagation, PROPAGATIONS);
    if (propagation === 'Bidirectional' && fields(container['securityContext'])['privileged'] !== true) {
      const detail = 'Bidirectional mount propagation is available only to privileged containers';
      report.forbidden(`${list}.mountPropagation`, detail);
    }
  }
  if (!present(recursive) || recursive === 'Disabled') return;
  const at = `${list}.recursiveReadOnly`;
  if (recursive !== 'Enabled' && recursive !== 'IfPossible') {
    report.unsupported(at, text(recursive), ['Disabled', 'Enabled', 'IfPossible']);
    return;
  }
  if (mount['readOnly'] !== true) report.forbidden(at, 'may only be specified when readOnly is true');
  if (present(propagation) && propagation !== 'None')
    report.forbidden(at, 'may only be specified when mountPropagation is None or not specified');
}
