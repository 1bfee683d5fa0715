// What the planner sees of the world. Plain data: the driver fills it from caches, project() steps it forward.

import type { KubeObject } from './object.ts';
import type { ResourceType } from './resource.ts';

/** The world of one parent of one controller. */
export interface ParentView {
  readonly parent: KubeObject;
  readonly parentType: ResourceType;
  /** False when the parent comes from a file and is not in the cluster yet: its UID is UNKNOWN then. */
  readonly parentLive: boolean;
  /** One group for every child rule, in the definition's order. */
  readonly children: readonly ChildGroup[];
  /** ControllerRevisions: the parent's own, and orphans that it may adopt. Only where a child rule is rolling. */
  readonly revisions?: ChildGroup;
  /** Of a map controller: objects of each input resource that are in the parent's reach, those it owns included. */
  readonly inputs?: readonly ChildGroup[];
}

export interface ChildGroup {
  readonly type: ResourceType;
  /**
   * Candidates in scope: objects whose controller is this parent, and objects without a controller (orphans), which
   * the planner may adopt. Objects of other controllers may be in it too; the planner leaves these alone.
   */
  readonly objects: readonly KubeObject[];
}
