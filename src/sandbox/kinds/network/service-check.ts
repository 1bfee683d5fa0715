// What is wrong with a Service.

import { type JsonObject, jsonEqual } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { qualifiedNameProblems, subdomainProblems } from '../../meta/names.ts';
import { IP_PROBLEM, isAddress, parseRange, specialAddressProblem } from '../addresses.ts';
import { checkLabels, checkPort, isPort, labelTexts, PORT_RANGE } from '../names.ts';
import { fields, items, number, present, type Report, text, texts } from '../report.ts';

const RANGE_PROBLEM = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const DAY = 86_400;

export const specOf = (service: KubeObject): JsonObject => fields(service['spec']);
export const isHeadless = (spec: JsonObject): boolean => {
  const addresses = texts(spec['clusterIPs']);
  return addresses.length > 0 ? addresses[0] === 'None' : spec['clusterIP'] === 'None';
};
export const isExternal = (spec: JsonObject): boolean =>
  spec['type'] === 'LoadBalancer' ||
  spec['type'] === 'NodePort' ||
  (spec['type'] === 'ClusterIP' && texts(spec['externalIPs']).length > 0);

export function checkService(report: Report, service: KubeObject): void {
  const spec = specOf(service);
  const ports = items(spec['ports']);
  if (ports.length === 0 && !isHeadless(spec) && spec['type'] !== 'ExternalName') report.required('spec.ports');
  checkType(report, spec);
  const names = new Set<string>();
  for (const [index, port] of ports.entries())
    checkServicePort(report, `spec.ports[${index}]`, port, { named: ports.length > 1, names });
  checkLabels(report, 'spec.selector', spec['selector']);
  checkAffinity(report, spec);
  if (spec['type'] !== 'ExternalName') checkAddresses(report, spec);
  checkExternalAddresses(report, texts(spec['externalIPs']));
  report.oneOf('spec.type', spec['type'], TYPES);
  checkNodePorts(report, spec, ports);
  checkTwice(report, ports);
  checkLoadBalancer(report, spec);
  checkPolicies(report, spec);
}

