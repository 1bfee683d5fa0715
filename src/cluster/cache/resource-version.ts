import type { KubeObject } from '../../model/object.ts';

/** A decimal number of any length, without leading zeros. */
export type Version = string;

/**
 * A resourceVersion that can be ordered; undefined when it is no number. Kubernetes promises this order for one resource
 * only, never between resources.
 */
export function versionOf(resourceVersion: string | undefined): Version | undefined {
  return resourceVersion !== undefined && /^(?:0|[1-9]\d*)$/.test(resourceVersion) ? resourceVersion : undefined;
}

export function versionOfObject(object: KubeObject): Version | undefined {
  return versionOf(object.metadata.resourceVersion);
}

/** Is `a` known to be at or after `b`? False where one of them is unknown. */
export function reached(a: Version | undefined, b: Version | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.length === b.length ? a >= b : a.length > b.length;
}
