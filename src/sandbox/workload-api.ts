// What the workload simulator (src/sandbox/workloads) sees of the store: synchronous, below HTTP, without validation
// of a client's mistakes. Writes go through the same commit as requests do: they get resourceVersions, are watched,
// journalled and garbage-collected.

import type { KubeObject } from '../model/object.ts';

export interface WorkloadChange {
  readonly group: string;
  /** Plural, lower case. */
  readonly resource: string;
  /** Absent: created. */
  readonly before?: KubeObject;
  /** Absent: removed. */
  readonly after?: KubeObject;
}

export interface WorkloadApi {
  /** All namespaces unless one is given. */
  list(group: string, resource: string, namespace?: string): readonly KubeObject[];
  /** `namespace` undefined for cluster-scoped resources. */
  get(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  /** Fills in uid, creationTimestamp, generateName. Throws StatusError (AlreadyExists, a namespace that is not there …). */
  create(object: KubeObject): KubeObject;
  /** Replaces `status` only. An object that is gone meanwhile, or that would not change, is no write. */
  updateStatus(object: KubeObject): void;
  /** Replaces everything but status. An object that is gone meanwhile, or that would not change, is no write. */
  update(object: KubeObject): void;
  /**
   * Deletes as a client would in the background: finalizers are respected, dependents are collected. A pod is given no
   * grace. One that waits for its finalizers is left alone.
   */
  remove(object: KubeObject): void;
  /**
   * Called after every committed change, in order, once the write that made it is complete. A listener may write: its
   * changes are delivered after the current one.
   */
  onChange(listener: (change: WorkloadChange) => void): void;
}
