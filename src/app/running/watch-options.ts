import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan, WaitingOn } from '../../model/plan.ts';
import type { WatchFiles } from '../../ports/file-watch.ts';
import type { PlanOptions } from '../options.ts';

/** What `metactl watch` is told. */
export interface WatchOptions extends PlanOptions {
  /** Carry each plan out, where that is allowed. */
  readonly apply: boolean;
  /** Contexts that may be written to, beside those that are local by their names. */
  readonly allowContexts: readonly string[];
  readonly onReport: (report: WatchReport) => void;
  readonly watchFiles: WatchFiles;
}

/** Why it looks again. */
export type Trigger =
  | { readonly kind: 'start' }
  | { readonly kind: 'files'; readonly files: readonly string[] }
  | { readonly kind: 'cluster' }
  | { readonly kind: 'retry' };

export type WatchReport =
  /** `news`: the part of it that differs from the last one; the whole the first time. */
  | { readonly kind: 'plan'; readonly plan: Plan; readonly news: Plan; readonly trigger: Trigger }
  /** Looked again, and nothing of the plan is another. */
  | { readonly kind: 'unchanged'; readonly plan: Plan; readonly trigger: Trigger }
  /** No plan could be made. It is looked at again when something changes. */
  | { readonly kind: 'problem'; readonly diagnostics: readonly Diagnostic[]; readonly trigger: Trigger }
  /** With apply: how it stands with what has been carried out. */
  | { readonly kind: 'standing'; readonly waitingOn: readonly WaitingOn[]; readonly diagnostics: readonly Diagnostic[] }
  /** Asked to apply, and not allowed to. */
  | { readonly kind: 'only-plans'; readonly context: string };

export interface WatchOutcome {
  readonly status: 'stopped' | 'failed';
  readonly diagnostics: readonly Diagnostic[];
}
