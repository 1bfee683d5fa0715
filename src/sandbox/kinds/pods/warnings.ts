// What the server accepts in a pod's spec and warns of.

import type { JsonObject, JsonValue } from '../../../kit/json.ts';
import { nanosOf } from '../../typed/quantity.ts';
import { fields, items, number, optional, present, text } from '../report.ts';

const GONE: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};
const NO_SELECTOR = 'a null labelSelector results in matching no pod';
const NANO = 1_000_000_000n;

type Warn = (text: string) => void;

export function podWarnings(path: string, spec: JsonObject): string[] {
  const warnings: string[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  for (const [index, constraint] of items(spec['topologySpreadConstraints']).entries()) {
    if (!present(constraint['labelSelector']))
      warn(`${path}.topologySpreadConstraints[${index}].labelSelector: ${NO_SELECTOR}`);
  }
  for (const [index, volume] of items(spec['volumes']).entries()) {
    for (const [name, fate] of Object.entries(GONE))
      if (present(volume[name])) warn(`${path}.volumes[${index}].${name}: ${fate}`);
  }
  warnPullSecrets(warn, `${path}.imagePullSecrets`, items(spec['imagePullSecrets']));
  const containers = allContainers(path, spec);
  for (const [at, container] of containers) warnContainer(warn, at, container);
  warnPorts(warn, containers);
  if (number(spec['terminationGracePeriodSeconds']) < 0) {
    const fate = 'must be >= 0; negative values are invalid and will be treated as 1';
    warn(`${path}.terminationGracePeriodSeconds: ${fate}`);
  }
  for (const name of ['podAffinity', 'podAntiAffinity'])
    warnAffinity(warn, `${path}.affinity.${name}`, fields(fields(spec['affinity'])[name]));
  return warnings;
}

function allContainers(path: string, spec: JsonObject): readonly (readonly [string, JsonObject])[] {
  return ['initContainers', 'containers'].flatMap((list) =>
    items(spec[list]).map((container, index) => [`${path}.${list}[${index}]`, container] as const),
  );
}

function warnPullSecrets(warn: Warn, path: string, secrets: readonly JsonObject[]): void {
  const names = secrets.map(({ name }) => text(name));
  for (const [index, name] of names.entries())
    if (names.indexOf(name) < index) warn(`${path}[${index}].name: duplicate name ${JSON.stringify(name)}`);
  for (const [index, name] of names.entries()) if (name === '') warn(`${path}[${index}].name: invalid empty name ""`);
}

function warnContainer(warn: Warn, path: string, container: JsonObject): void {
  const resources = fields(container['resources']);
  for (const name of ['memory', 'ephemeral-storage']) {
    for (const list of ['limits', 'requests']) {
      const amount = text(fields(resources[list])[name]);
      if (nanosOf(amount || undefined) % NANO !== 0n)
        warn(
          `${path}.resources.${list}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
        );
    }
  }
  const seen = new Set<string>();
  for (const [index, variable] of items(container['env']).entries()) {
    const name = text(variable['name']);
    if (seen.has(name) && hides(variable, name)) {
      const fate = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
      warn(`${path}.env[${index}]: ${fate}`);
    }
    seen.add(name);
  }
}

/** A variable may be made of an earlier one of its name. */
function hides(variable: JsonObject, name: string): boolean {
  const value = text(variable['value']);
  return present(variable['valueFrom']) || value === `$(${name})` || !value.includes(`$(${name})`);
}

function warnPorts(warn: Warn, containers: readonly (readonly [string, JsonObject])[]): void {
  const ports = containers.flatMap(([path, container]) =>
    items(container['ports']).map((port, index) => ({ at: `${path}.ports[${index}]`, port })),
  );
  const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => (a ?? '') === (b ?? '');
  for (const [index, { at, port }] of ports.entries()) {
    for (const other of ports.slice(0, index)) {
      if (!same(port['containerPort'], other.port['containerPort']) || !same(port['protocol'], other.port['protocol']))
        continue;
      const [mine, theirs] = [number(port['hostPort']), number(other.port['hostPort'])];
      if (same(port['hostIP'], other.port['hostIP']) && mine === theirs)
        warn(`${at}: duplicate port definition with ${other.at}`);
      else if (mine === 0 || theirs === 0) warn(`${at}: overlapping port definition with ${other.at}`);
    }
  }
}

function warnAffinity(warn: Warn, path: string, affinity: JsonObject): void {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  for (const [index, term] of items(affinity[required]).entries())
    if (!present(term['labelSelector'])) warn(`${path}.${required}[${index}].labelSelector: ${NO_SELECTOR}`);
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  for (const [index, term] of items(affinity[preferred]).entries()) {
    if (!present(optional(term['podAffinityTerm'])?.['labelSelector']))
      warn(`${path}.${preferred}[${index}].podAffinityTerm.labelSelector: ${NO_SELECTOR}`);
  }
}
