// Service: addresses and ports that the server gives out, and what it keeps or takes back on an update.
// One family of addresses, IPv4 in 10.0.0.0/16, as with --service-cluster-ip-range=10.0.0.0/16.

import type { JsonObject, MutableJsonObject } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import type { Core } from '../../core.ts';
import { type FieldProblem, invalid, invalidValue } from '../../http/status-error.ts';
import { isInRange, parseRange } from '../addresses.ts';
import { items, number, Report, text, texts } from '../report.ts';
import type { KindRules } from '../rules.ts';
import { checkKeptAddress, checkService, isHeadless, specOf, warnService } from './service-check.ts';

/** 10.0.0.1 is the API server's own. */
const FIRST_HOST = 2;
const LAST_HOST = 0xfffe;
const RANGE = '10.0.0.0/16';
const FIRST_PORT = 30_000;
const LAST_PORT = 32_767;
const ALLOCATED = ['ClusterIP', 'NodePort', 'LoadBalancer'];

const address = (host: number): string => `10.0.${host >> 8}.${host & 0xff}`;

function create(core: Core, object: KubeObject): KubeObject {
  const service = { ...object, spec: withFirstAddress(specOf(object)), status: { loadBalancer: {} } };
  return allocated(core, service, undefined);
}

/** A service that will be refused anyway gets nothing: its problems are told instead. */
function allocated(core: Core, service: KubeObject, before: KubeObject | undefined): KubeObject {
  const report = new Report();
  checkService(report, service);
  if (before) checkKeptAddress(report, before, service);
  if (!report.clean) return service;
  const spec = specOf(service);
  if (!ALLOCATED.includes(text(spec['type']))) return service;
  const others = otherServices(core, service);
  const problems: FieldProblem[] = [];
  const result = withPorts(withAddress(withFamilies(spec, problems), others, problems), others, problems);
  if (problems.length > 0) throw invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', problems);
  return { ...service, spec: result };
}

/** clusterIP and clusterIPs are two ways to write one thing. */
function withFirstAddress(spec: JsonObject): JsonObject {
  const [first, all] = [text(spec['clusterIP']), texts(spec['clusterIPs'])];
  if (first !== '' && all.length === 0) return { ...spec, clusterIPs: [first] };
  return spec;
}

function withFamilies(spec: JsonObject, problems: FieldProblem[]): JsonObject {
  if (texts(spec['ipFamilies']).includes('IPv6'))
    problems.push(invalidValue('spec.ipFamilies[0]', 'IPv6', 'not configured on this cluster'));
  if (spec['ipFamilyPolicy'] === 'RequireDualStack') {
    const detail = 'this cluster is not configured for dual-stack services';
    problems.push(invalidValue('spec.ipFamilyPolicy', 'RequireDualStack', detail));
  }
  return { ...spec, ipFamilies: ['IPv4'], ipFamilyPolicy: spec['ipFamilyPolicy'] ?? 'SingleStack' };
}

function otherServices(core: Core, service: KubeObject): readonly JsonObject[] {
  const { namespace, name } = service.metadata;
  const found: JsonObject[] = [];
  for (const { object } of core.store.collection({ id: 'services' }).range('')) {
    if (object.metadata.namespace !== namespace || object.metadata.name !== name) found.push(specOf(object));
  }
  return found;
}

/** The one that was asked for, or the lowest that is free: two runs of the same writes give the same addresses. */
function withAddress(spec: JsonObject, others: readonly JsonObject[], problems: FieldProblem[]): JsonObject {
  if (isHeadless(spec)) return { ...spec, clusterIP: 'None', clusterIPs: ['None'] };
  const taken = new Set([address(1), ...others.flatMap((other) => texts(other['clusterIPs']))]);
  const asked = text(spec['clusterIP']);
  if (asked === '') {
    for (let host = FIRST_HOST; host < LAST_HOST; host++) {
      if (!taken.has(address(host))) return { ...spec, clusterIP: address(host), clusterIPs: [address(host)] };
    }
    throw new Error(`no free address in ${RANGE}`);
  }
  const refuse = (why: string): void => {
    const detail = `failed to allocate IP ${asked}: ${why}`;
    problems.push(invalidValue('spec.clusterIPs', texts(spec['clusterIPs']), detail));
  };
  const range = parseRange(RANGE);
  if (range && !isInRange(range, asked))
    refuse(`the provided IP (${asked}) is not in the valid range. The range of valid IPs is ${RANGE}`);
  else if (taken.has(asked)) refuse('provided IP is already allocated');
  return spec;
}

