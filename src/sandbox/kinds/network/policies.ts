// NetworkPolicy.

import type { JsonObject } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { isStrictPart, parseRange } from '../addresses.ts';
import { checkPort, checkSelector } from '../names.ts';
import { fields, items, number, optional, present, type Report, text, texts } from '../report.ts';
import type { KindRules } from '../rules.ts';

const RANGE_PROBLEM = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

function check(report: Report, object: KubeObject): void {
  const spec = fields(object['spec']);
  checkSelector(report, 'spec.podSelector', spec['podSelector']);
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of items(spec[direction]).entries()) {
      const path = `spec.${direction}[${index}]`;
      for (const [p, port] of items(rule['ports']).entries()) checkRulePort(report, `${path}.ports[${p}]`, port);
      for (const [p, peer] of items(rule[peers]).entries()) checkPeer(report, `${path}.${peers}[${p}]`, peer);
    }
  }
  const types = texts(spec['policyTypes']);
  if (types.length > 2) {
    report.invalid('spec.policyTypes', types, 'may not specify more than two policyTypes');
    return;
  }
  for (const [index, type] of types.entries()) report.oneOf(`spec.policyTypes[${index}]`, type, ['Ingress', 'Egress']);
}

function checkRulePort(report: Report, path: string, rule: JsonObject): void {
  const { protocol, port, endPort } = rule;
  if (present(protocol)) report.oneOf(`${path}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']);
  if (!present(port)) {
    if (present(endPort))
      report.invalid(`${path}.endPort`, endPort, 'may not be specified when `port` is not specified');
    return;
  }
  checkPort(report, `${path}.port`, port);
  if (!present(endPort)) return;
  if (typeof port === 'string')
    report.invalid(`${path}.endPort`, endPort, 'may not be specified when `port` is non-numeric');
  else if (number(endPort) < number(port))
    report.invalid(`${path}.endPort`, port, 'must be greater than or equal to `port`');
}

function checkPeer(report: Report, path: string, peer: JsonObject): void {
  const block = optional(peer['ipBlock']);
  const selectors = ['podSelector', 'namespaceSelector'].filter((name) => present(peer[name]));
  for (const name of selectors) checkSelector(report, `${path}.${name}`, peer[name]);
  if (block) checkBlock(report, `${path}.ipBlock`, block);
  if (selectors.length === 0 && !block) report.required(path, 'must specify a peer');
  else if (selectors.length > 0 && block) report.forbidden(path, 'may not specify both ipBlock and another peer');
}

function checkBlock(report: Report, path: string, block: JsonObject): void {
  const cidr = text(block['cidr']);
  if (cidr === '') {
    report.required(`${path}.cidr`);
    return;
  }
  const whole = parseRange(cidr);
  if (!whole) {
    report.invalid(`${path}.cidr`, cidr, RANGE_PROBLEM);
    return;
  }
  for (const [index, except] of texts(block['except']).entries()) {
    const at = `${path}.except[${index}]`;
    const part = parseRange(except);
    if (!part) report.invalid(at, except, RANGE_PROBLEM);
    else if (!isStrictPart(whole, part)) report.invalid(at, except, 'must be a strict subset of `cidr`');
  }
}

export const NETWORK_POLICY: KindRules = { check };
