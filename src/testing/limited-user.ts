// Somebody who may do only some things in only one namespace. On the real server: a user that is impersonated, with a Role.
// The sandbox knows no users: there a front answers what is not allowed as the real server does.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterChoice } from '../app/index.ts';
import type { ApiRequest, ApiResponse, Transport } from '../ports/transport.ts';
import { kubeconfigFor, serveSandbox } from '../sandbox/index.ts';
import type { TestTarget } from './targets.ts';

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export interface LimitedUser {
  readonly choice: ClusterChoice;
  close(): Promise<void>;
}

interface Limits {
  readonly name: string;
  readonly namespace: string;
  readonly rules: readonly Rule[];
  /** For a kubeconfig. */
  readonly directory: string;
}

export async function limitedUser(target: TestTarget, limits: Limits): Promise<LimitedUser> {
  if (target.kind === 'sandbox') return frontFor(target.transport, limits);
  const { name, namespace, rules } = limits;
  const metadata = { name, namespace };
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }];
  await post(target.transport, 'roles', { apiVersion, kind: 'Role', metadata, rules });
  await post(target.transport, 'rolebindings', { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects });
  return { choice: { ...target.choice, impersonation: { user: name } }, close: async () => undefined };

  async function post(transport: Transport, resource: string, object: object): Promise<void> {
    const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/${resource}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await transport.request({ method: 'POST', path, headers, body: JSON.stringify(object) });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(text);
  }
}

async function frontFor(transport: Transport, limits: Limits): Promise<LimitedUser> {
  const checked: Transport = {
    request: async (request) => refusalOf(request, limits) ?? transport.request(request),
    close: async () => undefined,
  };
  const served = await serveSandbox({ transport: checked }, { host: '127.0.0.1', port: 0 });
  const kubeconfig = join(limits.directory, `kubeconfig-${limits.name}`);
  await writeFile(kubeconfig, kubeconfigFor(served.url));
  return { choice: { kubeconfig }, close: () => served.close() };
}

const ADDRESS =
  /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+\/(?:namespaces\/(?<namespace>[^/]+)\/)?(?<resource>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<sub>.+))?)?$/;
const VERBS = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** undefined: allowed. Discovery is everybody's, as with the real server's roles. */
function refusalOf(request: ApiRequest, { name: user, namespace, rules }: Limits): ApiResponse | undefined {
  const [path = '', query = ''] = request.path.split('?');
  const found = ADDRESS.exec(path)?.groups;
  if (!found) return undefined;
  const group = found['group'] ?? '';
  const resource = `${found['resource']}${found['sub'] ? `/${found['sub']}` : ''}`;
  const isWatch = new URLSearchParams(query).get('watch') === 'true';
  const verb = request.method === 'GET' ? (isWatch ? 'watch' : found['name'] ? 'get' : 'list') : VERBS[request.method];
  const allowed = rules.some(
    (rule) => rule.apiGroups.includes(group) && rule.resources.includes(resource) && rule.verbs.includes(verb),
  );
  if (allowed && found['namespace'] === namespace) return undefined;
  const place = found['namespace'] ? `in the namespace "${found['namespace']}"` : 'at the cluster scope';
  const what = `${found['resource']}${group ? `.${group}` : ''}${found['name'] ? ` "${found['name']}"` : ''}`;
  const message = `${what} is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${place}`;
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason: 'Forbidden', code: 403 };
  const text = JSON.stringify(status);
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  return { status: 403, headers: { 'content-type': 'application/json' }, body, text: async () => text };
}
