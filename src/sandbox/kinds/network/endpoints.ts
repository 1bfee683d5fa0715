// Endpoints and EndpointSlice.

import type { JsonObject } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { qualifiedNameProblems, subdomainProblems } from '../../meta/names.ts';
import { IP_PROBLEM, isAddress, specialAddressProblem } from '../addresses.ts';
import { isPort, labelTexts, PORT_RANGE } from '../names.ts';
import { fields, IMMUTABLE, items, number, present, type Report, text, texts } from '../report.ts';
import type { KindRules } from '../rules.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function checkEndpoints(report: Report, object: KubeObject): void {
  for (const [index, subset] of items(object['subsets']).entries()) {
    const path = `subsets[${index}]`;
    const lists = ['addresses', 'notReadyAddresses'];
    if (lists.every((name) => items(subset[name]).length === 0))
      report.required(path, 'must specify `addresses` or `notReadyAddresses`');
    for (const name of lists) {
      for (const [a, address] of items(subset[name]).entries()) checkAddress(report, `${path}.${name}[${a}]`, address);
    }
    const ports = items(subset['ports']);
    for (const [p, port] of ports.entries()) checkPort(report, `${path}.ports[${p}]`, port, ports.length > 1);
  }
}

function checkAddress(report: Report, path: string, address: JsonObject): void {
  const ip = text(address['ip']);
  const hostname = text(address['hostname']);
  const known = isAddress(ip);
  if (!known) report.invalid(`${path}.ip`, ip, IP_PROBLEM);
  if (hostname !== '') report.invalidBy(`${path}.hostname`, hostname, labelTexts(hostname));
  const node = address['nodeName'];
  if (present(node)) report.invalidBy(`${path}.nodeName`, text(node), subdomainProblems(text(node)));
  const special = known ? specialAddressProblem(ip) : 'must be a valid IP address';
  if (special !== undefined) report.invalid(`${path}.ip`, ip, special);
}

function checkPort(report: Report, path: string, port: JsonObject, named: boolean): void {
  const name = text(port['name']);
  if (name !== '') report.invalidBy(`${path}.name`, name, labelTexts(name));
  else if (named) report.required(`${path}.name`);
  if (!isPort(number(port['port']))) report.invalid(`${path}.port`, number(port['port']), PORT_RANGE);
  report.oneOf(`${path}.protocol`, port['protocol'], PROTOCOLS);
}

export const ENDPOINTS: KindRules = { check: checkEndpoints };

function checkSlice(report: Report, object: KubeObject): void {
  const type = text(object['addressType']);
  if (type === '') report.required('addressType');
  else report.oneOf('addressType', type, ['FQDN', 'IPv4', 'IPv6']);
  for (const [index, endpoint] of items(object['endpoints']).entries())
    checkEndpoint(report, `endpoints[${index}]`, endpoint, type);
  const names = new Set<string>();
  for (const [index, port] of items(object['ports']).entries()) {
    const path = `ports[${index}]`;
    const name = text(port['name']);
    if (name !== '') report.invalidBy(`${path}.name`, name, labelTexts(name));
    if (names.has(name)) report.duplicate(`${path}.name`, name);
    names.add(name);
    report.oneOf(`${path}.protocol`, port['protocol'], PROTOCOLS);
    const protocol = port['appProtocol'];
    if (present(protocol))
      report.invalidBy(`${path}.appProtocol`, text(protocol), qualifiedNameProblems(text(protocol)));
  }
}

function checkEndpoint(report: Report, path: string, endpoint: JsonObject, type: string): void {
  const addresses = texts(endpoint['addresses']);
  if (addresses.length === 0) report.required(`${path}.addresses`, 'must contain at least 1 address');
  for (const [index, address] of addresses.entries()) {
    const at = `${path}.addresses[${index}]`;
    if (type === 'FQDN') report.invalidBy(at, address, subdomainProblems(address));
    else if (!isAddress(address)) report.invalid(at, address, IP_PROBLEM);
    else {
      const special = specialAddressProblem(address);
      if (special !== undefined) report.invalid(at, address, special);
    }
  }
  const node = fields(endpoint)['nodeName'];
  if (present(node)) report.invalidBy(`${path}.nodeName`, text(node), subdomainProblems(text(node)));
}

export const ENDPOINT_SLICE: KindRules = {
  check: checkSlice,
  checkUpdate: (report, before, after) => {
    checkSlice(report, after);
    if (before['addressType'] !== after['addressType']) report.invalid('addressType', after['addressType'], IMMUTABLE);
  },
};
