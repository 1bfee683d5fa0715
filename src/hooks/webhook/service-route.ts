// How a hook that is a Service is reached from outside of its cluster: over the API server, by its service proxy or by a
// connection to one of the Service's pods. The proxy is the simpler one and keeps to one endpoint's health itself, but it
// takes the Authorization header for its own, and does not check the certificate of an https service: those hooks get
// a connection. So do calls that may take longer than the API server waits.

import { isJsonArray, isJsonObject, type JsonValue } from '../../kit/json.ts';
import type { WebhookHook } from '../../model/definition.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import type { ObjectName } from '../../model/webhook.ts';
import type { Reader } from '../../ports/read.ts';
import { HookFailure } from '../failure.ts';

const type = (group: string, kind: string, resource: string): ResourceType => ({
  group,
  version: 'v1',
  kind,
  resource,
  namespaced: true,
  verbs: ['get', 'list'],
  subresources: [],
});
const SERVICES = type('', 'Service', 'services');
const ENDPOINT_SLICES = type('discovery.k8s.io', 'EndpointSlice', 'endpointslices');

/** Longer than this the transport waits for no answer. */
const PROXY_WAITS_MS = 60_000;

export interface NamedService {
  readonly service: ObjectName;
  /** Two labels may as well be a domain ("hooks.dev"): a Service only if the cluster has one of this name. */
  readonly certain: boolean;
}

const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const SERVICE_HOST = new RegExp(`^(${LABEL})\\.(${LABEL})(\\.svc(?:\\.[-a-z0-9.]+)?)?$`);

/** The Service that a hook's host names: as the definition says it, name.namespace.svc with what follows, or name.namespace. */
export function namedService(hook: Pick<WebhookHook, 'service' | 'direct'>, url: URL): NamedService | undefined {
  if (hook.direct) return undefined;
  if (hook.service) return { service: hook.service, certain: true };
  const [, name, namespace, suffix] = SERVICE_HOST.exec(url.hostname) ?? [];
  if (name === undefined || namespace === undefined || /^\d+$/.test(namespace)) return undefined;
  return { service: { namespace, name }, certain: suffix !== undefined };
}

export async function serviceExists({ namespace, name }: ObjectName, reader: Pick<Reader, 'get'>): Promise<boolean> {
  return (await reader.get(SERVICES, name, namespace)) !== undefined;
}

export function goesByProxy(
  url: URL,
  hook: Pick<WebhookHook, 'timeoutMs'>,
  authorization: string | undefined,
): boolean {
  return url.protocol === 'http:' && authorization === undefined && hook.timeoutMs <= PROXY_WAITS_MS;
}

/** Path of the service proxy for this url; what stands in the url is encoded and holds no "..". */
export function proxyPath({ namespace, name }: ObjectName, url: URL): string {
  return `/api/v1/namespaces/${namespace}/services/${name}:${url.port || '80'}/proxy${url.pathname}${url.search}`;
}

export interface PodPort {
  readonly pod: ObjectName;
  readonly port: number;
}

/** The pods that are ready behind a port of a Service, in a stable order. Throws HookFailure when there are none. */
export async function podsBehind(
  service: ObjectName,
  port: number,
  reader: Pick<Reader, 'get' | 'list'>,
): Promise<PodPort[]> {
  const { namespace, name } = service;
  const found = await reader.get(SERVICES, name, namespace);
  if (!found) throw failure(`the Service ${namespace}/${name} does not exist`, 'check its name and the context');
  const portName = portNameOf(found, port);
  if (portName === undefined)
    throw failure(`the Service ${namespace}/${name} has no port ${port}`, `its ports: ${portsOf(found).join(', ')}`);
  const labelSelector = `kubernetes.io/service-name=${name}`;
  const { items } = await reader.list(ENDPOINT_SLICES, { namespace, labelSelector });
  const pods = items
    .flatMap((slice) => readyPods(slice, portName))
    .map((each) => ({ ...each, pod: { namespace, name: each.pod } }));
  if (pods.length === 0)
    throw failure(
      `the Service ${namespace}/${name} has no pod that is ready`,
      "look at the pods of the hook's Deployment",
    );
  return pods.sort((a, b) => (a.pod.name < b.pod.name ? -1 : 1));
}

function failure(what: string, hint: string): HookFailure {
  return new HookFailure({ code: 'hook-failed', what, hint });
}

const listIn = (value: JsonValue | undefined, key: string): readonly JsonValue[] => {
  const list = isJsonObject(value) ? value[key] : undefined;
  return isJsonArray(list) ? list : [];
};

function portsOf(service: KubeObject): JsonValue[] {
  return listIn(service['spec'], 'ports').flatMap((each) => (isJsonObject(each) ? (each['port'] ?? []) : []));
}

/** "" for the only port of a Service; undefined: there is none of this number. */
function portNameOf(service: KubeObject, port: number): string | undefined {
  const found = listIn(service['spec'], 'ports').find((each) => isJsonObject(each) && each['port'] === port);
  return isJsonObject(found) ? String(found['name'] ?? '') : undefined;
}

function readyPods(slice: KubeObject, portName: string): { pod: string; port: number }[] {
  const ports = listIn(slice, 'ports').filter(isJsonObject);
  const port = ports.find((each) => (each['name'] ?? '') === portName)?.['port'];
  if (typeof port !== 'number') return [];
  return listIn(slice, 'endpoints').flatMap((endpoint) => {
    if (!isJsonObject(endpoint)) return [];
    const { targetRef, conditions } = endpoint;
    const isReady = !isJsonObject(conditions) || conditions['ready'] !== false;
    const isPod = isJsonObject(targetRef) && targetRef['kind'] === 'Pod' && typeof targetRef['name'] === 'string';
    return isReady && isPod ? [{ pod: String(targetRef['name']), port }] : [];
  });
}
