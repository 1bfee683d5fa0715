import type { CompositeDefinition, Hook, LabelSelector } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Answers, Need } from '../../model/need.ts';
import type { ParentView } from '../../model/view.ts';
import type { ApplyMode } from '../apply-mode/apply-mode.ts';
import type { ChangeContext } from '../change.ts';

export interface PlanningOptions {
  /**
   * false (apply, watch, daemon): claims are a barrier; the plan stops there and the hook is asked once they are seen.
   * true (plan): they are taken as written, so that the hook sees what it would see.
   */
  readonly foresee: boolean;
  /** Where claims are foreseen: the finalize hook is asked even if it may have effects on a dry run. */
  readonly askFinalize?: boolean;
}

/** What all steps of one planning share. */
export interface Session {
  readonly definition: CompositeDefinition;
  readonly view: ParentView;
  readonly answers: Answers;
  readonly options: PlanningOptions;
  readonly context: ChangeContext;
  readonly mode: ApplyMode;
  /** Which objects are the parent's children. */
  readonly selector: LabelSelector;
  /** The finalize hook is the one to ask: the parent is being deleted, or selected no more. */
  readonly finalizing: boolean;
}

export interface Needed {
  readonly kind: 'needs';
  readonly needs: readonly Need[];
}

export interface Failure {
  readonly kind: 'failed';
  readonly diagnostics: readonly Diagnostic[];
  /** The hook gave no answer now, and may later. */
  readonly retry?: { readonly afterSeconds: number | undefined; readonly hookKind: Hook['kind'] };
}
