// One served resource: what the router, the verbs and discovery need to know of it. Built-ins and CRDs give the same shape.

import type { JsonObject } from '../../kit/json.ts';

export interface ScalePaths {
  readonly spec: readonly string[];
  readonly status: readonly string[];
  readonly selector?: readonly string[];
  /** Of a CRD: there is no Scale before the replicas have been set. */
  readonly custom?: true;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

export interface ServedVersion {
  readonly name: string;
  /** Has the status subresource: writes of the main resource leave status alone. */
  readonly status: boolean;
  readonly scale?: ScalePaths;
  /** Has the finalize subresource, through which finalizers of spec are taken off: namespaces. */
  readonly finalize?: true;
  /** Subresources that are only posted to: "token", "eviction", "binding". */
  readonly actions?: readonly string[];
  /** Of a CRD: additionalPrinterColumns. */
  readonly columns?: readonly PrinterColumn[];
  /** Of a CRD: openAPIV3Schema. */
  readonly schema?: JsonObject;
  /** Its schema is not that of the version that objects are kept in. */
  readonly differs?: true;
  /** Sent with every answer of a deprecated version. */
  readonly deprecation?: string;
}

export interface ResourceKind {
  /** "pods", "widgets.example.com": the key of the collection in the store. */
  readonly id: string;
  /** "" for the core group. */
  readonly group: string;
  /** Plural, lower case. */
  readonly resource: string;
  readonly kind: string;
  readonly listKind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** The preferred one first. */
  readonly versions: readonly ServedVersion[];
  /** Objects are kept in this version; another one is served by changing apiVersion only (conversion "None"). */
  readonly storageVersion: string;
  /** Of a CRD: the schema of that version, which need not be served. */
  readonly storageSchema?: JsonObject;
  readonly custom: boolean;
  /** Of a CRD: selectableFields, as paths. */
  readonly selectableFields: readonly string[];
}

export function apiVersionOf(kind: { readonly group: string }, version: string): string {
  return kind.group === '' ? version : `${kind.group}/${version}`;
}

export function versionOf(kind: ResourceKind, version: string): ServedVersion | undefined {
  return kind.versions.find((v) => v.name === version);
}

export function hasStatus(kind: ResourceKind): boolean {
  return kind.versions.some((v) => v.status);
}

/** Nothing of it is ever kept: a review is asked and answered. */
export function isReview(kind: ResourceKind): boolean {
  return !kind.verbs.includes('get');
}
