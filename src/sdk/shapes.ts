// What requests and answers of all kinds of controllers share. Type parameters named after kinds (`Children`, `Outputs`) are a kind or
// a union of kinds (`Deployment | Service`): of the SDK, or as `metactl types` writes them. Without them everything is plain JSON.

import type { JsonValue } from '../kit/json.ts';
import type { KubeObject, ObjectMeta } from '../model/object.ts';

/** What a type must have to stand for a kind. */
export interface ObjectOfKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** metadata of an object that is there, or that the files hold: it has a name. */
export interface Metadata extends ObjectMeta {
  readonly name: string;
}

/**
 * Objects by group, then by key. Group: "Pod.v1", "StatefulSet.apps/v1"; every declared kind has its group, empty or
 * not. Key: in v1 the name (namespace/name under a cluster-scoped parent), in v2 namespace/name, and the name of what
 * is cluster-scoped.
 */
export type ObjectGroups = Readonly<Record<string, Readonly<Record<string, KubeObject>>>>;

/** The group of a kind. */
export type GroupOf<Kind extends ObjectOfKind> = `${Kind['kind']}.${Kind['apiVersion']}`;

/** ObjectGroups that have exactly these kinds; any, where one of them is KubeObject. */
export type GroupsOf<Kinds extends ObjectOfKind> = KubeObject extends Kinds
  ? ObjectGroups
  : { readonly [Kind in Kinds as GroupOf<Kind>]: Readonly<Record<string, Kind>> };

export interface DesiredMetadata {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly [field: string]: unknown;
}

/** A child as it shall be. Without a namespace it gets the parent's. Undefined properties count as absent. */
export interface DesiredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: DesiredMetadata;
  readonly [field: string]: unknown;
}

/** The same of these kinds: what is said of them must be right. */
export type Desired<Kinds extends ObjectOfKind> = KubeObject extends Kinds
  ? DesiredObject
  : Kinds extends KubeObject
    ? DesiredObject & Pick<Kinds, 'apiVersion' | 'kind'>
    : Kinds extends unknown
      ? Omit<Kinds, 'metadata' | 'status'> & { readonly metadata: DesiredMetadata }
      : never;

/** What the status of a kind may be: by its type, or anything. */
export type StatusOf<Kind extends ObjectOfKind> = Kind extends { readonly status?: infer Status }
  ? JsonValue extends Status
    ? Readonly<Record<string, unknown>>
    : NonNullable<Status>
  : Readonly<Record<string, unknown>>;

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

/** A hook as metactl calls it. */
export type Answering<Request, Response> = (request: Request, context: HookContext) => Response | Promise<Response>;
