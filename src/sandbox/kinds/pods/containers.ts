// Containers of a pod or template.

import type { JsonObject } from '../../../kit/json.ts';
import { isPort, labelTexts, PORT_RANGE, portNameTexts } from '../names.ts';
import { fields, items, number, present, type Report, text } from '../report.ts';
import { checkEnvironment } from './environment.ts';
import { checkContainerHealth, forbidHealth } from './probes.ts';
import { checkResources } from './resources.ts';
import { checkContainerSecurity } from './security.ts';
import { checkMounts } from './volumes.ts';

export interface PodContext {
  /** Names of the volumes that can be mounted. */
  readonly volumes: Set<string>;
  readonly restartPolicy: string;
  readonly grace: number;
  readonly hostUsers: boolean;
}

export function checkContainers(report: Report, path: string, spec: JsonObject, context: PodContext): void {
  const containers = items(spec['containers']);
  if (containers.length === 0) report.required(`${path}.containers`);
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = `${path}.containers[${index}]`;
    const name = text(container['name']);
    checkContainer(report, at, container, context);
    if (names.has(name)) report.duplicate(`${at}.name`, name);
    names.add(name);
    checkContainerHealth(report, at, container, context.grace);
    checkRestartPolicy(report, at, container);
  }
  checkHostPorts(report, `${path}.containers`, containers);
  checkInitContainers(report, `${path}.initContainers`, items(spec['initContainers']), { ...context, names });
}

function checkInitContainers(
  report: Report,
  path: string,
  containers: readonly JsonObject[],
  context: PodContext & { readonly names: Set<string> },
): void {
  const { names } = context;
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    const name = text(container['name']);
    checkContainer(report, at, container, context);
    checkRestartPolicy(report, at, container);
    if (names.has(name)) report.duplicate(`${at}.name`, name);
    if (name !== '') names.add(name);
    checkHostPorts(report, path, [container]);
    if (container['restartPolicy'] === 'Always') checkContainerHealth(report, at, container, context.grace);
    else forbidHealth(report, at, container);
  }
}

/** Also of ephemeral containers. */
export function checkContainer(report: Report, path: string, container: JsonObject, context: PodContext): void {
  const name = text(container['name']);
  if (name === '') report.required(`${path}.name`);
  else report.invalidBy(`${path}.name`, name, labelTexts(name));
  if (text(container['image']) === '') report.required(`${path}.image`);
  report.oneOf(`${path}.terminationMessagePolicy`, container['terminationMessagePolicy'], [
    'File',
    'FallbackToLogsOnError',
  ]);
  checkPorts(report, `${path}.ports`, items(container['ports']));
  checkEnvironment(report, path, container);
  checkMounts(report, path, container, context.volumes);
  report.oneOf(`${path}.imagePullPolicy`, container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never']);
  checkResources(report, `${path}.resources`, fields(container['resources']));
  checkResizePolicy(report, `${path}.resizePolicy`, items(container['resizePolicy']), context.restartPolicy);
  checkContainerSecurity(report, path, container, context.hostUsers);
}

function checkPorts(report: Report, path: string, ports: readonly JsonObject[]): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = `${path}[${index}]`;
    const name = text(port['name']);
    if (name !== '') {
      const problems = portNameTexts(name);
      report.invalidBy(`${at}.name`, name, problems);
      if (problems.length === 0 && names.has(name)) report.duplicate(`${at}.name`, name);
      names.add(name);
    }
    const number_ = number(port['containerPort']);
    if (number_ === 0) report.required(`${at}.containerPort`);
    else if (!isPort(number_)) report.invalid(`${at}.containerPort`, number_, PORT_RANGE);
    const host = number(port['hostPort']);
    if (host !== 0 && !isPort(host)) report.invalid(`${at}.hostPort`, host, PORT_RANGE);
    report.oneOf(`${at}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']);
  }
}

function checkHostPorts(report: Report, path: string, containers: readonly JsonObject[]): void {
  const taken = new Set<string>();
  for (const [c, container] of containers.entries()) {
    for (const [p, port] of items(container['ports']).entries()) {
      const host = number(port['hostPort']);
      if (host === 0) continue;
      const id = `${text(port['protocol'])}/${text(port['hostIP'])}/${host}`;
      if (taken.has(id)) report.duplicate(`${path}[${c}].ports[${p}].hostPort`, id);
      taken.add(id);
    }
  }
}

function checkRestartPolicy(report: Report, path: string, container: JsonObject): void {
  const { restartPolicy, restartPolicyRules } = container;
  if (present(restartPolicy)) report.oneOf(`${path}.restartPolicy`, restartPolicy, ['Always', 'Never', 'OnFailure']);
  else if (items(restartPolicyRules).length > 0)
    report.required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
}

function checkResizePolicy(
  report: Report,
  path: string,
  policies: readonly JsonObject[],
  podRestartPolicy: string,
): void {
  const seen = new Set<string>();
  for (const [index, policy] of policies.entries()) {
    const resource = text(policy['resourceName']);
    const restart = text(policy['restartPolicy']);
    if (seen.has(resource)) report.duplicate(`${path}[${index}]`, resource);
    seen.add(resource);
    if (resource === '') report.required(path);
    else report.oneOf(path, resource, ['cpu', 'memory']);
    if (restart === '') report.required(path);
    else report.oneOf(path, restart, ['NotRequired', 'RestartContainer']);
    if (podRestartPolicy === 'Never' && restart !== 'NotRequired')
      report.invalid(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
  }
}
