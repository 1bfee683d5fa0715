// How children are compared and written: the one seam between the apply modes. Everything else of the planner is the same
// for all of them, rollouts included.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Need } from '../../model/need.ts';
import type { KubeObject, OwnerReference } from '../../model/object.ts';
import type { Fidelity, Intent } from '../../model/plan.ts';

/** What is to be written, and what comes of it. */
export interface ChildWrite {
  readonly intent: Intent;
  readonly after: KubeObject;
  /** Absent: as makeChange tells it from the object. */
  readonly fidelity?: Fidelity;
  readonly force?: boolean;
  readonly note?: string;
  /** In a plan, where this one only moves over to another mode: the second write. */
  readonly next?: ChildWrite;
  /** It changes only how it is kept what is whose: done in place whatever the update method. */
  readonly bookkeeping?: true;
}

/** It can't be written without taking fields from somebody else. */
export interface Conflicted {
  readonly conflicts: readonly string[];
}

/**
 * One planning's. Where it lacks an answer it notes the need and says "as wanted": what is planned then is thrown away, and
 * made again with the answer.
 */
export interface ApplyMode {
  isAsWanted(observed: KubeObject, desired: KubeObject): boolean;
  /** undefined: it is as wanted. */
  updateOf(observed: KubeObject, desired: KubeObject): ChildWrite | Conflicted | undefined;
  creationOf(desired: KubeObject, owner: OwnerReference): ChildWrite;
  /** Was the same asked for when it was last written? Then what differs now is drift. */
  wasApplied(observed: KubeObject, desired: KubeObject): boolean;
  readonly needs: readonly Need[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The wanted object with its parent among the owners. */
export function withOwner(desired: KubeObject, owner: OwnerReference): KubeObject {
  const owners = [...(desired.metadata.ownerReferences ?? []), owner];
  return { ...desired, metadata: { ...desired.metadata, ownerReferences: owners } };
}