function checkType(report: Report, spec: JsonObject): void {
  const { type } = spec;
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec))
    report.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`);
  if (type !== 'ExternalName') return;
  for (const name of ['clusterIPs', 'ipFamilies'])
    if (texts(spec[name]).length > 0) report.forbidden(`spec.${name}`, 'may not be set for ExternalName services');
  if (present(spec['ipFamilyPolicy']))
    report.forbidden('spec.ipFamilyPolicy', 'may not be set for ExternalName services');
  const name = text(spec['externalName']).replace(/\.$/, '');
  if (name === '') report.required('spec.externalName');
  else report.invalidBy('spec.externalName', name, subdomainProblems(name));
}

function checkServicePort(
  report: Report,
  path: string,
  port: JsonObject,
  { named, names }: { readonly named: boolean; readonly names: Set<string> },
): void {
  const name = text(port['name']);
  if (name !== '') {
    report.invalidBy(`${path}.name`, name, labelTexts(name));
    if (names.has(name)) report.duplicate(`${path}.name`, name);
    names.add(name);
  } else if (named) report.required(`${path}.name`);
  if (!isPort(number(port['port']))) report.invalid(`${path}.port`, number(port['port']), PORT_RANGE);
  report.oneOf(`${path}.protocol`, port['protocol'], PROTOCOLS);
  checkPort(report, `${path}.targetPort`, port['targetPort']);
  const protocol = port['appProtocol'];
  if (present(protocol)) report.invalidBy(`${path}.appProtocol`, text(protocol), qualifiedNameProblems(text(protocol)));
}

function checkAffinity(report: Report, spec: JsonObject): void {
  report.oneOf('spec.sessionAffinity', spec['sessionAffinity'], ['ClientIP', 'None']);
  if (spec['sessionAffinity'] !== 'ClientIP') return;
  const path = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
  const seconds = number(fields(fields(spec['sessionAffinityConfig'])['clientIP'])['timeoutSeconds']);
  if (seconds <= 0 || seconds > DAY) report.invalid(path, seconds, `must be greater than 0 and less than ${DAY}`);
}

function checkAddresses(report: Report, spec: JsonObject): void {
  const path = 'spec.clusterIPs';
  const addresses = texts(spec['clusterIPs']);
  const first = text(spec['clusterIP']);
  if (first !== '') {
    if (addresses.length === 0) report.required(path);
    else if (addresses[0] !== first) report.invalid(path, addresses, 'first value must match `clusterIP`');
  } else if (addresses.length > 0) report.invalid(path, addresses, 'must be empty when `clusterIP` is not specified');
  const seen = new Set<string>();
  for (const [index, family] of texts(spec['ipFamilies']).entries()) {
    report.oneOf(`spec.ipFamilies[${index}]`, family, ['IPv4', 'IPv6']);
    if (seen.has(family)) report.duplicate(`spec.ipFamilies[${index}]`, family);
    seen.add(family);
  }
  const policy = spec['ipFamilyPolicy'];
  if (present(policy))
    report.oneOf('spec.ipFamilyPolicy', policy, ['PreferDualStack', 'RequireDualStack', 'SingleStack']);
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === 'None') {
      if (addresses.length > 1) report.invalid(path, addresses, "'None' must be the first and only value");
    } else if (!isAddress(address)) report.invalid(`${path}[${index}]`, address, IP_PROBLEM);
  }
  if (addresses.length > 2) report.invalid(path, addresses, 'may only hold up to 2 values');
}

function checkExternalAddresses(report: Report, addresses: readonly string[]): void {
  for (const [index, address] of addresses.entries()) {
    const path = `spec.externalIPs[${index}]`;
    const problem = isAddress(address) ? specialAddressProblem(address) : IP_PROBLEM;
    if (problem !== undefined) report.invalid(path, address, problem);
  }
}

function checkNodePorts(report: Report, spec: JsonObject, ports: readonly JsonObject[]): void {
  const taken = new Set<string>();
  for (const [index, port] of ports.entries()) {
    if (number(port['nodePort']) === 0) continue;
    const path = `spec.ports[${index}].nodePort`;
    if (spec['type'] === 'ClusterIP') report.forbidden(path, "may not be used when `type` is 'ClusterIP'");
    const id = `${text(port['protocol'])}/${number(port['nodePort'])}`;
    if (taken.has(id)) report.duplicate(path, number(port['nodePort']));
    taken.add(id);
  }
}

function checkTwice(report: Report, ports: readonly JsonObject[]): void {
  const seen = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const [protocol, value] = [text(port['protocol']), number(port['port'])];
    const id = `${protocol}/${value}`;
    const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: value, TargetPort: 0, NodePort: 0 };
    if (seen.has(id)) report.duplicate(`spec.ports[${index}]`, shown);
    seen.add(id);
  }
}

function checkLoadBalancer(report: Report, spec: JsonObject): void {
  const only = "may only be used when `type` is 'LoadBalancer'";
  const balanced = spec['type'] === 'LoadBalancer';
  const path = 'spec.LoadBalancerSourceRanges';
  const ranges = texts(spec['loadBalancerSourceRanges']);
  if (ranges.length > 0 && !balanced) report.forbidden(path, only);
  for (const [index, range] of ranges.entries())
    if (!parseRange(range.trim())) report.invalid(`${path}[${index}]`, range.trim(), RANGE_PROBLEM);
  if (present(spec['allocateLoadBalancerNodePorts']) && !balanced)
    report.forbidden('spec.allocateLoadBalancerNodePorts', only);
  const name = spec['loadBalancerClass'];
  if (!present(name)) return;
  if (!balanced) report.forbidden('spec.loadBalancerClass', only);
  else report.invalidBy('spec.loadBalancerClass', text(name), qualifiedNameProblems(text(name)));
}

function checkPolicies(report: Report, spec: JsonObject): void {
  const external = text(spec['externalTrafficPolicy']);
  const path = 'spec.externalTrafficPolicy';
  if (isExternal(spec)) report.oneOf(path, external, ['Cluster', 'Local']);
  else if (external !== '') report.invalid(path, external, 'may only be set for externally-accessible services');
  const health = number(spec['healthCheckNodePort']);
  const needs = spec['type'] === 'LoadBalancer' && external === 'Local';
  if (!needs && health !== 0) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    report.invalid('spec.healthCheckNodePort', health, detail);
  }
  const internal = spec['internalTrafficPolicy'];
  if (present(internal)) report.oneOf('spec.internalTrafficPolicy', internal, ['Cluster', 'Local']);
  const distribution = spec['trafficDistribution'];
  if (present(distribution)) report.oneOf('spec.trafficDistribution', distribution, DISTRIBUTIONS);
}

export function warnService(report: Report, spec: JsonObject): void {
  if (texts(spec['externalIPs']).length > 0)
    report.warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  if (spec['trafficDistribution'] === 'PreferClose')
    report.warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
}

/** An address stays as long as the service has one. */
export function checkKeptAddress(report: Report, before: KubeObject, after: KubeObject): void {
  const [old, now] = [specOf(before), specOf(after)];
  if (old['type'] === 'ExternalName' || now['type'] === 'ExternalName') return;
  const [was, is] = [texts(old['clusterIPs']), texts(now['clusterIPs'])];
  if (was.length > 0 && is.length > 0 && was[0] !== is[0])
    report.invalid('spec.clusterIPs[0]', is, 'may not change once set');
  if (
    !jsonEqual(old['loadBalancerClass'], now['loadBalancerClass']) &&
    now['type'] === 'LoadBalancer' &&
    old['type'] === 'LoadBalancer'
  )
    report.invalid('spec.loadBalancerClass', now['loadBalancerClass'] ?? null, 'may not change once set');
}
