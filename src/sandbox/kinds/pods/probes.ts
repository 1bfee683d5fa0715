// Probes and lifecycle handlers.

import type { JsonObject } from '../../../kit/json.ts';
import { checkPort, isPort, PORT_RANGE } from '../names.ts';
import { fields, items, number, optional, present, type Report, text } from '../report.ts';

const HEADER_PROBLEM =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
const TIMES = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

type Check = (report: Report, path: string, action: JsonObject, grace: number) => void;

/** In the order in which the server looks for them. */
const HANDLERS: Readonly<Record<string, Check>> = {
  exec: (report, path, action) => {
    if (items(action['command']).length === 0) report.required(`${path}.command`);
  },
  httpGet: (report, path, action) => {
    if (text(action['path']) === '') report.required(`${path}.path`);
    checkPort(report, `${path}.port`, action['port']);
    report.oneOf(`${path}.scheme`, action['scheme'], ['HTTP', 'HTTPS']);
    for (const header of items(action['httpHeaders'])) {
      const name = text(header['name']);
      if (!/^[-A-Za-z0-9]+$/.test(name)) report.invalid(`${path}.httpHeaders`, name, HEADER_PROBLEM);
    }
  },
  tcpSocket: (report, path, action) => checkPort(report, `${path}.port`, action['port']),
  grpc: (report, path, action) => {
    if (!isPort(number(action['port']))) report.invalid(`${path}.port`, number(action['port']), PORT_RANGE);
  },
  sleep: (report, path, action, grace) => {
    const seconds = number(action['seconds']);
    if (seconds >= 0 && seconds <= grace) return;
    report.invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`);
  },
};

function checkHandler(report: Report, path: string, handler: JsonObject, grace: number): void {
  let found = false;
  for (const [name, check] of Object.entries(HANDLERS)) {
    const action = optional(handler[name]);
    if (!action) continue;
    if (found) report.forbidden(`${path}.${name}`, 'may not specify more than 1 handler type');
    else check(report, `${path}.${name}`, action, grace);
    found = true;
  }
  if (!found) report.required(path, 'must specify a handler type');
}

function checkProbe(report: Report, path: string, probe: JsonObject, grace: number): void {
  checkHandler(report, path, probe, grace);
  for (const name of TIMES) report.notNegative(`${path}.${name}`, probe[name]);
  const { terminationGracePeriodSeconds: seconds } = probe;
  if (present(seconds) && number(seconds) <= 0)
    report.invalid(`${path}.terminationGracePeriodSeconds`, seconds, 'must be greater than 0');
}

/** Life cycle and probes of a container that runs beside others, not before them. */
export function checkContainerHealth(report: Report, path: string, container: JsonObject, grace: number): void {
  const lifecycle = fields(container['lifecycle']);
  for (const name of ['postStart', 'preStop']) {
    const handler = optional(lifecycle[name]);
    if (handler) checkHandler(report, `${path}.lifecycle.${name}`, handler, grace);
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = optional(container[name]);
    if (!probe) continue;
    checkProbe(report, `${path}.${name}`, probe, grace);
    if (name === 'readinessProbe') {
      if (present(probe['terminationGracePeriodSeconds']))
        report.invalid(
          `${path}.${name}.terminationGracePeriodSeconds`,
          probe['terminationGracePeriodSeconds'],
          'must not be set for readinessProbes',
        );
    } else if (number(probe['successThreshold']) !== 1) {
      report.invalid(`${path}.${name}.successThreshold`, number(probe['successThreshold']), 'must be 1');
    }
  }
}

export function forbidHealth(report: Report, path: string, container: JsonObject): void {
  for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (present(container[name]))
      report.forbidden(`${path}.${name}`, 'may not be set for init containers without restartPolicy=Always');
  }
}
