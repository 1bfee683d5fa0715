import type { KubeObject } from '../../model/object.ts';

/**
 * A resourceVersion as a number, to order two of one resource; undefined when it is not one. Kubernetes promises this
 * order for one resource only, never between resources.
 */
export function versionOf(resourceVersion: string | undefined): bigint | undefined {
  return resourceVersion !== undefined && /^\d{1,30}$/.test(resourceVersion) ? BigInt(resourceVersion) : undefined;
}

export function versionOfObject(object: KubeObject): bigint | undefined {
  return versionOf(object.metadata.resourceVersion);
}

/** Is `a` known to be at or after `b`? False where one of them is unknown. */
export function reached(a: bigint | undefined, b: bigint | undefined): boolean {
  return a !== undefined && b !== undefined && a >= b;
}
