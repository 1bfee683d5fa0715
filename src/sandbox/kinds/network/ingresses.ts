// Ingress and IngressClass.

import { isIP } from 'node:net';
import type { JsonObject } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { pathSegmentProblems, qualifiedNameProblems, subdomainProblems } from '../../meta/names.ts';
import { isPort, labelTexts, PORT_RANGE, portNameTexts } from '../names.ts';
import { fields, IMMUTABLE, items, number, optional, present, type Report, text, texts } from '../report.ts';
import type { KindRules } from '../rules.ts';

const ANNOTATION = 'kubernetes.io/ingress.class';
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const WILDCARD = /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const WILDCARD_PROBLEM =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const NEVER = ['//', '/./', '/../', '%2f', '%2F'];
const NEVER_LAST = ['/..', '/.'];

function check(report: Report, object: KubeObject): void {
  const spec = fields(object['spec']);
  const backend = optional(spec['defaultBackend']);
  const rules = items(spec['rules']);
  if (rules.length > 0) for (const [index, rule] of rules.entries()) checkRule(report, `spec.rules[${index}]`, rule);
  if (backend) checkBackend(report, 'spec.defaultBackend', backend);
  else if (rules.length === 0)
    report.add(
      'spec',
      'FieldValueInvalid',
      'Invalid value: null: either `defaultBackend` or `rules` must be specified',
    );
  for (const [index, tls] of items(spec['tls']).entries()) checkTls(report, `spec.tls[${index}]`, tls);
  const name = spec['ingressClassName'];
  if (present(name)) report.invalidBy('spec.ingressClassName', text(name), subdomainProblems(text(name)));
}

function checkClassTwice(report: Report, object: KubeObject): void {
  const annotated = object.metadata.annotations?.[ANNOTATION];
  const name = fields(object['spec'])['ingressClassName'];
  if (annotated !== undefined && present(name) && annotated !== name)
    report.invalid(`annotations.${ANNOTATION}`, annotated, 'must match `ingressClassName` when both are specified');
}

function checkHost(report: Report, path: string, host: string): void {
  if (host.includes('*')) {
    if (!WILDCARD.test(host)) report.invalid(path, host, WILDCARD_PROBLEM);
  } else report.invalidBy(path, host, subdomainProblems(host));
}

function checkRule(report: Report, path: string, rule: JsonObject): void {
  const host = text(rule['host']);
  if (host !== '') {
    if (isIP(host) !== 0) report.invalid(`${path}.host`, host, 'must be a DNS name, not an IP address');
    checkHost(report, `${path}.host`, host);
  }
  const http = optional(rule['http']);
  if (!http) return;
  const paths = items(http['paths']);
  if (paths.length === 0) report.required(`${path}.http.paths`);
  for (const [index, item] of paths.entries()) checkPath(report, `${path}.http.paths[${index}]`, item);
}

function checkPath(report: Report, at: string, item: JsonObject): void {
  const path = text(item['path']);
  const type = item['pathType'];
  if (!present(type)) report.required(`${at}.pathType`, 'pathType must be specified');
  else if (type === 'Exact' || type === 'Prefix') checkUrlPath(report, `${at}.path`, path);
  else if (type === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) report.invalid(`${at}.path`, path, 'must be an absolute path');
  } else report.unsupported(`${at}.pathType`, text(type), PATH_TYPES);
  checkBackend(report, `${at}.backend`, fields(item['backend']));
}

function checkUrlPath(report: Report, at: string, path: string): void {
  if (!path.startsWith('/')) report.invalid(at, path, 'must be an absolute path');
  if (path === '') return;
  for (const part of NEVER) if (path.includes(part)) report.invalid(at, path, `must not contain '${part}'`);
  for (const part of NEVER_LAST) if (path.endsWith(part)) report.invalid(at, path, `cannot end with '${part}'`);
}

function checkBackend(report: Report, path: string, backend: JsonObject): void {
  const service = optional(backend['service']);
  const resource = optional(backend['resource']);
  if (resource && service) {
    report.invalid(path, '', 'cannot set both resource and service backends');
    return;
  }
  if (resource) {
    checkResource(report, `${path}.resource`, resource);
    return;
  }
  if (!service) {
    report.invalid(path, '', 'resource or service backend is required');
    return;
  }
  const name = text(service['name']);
  if (name === '') report.required(`${path}.service.name`);
  else report.invalidBy(`${path}.service.name`, name, labelTexts(name));
  checkServicePort(report, path, fields(service['port']));
}

function checkServicePort(report: Report, path: string, port: JsonObject): void {
  const name = text(port['name']);
  const value = number(port['number']);
  if (name !== '' && value !== 0) report.invalid(path, '', 'cannot set both port name & port number');
  else if (name !== '') report.invalidBy(`${path}.service.port.name`, name, portNameTexts(name));
  else if (value === 0) report.required(path, 'port name or number is required');
  else if (!isPort(value)) report.invalid(`${path}.service.port.number`, value, PORT_RANGE);
}

function checkResource(report: Report, path: string, resource: JsonObject): void {
  const group = text(resource['apiGroup']);
  if (group !== '') report.invalidBy(`${path}.apiGroup`, group, subdomainProblems(group));
  for (const name of ['kind', 'name']) {
    const given = text(resource[name]);
    if (given === '') report.required(`${path}.${name}`);
    else report.invalidBy(`${path}.${name}`, given, pathSegmentProblems(given));
  }
}

function checkTls(report: Report, path: string, tls: JsonObject): void {
  for (const [index, host] of texts(tls['hosts']).entries()) checkHost(report, `${path}.hosts[${index}]`, host);
  const secret = text(tls['secretName']);
  if (secret !== '') report.invalidBy(`${path}.secretName`, secret, subdomainProblems(secret));
}

export const INGRESS: KindRules = {
  check: (report, object) => {
    check(report, object);
    checkClassTwice(report, object);
  },
  checkUpdate: (report, _before, after) => check(report, after),
};

function checkClass(report: Report, object: KubeObject): void {
  const spec = fields(object['spec']);
  const controller = text(spec['controller']);
  if (controller === '') report.required('spec.controller');
  else if (!isDomainPath(controller))
    report.invalid('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")');
  const parameters = optional(spec['parameters']);
  if (!parameters) return;
  const path = 'spec.parameters';
  checkResource(report, path, parameters);
  const scope = parameters['scope'];
  const space = parameters['namespace'];
  if (scope === 'Namespace') {
    if (!present(space)) report.required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'");
    else report.invalidBy(`${path}.namespace`, text(space), labelTexts(text(space)));
  } else if (scope !== 'Cluster') report.unsupported(`${path}.scope`, text(scope), ['Cluster', 'Namespace']);
  else if (present(space)) report.forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'");
}

/** domain/path */
export function isDomainPath(text_: string): boolean {
  const [domain = '', ...rest] = text_.split('/');
  const path = rest.join('/');
  return rest.length > 0 && path !== '' && !/\s/.test(path) && qualifiedNameProblems(`${domain}/x`).length === 0;
}

export const INGRESS_CLASS: KindRules = {
  check: checkClass,
  checkUpdate: (report, before, after) => {
    checkClass(report, after);
    const controller = fields(after['spec'])['controller'];
    if (controller !== fields(before['spec'])['controller']) report.invalid('spec.controller', controller, IMMUTABLE);
  },
};
