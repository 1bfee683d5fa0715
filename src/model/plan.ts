// A plan is a value: everything that apply will do stands in it, with the reason of each change. No mode flag and no
// clock decides anything at apply time. The JSON form is docs/formats/plan.v1.md (src/render/json).

import type { JsonObject, JsonValue } from '../kit/json.ts';
import type { Path } from '../kit/path.ts';
import type { Hook } from './definition.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { KubeObject, OwnerReference } from './object.ts';
import type { Ref } from './ref.ts';
import type { ResourceType } from './resource.ts';
import type { Action, FidelityLevel, Reason, ResultKind, WaveName } from './vocabulary.ts';

/** One field that a change touches. `before`/`after` absent: the field is not there on that side. */
export interface FieldChange {
  readonly path: Path;
  readonly op: 'add' | 'change' | 'remove';
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/**
 * What a change means to do, apart from the object it was computed on: rebase() carries it over to a fresher object.
 * merge: three-way merge of `desired` over what is there (annotation-keyed, see src/merge/three-way).
 */
export type Intent =
  | { readonly kind: 'create'; readonly object: KubeObject }
  | { readonly kind: 'merge'; readonly desired: KubeObject; readonly annotation: string; readonly from?: FormerApply }
  /**
   * Server-side apply: `desired` is the whole of what we want to own. exact: only onto the state that it was planned on, as
   * what is forced was found out from that.
   */
  | { readonly kind: 'apply'; readonly desired: KubeObject; readonly exact?: true }
  /** From here on the fields are owned as server-side apply has it, and not by an annotation or by updates. */
  | { readonly kind: 'migrate'; readonly migration: Migration }
  | { readonly kind: 'delete' }
  | { readonly kind: 'adopt'; readonly owner: OwnerReference }
  | { readonly kind: 'release'; readonly ownerUid: string }
  | { readonly kind: 'status'; readonly status: JsonValue }
  | ({ readonly kind: 'decorate' } & Decoration)
  | { readonly kind: 'finalizer-add'; readonly finalizer: string }
  | { readonly kind: 'finalizer-remove'; readonly finalizer: string };

/** What is set on an object of somebody else's; null takes a label or an annotation off. */
export interface Decoration {
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
  /** Of a kind without the status subresource. */
  readonly status?: JsonValue;
  /** Taken off with the same write. */
  readonly finalizer?: string;
}

/** What server-side apply had made of it: takes the place of the annotation, once. */
export interface FormerApply {
  readonly managers: readonly string[];
  /** What they owned of the object. */
  readonly lastApplied: JsonObject;
}

export interface Migration {
  readonly fieldManager: string;
  /** Whose fields become that manager's. */
  readonly from: readonly string[];
  /** Dropped, as managedFields say from now on what they did. */
  readonly annotations: readonly string[];
  /** FieldsV1 of all that is the manager's then. */
  readonly fields: JsonObject;
}

export type Verb = 'create' | 'update' | 'delete';

/** What must hold when the write is sent, else it is not. */
export type Guard =
  | { readonly kind: 'uid'; readonly uid: string }
  | { readonly kind: 'resourceVersion'; readonly resourceVersion: string }
  /** Another object must be live with this UID and not be deleting: the parent, before an adoption. */
  | { readonly kind: 'live'; readonly ref: Ref; readonly uid: string; readonly type: ResourceType }
  /** An earlier change of this plan must have succeeded; its result is the base of this one. */
  | { readonly kind: 'result-of'; readonly change: string };

export interface Fidelity {
  readonly level: FidelityLevel;
  /** Why not surer. */
  readonly why?: string;
}

export interface Change {
  /** Stable: the same change of the same state has the same id in every run. */
  readonly id: string;
  readonly action: Action;
  readonly reasons: readonly Reason[];
  readonly object: Ref;
  readonly type: ResourceType;
  readonly subresource?: 'status';
  /** Who acts: metactl, or a controller of the cluster that we know will follow. */
  readonly actor: 'metactl' | 'garbage-collector' | 'workload-controller';
  /** "CompositeController/catset"; absent for inputs. */
  readonly controller?: string;
  /** Id of the hook call that asked for it. */
  readonly hookCall?: string;
  readonly step: number;
  readonly wave: WaveName;
  /** Absent where nothing is sent: keep, skip, blocked. */
  readonly verb?: Verb;
  readonly intent?: Intent;
  readonly fieldManager: string;
  readonly force: boolean;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly guards: readonly Guard[];
  /** Ids of changes that must come first. */
  readonly dependsOn: readonly string[];
  readonly destructive: 'no' | 'replaces' | 'deletes';
  /** The object as it is; absent when it does not exist. */
  readonly before?: KubeObject;
  /** The object as it will be; absent when it goes. Unknown values stand as UNKNOWN (kit/unknown). */
  readonly after?: KubeObject;
  readonly fields: readonly FieldChange[];
  readonly fidelity: Fidelity;
  /** One sentence for people where the reason needs more than its word. */
  readonly note?: string;
}

export interface Wave {
  readonly name: WaveName;
  readonly changes: readonly Change[];
}

export interface Step {
  /** From 1. */
  readonly number: number;
  readonly waves: readonly Wave[];
}

/** Something the plan waits for before it goes on, with the reason in words. */
export interface WaitingOn {
  readonly ref: Ref;
  readonly reason: string;
}

export interface Result {
  readonly kind: ResultKind;
  readonly waitingOn: readonly WaitingOn[];
  /** Asked by the hook: call again after so long, once. */
  readonly resyncAfterSeconds?: number;
  /** Nothing could be planned, as a hook of this kind gave no answer. */
  readonly failedHook?: Hook['kind'];
}

export interface HookCallSummary {
  readonly id: string;
  readonly hookName: string;
  readonly hookKind: string;
  readonly children: number;
}

/** What one controller does for one parent. Steps may be empty. */
export interface ParentPlan {
  /** "CompositeController/catset" */
  readonly controller: string;
  readonly parent: Ref;
  readonly steps: readonly Step[];
  readonly result: Result;
  readonly hookCalls: readonly HookCallSummary[];
  /** Children that already are as wanted (action keep, not listed as changes). */
  readonly unchanged: number;
  /** Children observed before the plan: what the guards on deletes count against. */
  readonly observed: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Where a plan was made. */
export interface Target {
  readonly kind: 'cluster' | 'sandbox';
  /** Context name, or the sandbox's directory; absent for the sandbox in memory. */
  readonly name?: string;
  readonly serverVersion?: string;
}

/** Everything one run would do: inputs first, then every parent. */
export interface Plan {
  readonly target: Target;
  readonly definitions: readonly { readonly id: string; readonly digest: string; readonly file?: string }[];
  /** Wave `inputs` of step 1, in order CRD → Namespace → the rest → parents. */
  readonly inputs: readonly Change[];
  readonly inputsUnchanged: number;
  readonly parents: readonly ParentPlan[];
  readonly diagnostics: readonly Diagnostic[];
  /** Secrets that were read, changed or not: their values are masked wherever the plan is shown. Never shown themselves. */
  readonly secrets?: readonly KubeObject[];
}

/** All changes of a plan in order, those without a write included. */
export function changesOf(plan: Plan): Change[] {
  return [...plan.inputs, ...plan.parents.flatMap(changesOfParent)];
}

export function changesOfParent(plan: ParentPlan): Change[] {
  return plan.steps.flatMap((step) => step.waves.flatMap((wave) => wave.changes));
}

/** Does the change send anything? keep, skip and blocked don't. */
export function isWrite(change: Change): boolean {
  return change.verb !== undefined;
}
