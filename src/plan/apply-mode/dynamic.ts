// Metacontroller's way: a three-way merge by us, with what was applied last in an annotation; whole objects are written.

import { jsonEqual } from '../../kit/json.ts';
import { applyDynamic, LAST_APPLIED_ANNOTATION, withLastApplied } from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';
import { type ApplyMode, withOwner } from './apply-mode.ts';

const annotation = LAST_APPLIED_ANNOTATION;
const appliedTo = (observed: KubeObject, desired: KubeObject): KubeObject =>
  applyDynamic(observed, desired, annotation);
const recordOf = (object: KubeObject): string | undefined => object.metadata.annotations?.[annotation];

export const dynamicMode: ApplyMode = {
  needs: [],
  diagnostics: [],
  isAsWanted: (observed, desired) => jsonEqual(appliedTo(observed, desired), observed),
  updateOf: (observed, desired) => {
    const after = appliedTo(observed, desired);
    return jsonEqual(after, observed) ? undefined : { after, intent: { kind: 'merge', desired, annotation } };
  },
  creationOf: (desired, owner) => {
    const after = withOwner(withLastApplied(desired, annotation), owner);
    return { after, intent: { kind: 'create', object: after } };
  },
  wasApplied: (observed, desired) => {
    const last = recordOf(observed);
    return last !== undefined && last === recordOf(withLastApplied(desired, annotation));
  },
};
