// Somebody who has some roles and nothing else, before either server; and what of these he makes use of. On the real server
// they are roles of it, and he is impersonated. The sandbox knows no users: there a front judges by the same roles, and
// answers as the real server does.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rule } from '../install/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { SummedRight } from '../model/right.ts';
import type { ApiRequest, ApiResponse, Transport } from '../ports/transport.ts';
import { kubeconfigFor, serveSandbox } from '../sandbox/index.ts';
import type { TestTarget } from './targets.ts';
import { until } from './until.ts';

export interface RoleUser {
  readonly choice: { readonly kubeconfig: string };
  /** What was refused him: "list pods". */
  readonly refused: readonly string[];
  /** Of these rights, what he has made no use of: "update configmaps". */
  unused(rights: readonly SummedRight[]): readonly string[];
  close(): Promise<void>;
}

interface UserOptions {
  readonly name: string;
  /** ClusterRoles and Roles; their names are the user's own. */
  readonly roles: readonly KubeObject[];
  /** For a kubeconfig. */
  readonly directory: string;
  /** Answers in the server's place where it returns something; after the right was checked. */
  readonly instead?: (request: ApiRequest) => ApiResponse | undefined;
}

interface Asked {
  readonly verb: string;
  readonly group: string;
  /** With its subresource. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

export async function userWithRoles(target: TestTarget, options: UserOptions): Promise<RoleUser> {
  const { name, roles, directory, instead } = options;
  const asked: Asked[] = [];
  const refused: string[] = [];
  const onRealServer = target.kind === 'real';
  if (onRealServer) await bind(target.transport, name, roles);
  const transport: Transport = {
    request: async (request) => {
      const what = askedBy(request);
      if (what) asked.push(what);
      // A list in the form of a watch, which servers before 1.34 do not have: there it is one.
      if (what && request.path.includes('sendInitialEvents=true')) asked.push({ ...what, verb: 'list' });
      if (!onRealServer && what && !isAllowed(what, roles)) {
        refused.push(textOf(what));
        return refusal(what, name);
      }
      const answer = instead?.(request);
      if (answer) return answer;
      const headers = onRealServer ? { ...request.headers, 'impersonate-user': name } : { ...request.headers };
      const given = await target.transport.request({ ...request, headers });
      if (given.status === 403 && what) refused.push(textOf(what));
      // What server-side apply makes anew, the server asks for as a creation too.
      if (given.status === 201 && what?.verb === 'patch') asked.push({ ...what, verb: 'create' });
      return given;
    },
    close: async () => undefined,
  };
  const served = await serveSandbox({ transport }, { host: '127.0.0.1', port: 0 });
  const kubeconfig = join(directory, `kubeconfig-${name}`);
  await writeFile(kubeconfig, kubeconfigFor(served.url));
  return {
    choice: { kubeconfig },
    refused,
    unused: (rights) =>
      rights.flatMap((right) =>
        right.verbs
          .filter((verb) => !asked.some((what) => uses(what, verb, right)))
          .map((verb) => `${verb} ${right.resource}`),
      ),
    close: () => served.close(),
  };
}

const uses = (what: Asked, verb: string, right: SummedRight): boolean =>
  what.verb === verb &&
  what.group === right.group &&
  what.resource === right.resource &&
  (right.namespace === undefined || right.namespace === what.namespace) &&
  (right.names === undefined || right.names.includes(what.name ?? ''));

const ADDRESS =
  /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+\/(?:namespaces\/(?<namespace>[^/]+)\/(?=[^/]))?(?<resource>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<sub>.+))?)?$/;
const VERBS = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** undefined: of no resource, which is everybody's (discovery, schemas). */
function askedBy(request: ApiRequest): Asked | undefined {
  const [path = '', query = ''] = request.path.split('?');
  const found = ADDRESS.exec(path)?.groups;
  if (!found) return undefined;
  const isWatch = new URLSearchParams(query).get('watch') === 'true';
  const verb = request.method === 'GET' ? (isWatch ? 'watch' : found['name'] ? 'get' : 'list') : VERBS[request.method];
  const resource = `${found['resource']}${found['sub'] ? `/${found['sub']}` : ''}`;
  return { verb, group: found['group'] ?? '', resource, namespace: found['namespace'], name: found['name'] };
}

const textOf = ({ verb, resource }: Asked): string => `${verb} ${resource}`;

function isAllowed(what: Asked, roles: readonly KubeObject[]): boolean {
  const inPlace = roles.filter(({ kind, metadata }) => kind === 'ClusterRole' || metadata.namespace === what.namespace);
  return inPlace
    .flatMap((role) => role['rules'] as unknown as readonly Rule[])
    .some(
      (rule) =>
        rule.apiGroups.includes(what.group) &&
        rule.resources.includes(what.resource) &&
        rule.verbs.includes(what.verb) &&
        (rule.resourceNames === undefined || rule.resourceNames.includes(what.name ?? '')),
    );
}

function refusal(what: Asked, user: string): ApiResponse {
  const place = what.namespace ? `in the namespace "${what.namespace}"` : 'at the cluster scope';
  const [resource = ''] = what.resource.split('/');
  const object = `${resource}${what.group ? `.${what.group}` : ''}${what.name ? ` "${what.name}"` : ''}`;
  const message = `${object} is forbidden: User "${user}" cannot ${what.verb} resource "${what.resource}" in API group "${what.group}" ${place}`;
  return answerOf(403, 'Forbidden', message);
}

/** A Status, as the server sends it. */
export function answerOf(code: number, reason: string, message: string): ApiResponse {
  const text = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code });
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  return { status: code, headers: { 'content-type': 'application/json' }, body, text: async () => text };
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** Resolves when the server's authorizer knows them. */
async function bind(transport: Transport, user: string, roles: readonly KubeObject[]): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  for (const role of roles) {
    const { kind, metadata } = role;
    const place = metadata.namespace === undefined ? RBAC : `${RBAC}/namespaces/${metadata.namespace}`;
    await post(transport, `${place}/${kind.toLowerCase()}s`, role);
    const roleRef = { apiGroup, kind, name: metadata.name };
    const subjects = [{ apiGroup, kind: 'User', name: user }];
    const binding = { apiVersion: role.apiVersion, kind: `${kind}Binding`, metadata, roleRef, subjects };
    await post(transport, `${place}/${kind.toLowerCase()}bindings`, binding);
  }
  for (const role of roles) {
    for (const rule of role['rules'] as unknown as readonly Rule[])
      await until('the authorizer knows the role', () => isGranted(transport, user, { role, rule }));
  }
}

async function isGranted(
  transport: Transport,
  user: string,
  { role, rule }: { readonly role: KubeObject; readonly rule: Rule },
): Promise<boolean> {
  const [resource = '', subresource = ''] = rule.resources[0]?.split('/') ?? [];
  const { namespace = '' } = role.metadata;
  const attributes = { namespace, group: rule.apiGroups[0], resource, subresource, verb: rule.verbs[0] };
  const resourceAttributes = { ...attributes, ...(rule.resourceNames ? { name: rule.resourceNames[0] } : {}) };
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, resourceAttributes },
  };
  const text = await post(transport, '/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
  return (JSON.parse(text) as { status: { allowed: boolean } }).status.allowed;
}

async function post(transport: Transport, path: string, object: object): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await transport.request({ method: 'POST', path, headers, body: JSON.stringify(object) });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(text);
  return text;
}
