// The objects that checks write. `things` is a custom resource with a status subresource; each topic has its own group of it.

import type { JsonObject } from '../../kit/json.ts';

export function configMap(name: string, data?: JsonObject, metadata?: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...(data ? { data } : {}) };
}

export function thing(name: string, spec?: JsonObject, metadata?: JsonObject): JsonObject {
  return { apiVersion: '{group}/v1', kind: 'Thing', metadata: { name, ...metadata }, ...(spec ? { spec } : {}) };
}

export function secret(name: string, fields: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...fields };
}

export function pod(name: string, metadata?: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    // No scheduler takes it, so that nothing but the check ever changes it.
    spec: { containers: [{ name: 'main', image: 'none' }], schedulerName: 'nobody' },
  };
}

interface DefinitionOptions {
  readonly kind?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  /** false: no status subresource. */
  readonly status?: boolean;
  readonly names?: JsonObject;
  /** openAPIV3Schema; anything goes unless given. */
  readonly schema?: JsonObject;
  /** Name to {served, storage}; default one version v1. */
  readonly versions?: Readonly<Record<string, { readonly served: boolean; readonly storage: boolean }>>;
}

/** A CustomResourceDefinition in {group} whose objects may hold anything. */
export function definition(plural: string, options: DefinitionOptions = {}): JsonObject {
  const kind = options.kind ?? `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
  const versions = options.versions ?? { v1: { served: true, storage: true } };
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: options.schema ?? anything };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.{group}` },
    spec: {
      group: '{group}',
      scope: options.scope ?? 'Namespaced',
      names: { plural, kind, ...options.names },
      versions: Object.entries(versions).map(([name, flags]) => ({
        name,
        ...flags,
        schema,
        ...(options.status === false ? {} : { subresources: { status: {} } }),
      })),
    },
  };
}
