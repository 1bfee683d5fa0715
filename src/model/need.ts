// What the planner asks for. It never calls anything itself: the driver fetches what is needed and asks again.

import type { JsonObject, JsonValue } from '../kit/json.ts';
import type { Hook, HookName, LabelSelector, ResourceRule } from './definition.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { KubeObject } from './object.ts';
import type { Ref } from './ref.ts';
import type { KindSchema, ResourceType } from './resource.ts';

export interface HookCall {
  readonly kind: 'hook';
  /** Derived from the request: the same request has the same id, so answers can be kept and replayed. */
  readonly id: string;
  /** "CompositeController/catset" */
  readonly controller: string;
  readonly hookName: HookName;
  readonly hook: Hook;
  readonly parent: Ref;
  /** Of a map hook: what it is asked about. */
  readonly input?: Ref;
  readonly request: JsonObject;
  /** True in plan: said to the hook in a header (webhook) or environment variable (exec). */
  readonly dryRun: boolean;
}

/** One object as the server has it now, past every cache. */
export interface LiveRead {
  readonly kind: 'live-read';
  readonly id: string;
  readonly type: ResourceType;
  readonly ref: Ref;
}

/**
 * Objects by name, whoever owns them, from the caches that the view was made of: no API call. The planner asks it for
 * children that it would create, as the view holds only this parent's children and orphans.
 */
export interface Lookup {
  readonly kind: 'lookup';
  readonly id: string;
  readonly refs: readonly Ref[];
}

/** One rule of a customize hook's answer, checked as far as that goes without knowing the resource. Absent: any. */
export interface RelatedRule extends ResourceRule {
  /** Never beside a selector. */
  readonly names?: readonly string[];
  /** Never beside namespaceSelector. */
  readonly namespace?: string;
  readonly labelSelector?: LabelSelector;
  /** By the labels of namespaces. */
  readonly namespaceSelector?: LabelSelector;
}

/** Objects beside the children that the hooks are to be shown, through the shared caches. */
export interface RelatedNeed {
  readonly kind: 'related';
  readonly id: string;
  readonly controller: string;
  readonly parent: Ref;
  readonly rules: readonly RelatedRule[];
}

/** What the server says of the fields of a kind. */
export interface SchemaNeed {
  readonly kind: 'schema';
  readonly id: string;
  readonly type: ResourceType;
}

/** What the server would make of a server-side apply. */
export interface DryRunNeed {
  readonly kind: 'dry-run';
  /** A digest of what is applied and of what it is applied to: as long as both stay, so does the answer. */
  readonly id: string;
  readonly type: ResourceType;
  readonly object: KubeObject;
  /** As it is now: is it the answer too, that is all there is to say. */
  readonly observed: KubeObject;
  readonly fieldManager: string;
  readonly force: boolean;
}

/** A field that is to be applied, and whose it is. */
export interface FieldConflict {
  /** As the server names it, without the leading dot: `spec.replicas`, `spec.ports[name="web"].port`. */
  readonly field: string;
  readonly manager: string;
}

export type Need = HookCall | LiveRead | Lookup | RelatedNeed | SchemaNeed | DryRunNeed;

export type HookAnswer =
  | {
      readonly kind: 'hook';
      readonly id: string;
      readonly ok: true;
      /** As parsed, unchecked: the planner validates it. */
      readonly body: JsonValue;
    }
  | {
      readonly kind: 'hook';
      readonly id: string;
      readonly ok: false;
      readonly diagnostic: Diagnostic;
      /** The hook asked to be called again after so long (HTTP 429). */
      readonly retryAfterSeconds?: number;
      /** HTTP status of a webhook that answered. */
      readonly statusCode?: number;
    };

export interface LiveReadAnswer {
  readonly kind: 'live-read';
  readonly id: string;
  /** undefined: not there (404). Anything else that went wrong is thrown by the driver, never taken for "absent". */
  readonly object: KubeObject | undefined;
}

export interface LookupAnswer {
  readonly kind: 'lookup';
  readonly id: string;
  /** Those that exist, in no particular order. */
  readonly objects: readonly KubeObject[];
}

/** What one rule selects. Without a type: the server does not serve such a resource, which `hint` may say more about. */
export interface RelatedGroup {
  readonly type?: ResourceType;
  /** Empty where the rule does not fit the type: the planner says so. */
  readonly objects: readonly KubeObject[];
  readonly hint?: string;
}

export type RelatedAnswer =
  | {
      readonly kind: 'related';
      readonly id: string;
      readonly ok: true;
      /** One for each rule, in their order. */
      readonly groups: readonly RelatedGroup[];
    }
  /** The user may not read what a rule asks for. */
  | { readonly kind: 'related'; readonly id: string; readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export interface SchemaAnswer {
  readonly kind: 'schema';
  readonly id: string;
  /** undefined: the server says nothing. */
  readonly schema: KindSchema | undefined;
}

export type DryRunAnswer = {
  readonly kind: 'dry-run';
  readonly id: string;
} & (
  | { readonly outcome: 'applied'; readonly object: KubeObject }
  /** Applied, it is what it was, and its fields belong to whom they did. */
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'conflicts'; readonly conflicts: readonly FieldConflict[] }
  /** The object has gone, or another one has its name. */
  | { readonly outcome: 'moved' }
  /** The server would refuse the write too. */
  | { readonly outcome: 'invalid'; readonly message: string }
  /** The server gives no dry runs, to anybody or to this user. */
  | { readonly outcome: 'refused'; readonly message: string }
);

export type Answer = HookAnswer | LiveReadAnswer | LookupAnswer | RelatedAnswer | SchemaAnswer | DryRunAnswer;
/** The transcript of one planning: need id → answer. */
export type Answers = ReadonlyMap<string, Answer>;
