// URLs of the Kubernetes API. Names keep their case (ClusterRoles may have capitals) and are encoded segment by segment.

import { BugError } from '../../model/diagnostic.ts';
import type { ResourceType } from '../../model/resource.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** "/api/v1" or "/apis/apps/v1" */
export function groupVersionPath({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? `/api/${segment(version)}` : `/apis/${segment(group)}/${segment(version)}`;
}

/** Without a namespace: every namespace, or a cluster-scoped resource. */
export function collectionPath(type: ResourceType, namespace?: string): string {
  const scope = namespace !== undefined && type.namespaced ? `/namespaces/${segment(namespace)}` : '';
  return `${groupVersionPath(type)}${scope}/${segment(type.resource)}`;
}

export interface ObjectAddress {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly subresource?: string | undefined;
}

export function objectPath(type: ResourceType, { name, namespace, subresource }: ObjectAddress): string {
  if (name === '') throw new BugError(`a ${type.kind} is addressed without a name`);
  const base = `${writeCollectionPath(type, namespace)}/${segment(name)}`;
  return subresource === undefined ? base : `${base}/${segment(subresource)}`;
}

/** The collection that one object lives in: a namespaced kind needs its namespace here. */
export function writeCollectionPath(type: ResourceType, namespace: string | undefined): string {
  if (type.namespaced && !namespace) throw new BugError(`a ${type.kind} is addressed without a namespace`);
  return collectionPath(type, namespace);
}

/** "?a=b&c=d", or "" for no parameters. Undefined values are left out. */
export function queryOf(query: Query): string {
  let text = '';
  for (const [key, value] of Object.entries(query))
    if (value !== undefined) text += `${text === '' ? '?' : '&'}${key}=${encodeURIComponent(value)}`;
  return text;
}

function segment(text: string): string {
  // "." and ".." would be taken for path steps by what stands between us and the server.
  if (text === '.' || text === '..') throw new BugError(`${JSON.stringify(text)} can't be a part of an API path`);
  return encodeURIComponent(text);
}
