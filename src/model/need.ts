// What the planner asks for. It never calls anything itself: the driver fetches what is needed and asks again.

import type { JsonObject, JsonValue } from '../kit/json.ts';
import type { Hook, HookName } from './definition.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { KubeObject } from './object.ts';
import type { Ref } from './ref.ts';
import type { ResourceType } from './resource.ts';

export interface HookCall {
  readonly kind: 'hook';
  /** Derived from the request: the same request has the same id, so answers can be kept and replayed. */
  readonly id: string;
  /** "CompositeController/catset" */
  readonly controller: string;
  readonly hookName: HookName;
  readonly hook: Hook;
  readonly parent: Ref;
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

export type Need = HookCall | LiveRead | Lookup;

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

export type Answer = HookAnswer | LiveReadAnswer | LookupAnswer;
/** The transcript of one planning: need id → answer. */
export type Answers = ReadonlyMap<string, Answer>;
