// What applying a desired child makes of one that is there, and whether that is anything new. The one place that knows how
// children are compared, so that a rollout and the plan of the children can't disagree.

import { jsonEqual } from '../../kit/json.ts';
import { applyDynamic, LAST_APPLIED_ANNOTATION } from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';

/** `observed` as it would be written. */
export function appliedTo(observed: KubeObject, desired: KubeObject): KubeObject {
  return applyDynamic(observed, desired, LAST_APPLIED_ANNOTATION);
}

/** Is there nothing left to change? */
export function isAsWanted(observed: KubeObject, desired: KubeObject): boolean {
  return jsonEqual(appliedTo(observed, desired), observed);
}
