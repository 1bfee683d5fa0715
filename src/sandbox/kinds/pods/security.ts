// Security contexts of pods and containers.

import type { JsonObject, JsonValue } from '../../../kit/json.ts';
import { goStruct } from '../go-struct.ts';
import { fields, items, number, optional, present, type Report, text } from '../report.ts';

const ID_RANGE = 'must be between 0 and 2147483647, inclusive';

function checkId(report: Report, path: string, id: JsonValue | undefined): void {
  if (present(id) && (number(id) < 0 || number(id) > 2_147_483_647)) report.invalid(path, id, ID_RANGE);
}

function checkProfile(report: Report, path: string, profile: JsonObject | undefined, word: string): void {
  if (!profile) return;
  const type = text(profile['type']);
  const local = profile['localhostProfile'];
  if (type === 'Localhost') {
    if (!present(local) || text(local) === '')
      report.required(`${path}.localhostProfile`, `must be set when ${word} type is Localhost`);
  } else {
    if (present(local)) {
      const detail = `can only be set when ${word} type is Localhost`;
      report.invalid(`${path}.localhostProfile`, local, detail);
    }
    if (type !== 'RuntimeDefault' && type !== 'Unconfined') {
      if (type === '') report.required(`${path}.type`, 'type is required when profile is set');
      else report.unsupported(`${path}.type`, type, ['Localhost', 'RuntimeDefault', 'Unconfined']);
    }
  }
}

export function checkContainerSecurity(report: Report, path: string, container: JsonObject, hostUsers: boolean): void {
  const context = optional(container['securityContext']);
  if (!context) return;
  const at = `${path}.securityContext`;
  checkId(report, `${at}.runAsUser`, context['runAsUser']);
  checkId(report, `${at}.runAsGroup`, context['runAsGroup']);
  const mount = context['procMount'];
  if (present(mount)) {
    report.oneOf(`${at}.procMount`, mount, ['Default', 'Unmasked']);
    if (hostUsers && mount === 'Unmasked')
      report.invalid(`${at}.procMount`, mount, '`hostUsers` must be false to use `Unmasked`');
  }
  checkProfile(report, `${at}.seccompProfile`, optional(context['seccompProfile']), 'seccomp');
  if (context['allowPrivilegeEscalation'] === false) checkNoEscalation(report, at, context);
  checkProfile(report, `${at}.appArmorProfile`, optional(context['appArmorProfile']), 'AppArmor');
}

function checkNoEscalation(report: Report, path: string, context: JsonObject): void {
  const shown = goStruct('core.SecurityContext', context);
  const set = 'cannot set `allowPrivilegeEscalation` to false and';
  if (context['privileged'] === true) report.invalid(path, shown, `${set} \`privileged\` to true`);
  for (const capability of items(fields(context['capabilities'])['add'])) {
    if (String(capability) === 'CAP_SYS_ADMIN')
      report.invalid(path, shown, `${set} \`capabilities.Add\` CAP_SYS_ADMIN`);
  }
}

export function checkPodSecurity(report: Report, path: string, spec: JsonObject): void {
  const context = optional(spec['securityContext']);
  if (!context) return;
  const at = `${path}.securityContext`;
  for (const name of ['fsGroup', 'runAsUser', 'runAsGroup']) checkId(report, `${at}.${name}`, context[name]);
  for (const [index, id] of items(context['supplementalGroups']).entries())
    checkId(report, `${at}.supplementalGroups[${index}]`, id as JsonValue);
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true)
    report.invalid(`${at}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  checkSysctls(report, `${at}.sysctls`, items(context['sysctls']));
  const change = context['fsGroupChangePolicy'];
  if (present(change)) report.oneOf(`${at}.fsGroupChangePolicy`, change, ['OnRootMismatch', 'Always']);
  checkProfile(report, `${at}.seccompProfile`, optional(context['seccompProfile']), 'seccomp');
  checkProfile(report, `${at}.appArmorProfile`, optional(context['appArmorProfile']), 'AppArmor');
}

const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

function checkSysctls(report: Report, path: string, sysctls: readonly JsonObject[]): void {
  const names = new Set<string>();
  for (const [index, sysctl] of sysctls.entries()) {
    const name = text(sysctl['name']);
    const at = `${path}[${index}].name`;
    if (name === '') report.required(at);
    else if (!SYSCTL.test(name)) {
      const detail = `must have at most 253 characters and match regex ${SYSCTL.source}`;
      report.invalid(at, name, detail);
    } else if (names.has(name)) report.duplicate(at, name);
    names.add(name);
  }
}
