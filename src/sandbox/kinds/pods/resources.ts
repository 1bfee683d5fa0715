// Requests and limits of containers and pods.

import type { JsonObject, JsonValue } from '../../../kit/json.ts';
import { qualifiedNameProblems } from '../../meta/names.ts';
import { nanosOf } from '../../typed/quantity.ts';
import { fields, items, keysOf, NOT_NEGATIVE, type Report, text } from '../report.ts';

const NANO = 1_000_000_000n;
const MILLI = 1_000_000n;
const CONTAINER_RESOURCES = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** Names without a domain that a resource may have somewhere. */
const STANDARD = new Set([
  ...CONTAINER_RESOURCES,
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
]);
const WHOLE = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
const isStandardResource = (name: string): boolean => STANDARD.has(name) || isHugePages(name);
const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && qualifiedNameProblems(`requests.${name}`).length === 0;
const overcommits = (name: string): boolean => isNative(name) && !isHugePages(name);

export function checkResourceName(report: Report, path: string, name: string): boolean {
  const problems = qualifiedNameProblems(name);
  report.invalidBy(path, name, problems);
  if (problems.length > 0) return false;
  if (name.includes('/') || isStandardResource(name)) return true;
  report.invalid(path, name, 'must be a standard resource type or fully qualified');
  return false;
}

export function checkContainerResourceName(report: Report, path: string, name: string): void {
  checkResourceName(report, path, name);
  if (!name.includes('/')) {
    if (!CONTAINER_RESOURCES.has(name) && !isHugePages(name))
      report.invalid(path, name, 'must be a standard resource for containers');
  } else if (!isNative(name) && !isExtended(name)) {
    report.invalid(path, name, "doesn't follow extended resource name standard");
  }
}

/** Not negative, and whole where only whole ones make sense. */
export function checkAmount(report: Report, path: string, name: string, amount: JsonValue | undefined): void {
  const nanos = nanosOf(amount);
  if (nanos < 0n) report.invalid(path, text(amount), NOT_NEGATIVE);
  const whole = WHOLE.has(name) || isExtended(name);
  if (whole && (nanos / MILLI) % 1000n !== 0n) report.invalid(path, text(amount), 'must be an integer');
}

export function checkResources(report: Report, path: string, resources: JsonObject): void {
  const limits = fields(resources['limits']);
  const requests = fields(resources['requests']);
  for (const name of keysOf(limits)) checkListed(report, `${path}.limits[${name}]`, name, limits);
  for (const name of keysOf(requests)) {
    checkListed(report, `${path}.requests[${name}]`, name, requests);
    checkRequest(report, path, name, { limits, requests });
  }
  const all = [...Object.keys(limits), ...Object.keys(requests)];
  if (all.some(isHugePages) && !all.includes('cpu') && !all.includes('memory'))
    report.forbidden(path, 'HugePages require cpu or memory');
  for (const [index, claim] of items(resources['claims']).entries()) {
    if (text(claim['name']) === '') report.required(`${path}.claims[${index}]`);
  }
}

function checkListed(report: Report, path: string, name: string, list: JsonObject): void {
  checkContainerResourceName(report, path, name);
  checkAmount(report, path, name, list[name]);
  if (isHugePages(name) && nanosOf(list[name]) % (hugePageSize(name) * NANO) !== 0n)
    report.invalid(path, text(list[name]), `quantity ${text(list[name])} is not a multiple of the page size`);
}

function hugePageSize(name: string): bigint {
  const size = nanosOf(name.slice('hugepages-'.length)) / NANO;
  return size > 0n ? size : 1n;
}

function checkRequest(
  report: Report,
  path: string,
  name: string,
  { limits, requests }: { readonly limits: JsonObject; readonly requests: JsonObject },
): void {
  const amount = text(requests[name]);
  const limit = limits[name];
  if (limit === undefined) {
    if (!overcommits(name)) report.required(`${path}.limits`, 'Limit must be set for non overcommitable resources');
  } else if (!overcommits(name) && nanosOf(amount) !== nanosOf(limit)) {
    report.invalid(`${path}.requests`, amount, `must be equal to ${name} limit of ${text(limit)}`);
  } else if (nanosOf(amount) > nanosOf(limit)) {
    report.invalid(`${path}.requests`, amount, `must be less than or equal to ${name} limit of ${text(limit)}`);
  }
}
