// A controller definition after parse → normalise → rules: nothing optional is left to guess, defaults are filled in.
// Where it came from as YAML: metacontroller.k8s.io/v1alpha1, docs/reference/definitions.md.

import type { JsonObject } from '../kit/json.ts';
import type { SourceRange } from './diagnostic.ts';
import type { EtagCaching, ObjectName, WebhookSecurity } from './webhook.ts';

export interface ResourceRule {
  readonly apiVersion: string;
  /** Plural, lower case. */
  readonly resource: string;
}

export interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions: readonly LabelRequirement[];
}

export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

export type UpdateMethod = 'OnDelete' | 'Recreate' | 'InPlace' | 'RollingRecreate' | 'RollingInPlace';

/** A condition that an updated child must have before a rollout goes on. Absent status or reason: any. */
export interface StatusConditionCheck {
  readonly type: string;
  readonly status?: string;
  readonly reason?: string;
}

export interface ChildRule extends ResourceRule {
  readonly updateMethod: UpdateMethod;
  readonly statusChecks: readonly StatusConditionCheck[];
}

export type ApplyModeName = 'dynamic' | 'server-side';

/** What becomes of a field that belongs to another manager. The first rule that fits counts; without one: fail. */
export interface ConflictRule {
  /** As conflicts name it, without the leading dot: "spec.replicas". Everything below it is meant too. */
  readonly path: string;
  /** Absent: any. */
  readonly manager?: string;
  readonly action: 'ignore' | 'force' | 'fail';
}

/** How children are written: our extension spec.apply, and flags. */
export interface ApplySettings {
  readonly mode: ApplyModeName;
  /** Under which our writes are recorded. */
  readonly fieldManager: string;
  /** Of mode server-side. */
  readonly conflicts: readonly ConflictRule[];
  /** Of mode server-side: take every field that is wanted, whoever has it. */
  readonly force: boolean;
}

export type HookVersion = 'v1' | 'v2';
export type SideEffects = 'None' | 'NoneOnDryRun' | 'Unknown';
export type HookName = 'sync' | 'map' | 'tombstone' | 'finalize' | 'customize';

export interface HookBase {
  readonly version: HookVersion;
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** strict: unknown and duplicated fields of the answer are errors. */
  readonly strict: boolean;
  readonly sideEffects: SideEffects;
}
export interface WebhookHook extends HookBase, WebhookSecurity {
  readonly kind: 'webhook';
  /** Complete: made of service and path where the definition has these. */
  readonly url: string;
  /** Present where the definition names a Service instead of a url. */
  readonly service?: ObjectName;
  /** Called by its url as it stands, even if that looks like a Service of the cluster. */
  readonly direct?: true;
  /** Absent: answers are not kept. */
  readonly etag?: EtagCaching;
}
export interface ExecHook extends HookBase {
  readonly kind: 'exec';
  readonly command: readonly string[];
  /** once: a process a call. stream: one process, a JSON line per request and per answer. */
  readonly mode: 'once' | 'stream';
  readonly env: Readonly<Record<string, string>>;
  /** Working directory: that of the definition's file. */
  readonly directory: string;
}
export interface ModuleHook extends HookBase {
  readonly kind: 'module';
  /** Absolute path of a .js, .mjs or .ts file. */
  readonly path: string;
  readonly export: string;
}
export interface JsonnetHook extends HookBase {
  readonly kind: 'jsonnet';
  /** Absolute path of a program that evaluates to a function of the request. */
  readonly path: string;
  /** The definition's: where imports are looked for first, after the directory of the file that has the import. */
  readonly directory: string;
  /** Absolute; then here, in this order. */
  readonly importPaths: readonly string[];
}
export type Hook = WebhookHook | ExecHook | ModuleHook | JsonnetHook;

/** Which objects of a resource are parents. */
export interface ParentRule extends ResourceRule {
  readonly labelSelector: LabelSelector;
  /** Of annotations, which it means in the place of labels. Absent: any. */
  readonly annotationSelector?: LabelSelector;
  readonly ignoreStatusChanges: boolean;
}

/** What every kind of controller has. */
interface DefinitionBase {
  readonly name: string;
  /** The object as given, without what the reader added: what hooks receive as `controller`. */
  readonly object: JsonObject;
  /** Where it stands in a file; absent for one that was read from the cluster. */
  readonly source?: SourceRange;
  /** Read from the cluster. There Metacontroller may run it too, so what it puts up with is put up with here. */
  readonly fromCluster?: true;
  /** 0: no periodic resync. */
  readonly resyncPeriodSeconds: number;
  /** Our extension spec.apply; fieldManager is what our writes are recorded under. */
  readonly apply: ApplySettings;
}

export interface CompositeDefinition extends DefinitionBase {
  readonly kind: 'CompositeController';
  readonly parent: ParentRule & {
    /** What a rolling update follows; ["spec"] unless given. */
    readonly revisionFieldPaths: readonly string[];
    /** Where the revisions of a cluster-scoped parent are kept; those of a namespaced one are beside it. */
    readonly revisionNamespace: string;
  };
  readonly children: readonly ChildRule[];
  readonly generateSelector: boolean;
  readonly hooks: { readonly sync: Hook; readonly finalize?: Hook; readonly customize?: Hook };
}

export interface DecoratorDefinition extends DefinitionBase {
  readonly kind: 'DecoratorController';
  /** The objects that are decorated; each resource once. */
  readonly parents: readonly ParentRule[];
  /** The attachments. None is rolling. */
  readonly children: readonly ChildRule[];
  /** Our extension: what becomes of a label or an annotation that we set and that the hook returns no more. */
  readonly omittedMetadata: 'keep' | 'remove';
  readonly hooks: { readonly sync: Hook; readonly finalize?: Hook; readonly customize?: Hook };
}

export interface MapDefinition extends DefinitionBase {
  readonly kind: 'MapController';
  readonly parent: ParentRule;
  /** What outputs are made of. */
  readonly inputs: readonly ResourceRule[];
  /** The outputs. */
  readonly children: readonly ChildRule[];
  readonly hooks: {
    readonly map: Hook;
    readonly tombstone?: Hook;
    readonly finalize?: Hook;
    readonly customize?: Hook;
  };
}

export type Definition = CompositeDefinition | DecoratorDefinition | MapDefinition;

/** A definition as it concerns the parents of one resource: there is one for each of its parentRulesOf. */
export interface ResourceController<D extends Definition = Definition> {
  readonly definition: D;
  readonly parentRule: ParentRule;
}

export function parentRulesOf(definition: Definition): readonly ParentRule[] {
  return definition.kind === 'DecoratorController' ? definition.parents : [definition.parent];
}

/** The hook that says what shall be there. */
export function mainHookOf(definition: Definition): Hook {
  return definition.kind === 'MapController' ? definition.hooks.map : definition.hooks.sync;
}

/** What a map controller's outputs are made of. */
export function inputRulesOf(definition: Definition): readonly ResourceRule[] {
  return definition.kind === 'MapController' ? definition.inputs : [];
}

/** "CompositeController/catset-controller": how a definition is named in plans and errors. */
export function definitionId(definition: { readonly kind: string; readonly name: string }): string {
  return `${definition.kind}/${definition.name}`;
}