const wantsPorts = (spec: JsonObject): boolean =>
  spec['type'] === 'NodePort' || (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
const needsHealthPort = (spec: JsonObject): boolean =>
  spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';

function withPorts(spec: JsonObject, others: readonly JsonObject[], problems: FieldProblem[]): JsonObject {
  const given = items(spec['ports']);
  const taken = new Set<number>();
  for (const other of others) {
    taken.add(number(other['healthCheckNodePort']));
    for (const port of items(other['ports'])) taken.add(number(port['nodePort']));
  }
  for (const [index, port] of given.entries()) checkAsked(number(port['nodePort']), `spec.ports[${index}].nodePort`);
  for (const port of given) taken.add(number(port['nodePort']));
  const free = (): number => {
    for (let port = FIRST_PORT; port <= LAST_PORT; port++) {
      if (taken.has(port)) continue;
      taken.add(port);
      return port;
    }
    throw new Error(`no free port between ${FIRST_PORT} and ${LAST_PORT}`);
  };
  const ports = wantsPorts(spec)
    ? given.map((port) => (number(port['nodePort']) === 0 ? { ...port, nodePort: free() } : port))
    : given;
  const health = needsHealthPort(spec) && number(spec['healthCheckNodePort']) === 0;
  return {
    ...spec,
    ...(ports.length > 0 ? { ports } : {}),
    ...(health ? { healthCheckNodePort: free() } : {}),
  };

  function checkAsked(port: number, path: string): void {
    if (port === 0) return;
    if (port < FIRST_PORT || port > LAST_PORT) {
      const detail = `provided port is not in the valid range. The range of valid ports is ${FIRST_PORT}-${LAST_PORT}`;
      problems.push(invalidValue(path, port, detail));
    } else if (taken.has(port)) problems.push(invalidValue(path, port, 'provided port is already allocated'));
  }
}

/** What the client left out of what was given to the service stays; what a type does not have goes. */
function update(core: Core, before: KubeObject, after: KubeObject): KubeObject {
  const old = specOf(before);
  const spec: MutableJsonObject = { ...specOf(after) };
  keepAllocated(old, spec);
  dropOfOtherTypes(old, spec);
  return allocated(core, { ...after, spec: withFirstAddress(spec) } as KubeObject, before);
}

function keepAllocated(old: JsonObject, spec: MutableJsonObject): void {
  if (old['type'] !== 'ExternalName' && spec['type'] !== 'ExternalName') {
    if (text(spec['clusterIP']) === '' && texts(spec['clusterIPs']).length === 0) {
      for (const name of ['clusterIP', 'clusterIPs']) if (old[name] !== undefined) spec[name] = old[name];
    }
    for (const name of ['ipFamilies', 'ipFamilyPolicy'])
      if (spec[name] === undefined && old[name] !== undefined) spec[name] = old[name];
  }
  if (wantsPorts(old) && wantsPorts(spec)) {
    spec['ports'] = items(spec['ports']).map((port) => {
      if (number(port['nodePort']) !== 0) return port;
      const same = items(old['ports']).find(
        (one) => one['port'] === port['port'] && one['protocol'] === port['protocol'],
      );
      return number(same?.['nodePort']) === 0 ? port : { ...port, nodePort: same?.['nodePort'] ?? 0 };
    });
  }
  if (needsHealthPort(old) && needsHealthPort(spec) && number(spec['healthCheckNodePort']) === 0)
    spec['healthCheckNodePort'] = old['healthCheckNodePort'] ?? 0;
}

function dropOfOtherTypes(old: JsonObject, spec: MutableJsonObject): void {
  if (spec['type'] === 'ExternalName' && old['type'] !== 'ExternalName') {
    for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) delete spec[name];
  }
  if (wantsPorts(old) && !wantsPorts(spec)) {
    const given = new Set(items(old['ports']).map((port) => number(port['nodePort'])));
    spec['ports'] = items(spec['ports']).map((port) => {
      const { nodePort, ...rest } = port;
      return given.has(number(nodePort)) ? rest : port;
    });
  }
  if (needsHealthPort(old) && !needsHealthPort(spec)) delete spec['healthCheckNodePort'];
  if (old['type'] === 'LoadBalancer' && spec['type'] !== 'LoadBalancer') {
    for (const name of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) delete spec[name];
  }
}

export const SERVICE: KindRules = {
  create,
  update,
  check: (report, object) => {
    checkService(report, object);
    warnService(report, specOf(object));
  },
  checkUpdate: (report, before, after) => {
    checkKeptAddress(report, before, after);
    checkService(report, after);
  },
};
