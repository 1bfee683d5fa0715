import type { KubeObject } from '../model/object.ts';

/**
 * Objects by group, then by key. Group: "Pod.v1", "StatefulSet.apps/v1"; every declared kind has its group, empty or
 * not. Key: in v1 the name (namespace/name under a cluster-scoped parent), in v2 namespace/name, and the name of what
 * is cluster-scoped.
 */
export type ObjectGroups = Readonly<Record<string, Readonly<Record<string, KubeObject>>>>;

/** A child as it shall be. Without a namespace it gets the parent's. Undefined properties count as absent. */
export interface DesiredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** The second argument of a hook that is a module. */
export interface HookContext {
  /** True in `metactl plan`: nothing may be changed. */
  readonly dryRun: boolean;
  /**
   * The time by metactl's clock, RFC 3339: in tests and simulations one that runs as they please. A hook that goes by the
   * time says with resyncAfterSeconds when it wants to be asked again.
   */
  readonly now: string;
}
