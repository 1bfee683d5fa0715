import type { KubeObject } from '../model/object.ts';

/**
 * Does this answer to a write describe an object that is already gone? The server answers the last finalizer's removal,
 * and deletes of kinds with a grace period, with the object as it was in the instant of its end.
 * A Namespace on its way out has a deletionTimestamp without a grace period: it is still there.
 */
export function isGone({ metadata }: KubeObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    metadata.deletionGracePeriodSeconds === 0 &&
    (metadata.finalizers?.length ?? 0) === 0
  );
}
