import type { ResourceKind } from '../registry/resource-kind.ts';
import { objectKey } from '../store/store.ts';

/** What a request is about: a resource in one of its served versions, and where in it. */
export interface Target {
  readonly kind: ResourceKind;
  readonly version: string;
  /** Absent: cluster-scoped, or all namespaces. */
  readonly namespace?: string;
}

export interface ObjectTarget extends Target {
  readonly name: string;
}

export function targetKey(target: ObjectTarget): string {
  return objectKey(target.namespace, target.name);
}
