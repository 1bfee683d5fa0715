import type { JsonObject } from '../kit/json.ts';

/** One served resource, as discovery describes it. */
export interface ResourceType {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural, lower case: the word in URLs and in definitions. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Names of subresources, such as "status" and "scale". */
  readonly subresources: readonly string[];
}

/** What the server says of the fields of a kind: a component of its OpenAPI v3 document, and those that it refers to. */
export interface KindSchema {
  /** `components.schemas` of the document of the kind's group and version. The same object for all kinds in it. */
  readonly components: JsonObject;
  /** The name of the kind's own component. */
  readonly name: string;
}

/** "v1" for core, "apps/v1" otherwise. */
export function apiVersionOf(type: { readonly group: string; readonly version: string }): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

export function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Identity of a resource type over versions: "pods", "deployments.apps". */
export function groupResourceOf(type: { readonly group: string; readonly resource: string }): string {
  return type.group === '' ? type.resource : `${type.resource}.${type.group}`;
}
