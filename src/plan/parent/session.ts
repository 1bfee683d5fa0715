// What one planning starts from and shares, and what each kind of controller does in its own way: everything else about a
// parent is plan-with.ts, the same for all kinds.

import type { Definition, HookName, ResourceController, UpdateMethod } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Answers, Need } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Change, ParentPlan } from '../../model/plan.ts';
import type { ResourceType } from '../../model/resource.ts';
import type { ChildGroup, ParentView } from '../../model/view.ts';
import type { DesiredChild } from '../answer/answer-child.ts';
import type { HookWords } from '../answer/hook-words.ts';
import type { ApplyMode } from '../apply-mode/apply-mode.ts';
import type { ChangeContext } from '../change.ts';
import type { NotOurs } from '../children/plan-children.ts';
import type { Claims } from '../claim/claim.ts';
import type { Counsel, Retry } from '../consult/counsel.ts';

export interface PlanningOptions {
  /**
   * false (apply, watch, daemon): claims are a barrier; the plan stops there and the hook is asked once they are seen.
   * true (plan): they are taken as written, so that the hook sees what it would see.
   */
  readonly foresee: boolean;
  /** Where claims are foreseen: the finalize hook is asked even if it may have effects on a dry run. */
  readonly askFinalize?: boolean;
}

export type Planning =
  | { readonly kind: 'needs'; readonly needs: readonly Need[] }
  | { readonly kind: 'plan'; readonly plan: ParentPlan; readonly echo?: Echo };

/** When the plan is carried out, the hook would be asked again about nothing but what it has said. */
export interface Echo {
  /** Id of the call that was answered, and of the one that would come. */
  readonly call: string;
  readonly next: string;
}

/** What one planning starts from. */
export interface Question<D extends Definition = Definition> {
  readonly controller: ResourceController<D>;
  readonly view: ParentView;
  readonly answers: Answers;
  readonly options: PlanningOptions;
}

/** What all steps of one planning share. */
export interface Session {
  readonly definition: Definition;
  readonly view: ParentView;
  readonly answers: Answers;
  readonly options: PlanningOptions;
  readonly context: ChangeContext;
  readonly mode: ApplyMode;
  /** What becomes of children that are not as wanted, by their type. */
  readonly methodOf: (type: ResourceType) => UpdateMethod;
  readonly kind: KindPlanner;
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
  readonly retry?: Retry;
}

/** For one planning of one parent. */
export interface KindPlanner {
  readonly words: HookWords;
  readonly notOurs: NotOurs;
  /** Which of the view's objects are the parent's children. */
  claim(view: ParentView, context: ChangeContext): Claims;
  /** Asks the hooks about the parent and what it has claimed. */
  consult(session: Session, claims: Claims): Needed | Failure | Counsel;
  /** From what a hook answered to what shall be there. */
  desired(answered: readonly DesiredChild[], about: AnsweredAbout): Desired;
  /** What the answer changes of the parent itself. */
  parentWrites(session: Session, heard: Heard): readonly Change[];
}

export interface Heard extends Pick<Counsel, 'answer'> {
  readonly call: Counsel['call'] | undefined;
  /** As they are. */
  readonly groups: readonly ChildGroup[];
  /** What becomes of the children in this step. */
  readonly children: readonly Change[];
  /** Our finalizer is there and goes in this step, for this reason: it may go with another change of the parent. */
  readonly finalizerGoes?: string;
}

export interface AnsweredAbout {
  /** As the hook was shown it. */
  readonly parent: KubeObject;
  readonly hookName: HookName;
}

export interface Desired {
  readonly children: readonly DesiredChild[];
  /** Children that the parent would not recognise as its own. */
  readonly diagnostics: readonly Diagnostic[];
}
