// What a request to the API server is, in Kubernetes' words: for metrics and traces.

import type { ApiRequest } from '../ports/transport.ts';

export interface RequestWords {
  /** get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verb: string;
  /** "configmaps", "things.example.com/status"; of what is no resource the beginning of its path: "/apis". */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

const VERBS: Readonly<Record<ApiRequest['method'], string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

export function requestWords({ method, path, longLived }: ApiRequest): RequestWords {
  const parts = (path.split('?', 1)[0] ?? '').split('/').slice(1).map(decoded);
  const [root = '', first = ''] = parts;
  const group = root === 'apis' ? first : '';
  const below = parts.slice(root === 'api' ? 2 : 3);
  const inNamespace = below[0] === 'namespaces' && below.length > 2;
  const [resource, name, subresource] = inNamespace ? below.slice(2) : below;
  if ((root !== 'api' && root !== 'apis') || resource === undefined)
    return { verb: VERBS[method], resource: `/${root}` };
  const named = group === '' ? resource : `${resource}.${group}`;
  return {
    verb: verbOf(method, name === undefined, longLived === true),
    resource: subresource === undefined ? named : `${named}/${subresource}`,
    ...(inNamespace && below[1] !== undefined ? { namespace: below[1] } : {}),
    ...(name === undefined ? {} : { name }),
  };
}

function verbOf(method: ApiRequest['method'], ofMany: boolean, longLived: boolean): string {
  if (longLived) return 'watch';
  if (!ofMany) return VERBS[method];
  if (method === 'GET') return 'list';
  return method === 'DELETE' ? 'deletecollection' : VERBS[method];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // no path of ours
  }
}
