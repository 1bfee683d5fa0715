// The spec of a pod, of its own or in a template.

import type { JsonObject } from '../../../kit/json.ts';
import { labelValueProblems, qualifiedNameProblems, subdomainProblems } from '../../meta/names.ts';
import { checkAddress } from '../addresses.ts';
import { checkLabels, labelTexts } from '../names.ts';
import { fields, items, number, optional, present, type Report, text, texts } from '../report.ts';
import { checkContainer, checkContainers, type PodContext } from './containers.ts';
import { checkResources } from './resources.ts';
import { checkAffinity, checkGates, checkSpread, checkTolerations } from './scheduling.ts';
import { checkPodSecurity } from './security.ts';
import { checkVolumes } from './volumes.ts';

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const MAX_INT32 = 2_147_483_647;

export function checkPodSpec(report: Report, path: string, spec: JsonObject, isPod = false): void {
  const context: PodContext = {
    volumes: checkVolumes(report, `${path}.volumes`, items(spec['volumes'])),
    restartPolicy: text(spec['restartPolicy']),
    grace: number(spec['terminationGracePeriodSeconds']),
    hostUsers: spec['hostUsers'] !== false,
  };
  checkContainers(report, path, spec, context);
  for (const [index, container] of items(spec['ephemeralContainers']).entries())
    checkContainer(report, `${path}.ephemeralContainers[${index}]`, container, context);
  if (present(spec['resources'])) checkResources(report, `${path}.resources`, fields(spec['resources']));
  if (spec['hostNetwork'] === true)
    checkHostNetworkPorts(report, `${path}.containers`, items(spec['containers']), isPod);
  report.oneOf(`${path}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never']);
  report.oneOf(`${path}.dnsPolicy`, spec['dnsPolicy'], DNS_POLICIES);
  checkLabels(report, `${path}.nodeSelector`, spec['nodeSelector']);
  checkPodSecurity(report, path, spec);
  const affinity = optional(spec['affinity']);
  if (affinity) checkAffinity(report, `${path}.affinity`, affinity);
  checkDns(report, `${path}.dnsConfig`, spec);
  checkGates(report, path, spec);
  checkSpread(report, `${path}.topologySpreadConstraints`, items(spec['topologySpreadConstraints']));
  checkHostUsers(report, path, spec);
  checkNames(report, path, spec);
  checkTolerations(report, `${path}.tolerations`, items(spec['tolerations']));
  checkHostAliases(report, `${path}.hostAliases`, items(spec['hostAliases']));
  checkRest(report, path, spec);
}

function checkHostNetworkPorts(report: Report, path: string, containers: readonly JsonObject[], isPod: boolean): void {
  for (const [c, container] of containers.entries()) {
    for (const [p, port] of items(container['ports']).entries()) {
      const host = number(port['hostPort']);
      if ((isPod || host !== 0) && host !== number(port['containerPort'])) {
        const detail = 'must match `containerPort` when `hostNetwork` is true';
        report.invalid(`${path}[${c}].ports[${p}].hostPort`, host, detail);
      }
    }
  }
}

function checkDns(report: Report, path: string, spec: JsonObject): void {
  const config = optional(spec['dnsConfig']);
  const servers = texts(config?.['nameservers']);
  if (spec['dnsPolicy'] === 'None') {
    if (!config) {
      report.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (servers.length === 0) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      report.required(`${path}.nameservers`, detail);
      return;
    }
  }
  if (servers.length > 3) report.invalid(`${path}.nameservers`, servers, 'must not have more than 3 nameservers');
  for (const [index, server] of servers.entries()) checkAddress(report, `${path}.nameservers[${index}]`, server);
  for (const [index, option] of items(config?.['options']).entries()) {
    if (text(option['name']) === '') report.required(`${path}.options[${index}]`, 'must not be empty');
  }
}

function checkHostUsers(report: Report, path: string, spec: JsonObject): void {
  if (spec['hostUsers'] !== false) return;
  if (spec['hostNetwork'] === true) report.forbidden(`${path}.hostNetwork`, 'when `hostUsers` is false');
  if (spec['hostPID'] === true) report.forbidden(`${path}.HostPID`, 'when `hostUsers` is false');
  if (spec['hostIPC'] === true) report.forbidden(`${path}.HostIPC`, 'when `hostUsers` is false');
}

function checkNames(report: Report, path: string, spec: JsonObject): void {
  for (const name of ['serviceAccountName', 'nodeName']) {
    const given = text(spec[name]);
    if (given !== '') report.invalidBy(`${path}.${name}`, given, subdomainProblems(given));
  }
  const deadline = spec['activeDeadlineSeconds'];
  if (present(deadline) && (number(deadline) < 1 || number(deadline) > MAX_INT32))
    report.invalid(`${path}.activeDeadlineSeconds`, deadline, `must be between 1 and ${MAX_INT32}, inclusive`);
  for (const name of ['hostname', 'subdomain']) {
    const given = text(spec[name]);
    if (given !== '') report.invalidBy(`${path}.${name}`, given, labelTexts(given));
  }
}

function checkHostAliases(report: Report, path: string, aliases: readonly JsonObject[]): void {
  for (const [index, alias] of aliases.entries()) {
    checkAddress(report, `${path}[${index}].ip`, text(alias['ip']));
    for (const [h, name] of texts(alias['hostnames']).entries())
      report.invalidBy(`${path}[${index}].hostnames[${h}]`, name, subdomainProblems(name));
  }
}

function checkRest(report: Report, path: string, spec: JsonObject): void {
  for (const name of ['priorityClassName', 'runtimeClassName']) {
    const given = text(spec[name]);
    if (given !== '') report.invalidBy(`${path}.${name}`, given, subdomainProblems(given));
  }
  const preemption = spec['preemptionPolicy'];
  if (present(preemption)) report.oneOf(`${path}.preemptionPolicy`, preemption, ['PreemptLowerPriority', 'Never']);
  const os = optional(spec['os']);
  if (!os) return;
  if (text(os['name']) === '') report.required(`${path}.os.name`);
  else report.oneOf(`${path}.os`, os['name'], ['linux', 'windows']);
}

/** Of a template: labels, annotations, spec. The server leaves "metadata" out of these paths. */
export function checkTemplate(report: Report, path: string, template: JsonObject): void {
  const metadata = fields(template['metadata']);
  for (const key of Object.keys(fields(metadata['labels'])).sort()) {
    const value = text(fields(metadata['labels'])[key]);
    report.invalidBy(`${path}.labels`, key, qualifiedNameProblems(key));
    report.invalidBy(`${path}.labels`, value, labelValueProblems(value));
  }
  for (const key of Object.keys(fields(metadata['annotations'])).sort())
    report.invalidBy(`${path}.annotations`, key, qualifiedNameProblems(key.toLowerCase()));
  const spec = fields(template['spec']);
  checkPodSpec(report, `${path}.spec`, spec);
  if (items(spec['ephemeralContainers']).length > 0)
    report.forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template');
}
