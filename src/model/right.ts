// What somebody may do, in RBAC's words.

/** RBAC's words, those that are used. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

export interface Right {
  /** "" is the core group. */
  readonly group: string;
  /** With its subresource: "things/status". */
  readonly resource: string;
  readonly verbs: readonly Verb[];
  /** Only objects of these names. They mean nothing to list, watch, or the creation of an object. */
  readonly names?: readonly string[];
  /** Absent: in the cluster as a whole. */
  readonly namespace?: string;
  /** For people. */
  readonly why: string;
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** One right for each resource, place and set of names, with everything that is to be done there. */
export interface SummedRight extends Right {
  readonly reasons: readonly string[];
}
