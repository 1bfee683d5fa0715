import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';

export interface ListOptions {
  /** Absent: all namespaces (or a cluster-scoped resource). */
  readonly namespace?: string;
  /** As in a URL: "app=web,tier in (a,b)". */
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly signal?: AbortSignal;
  /** Applied to each object as it arrives, so that what it drops of a long list is never held. */
  readonly trim?: (object: KubeObject) => KubeObject;
  /** Of a list: what it says no to is left out as it arrives, and never held. */
  readonly keeps?: ((object: KubeObject) => boolean) | undefined;
}

export interface ObjectList {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
}

/** Live reads, past every cache. */
export interface Reader {
  /** undefined on 404. Throws ApiError, ConnectionError. */
  get(type: ResourceType, name: string, namespace?: string): Promise<KubeObject | undefined>;
  /** The whole list, fetched in pages. Each item has its apiVersion and kind. */
  list(type: ResourceType, options?: ListOptions): Promise<ObjectList>;
}
