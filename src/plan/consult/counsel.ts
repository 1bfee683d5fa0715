import type { Hook } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { HookCall } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Change, HookCallSummary, WaitingOn } from '../../model/plan.ts';
import type { SyncAnswer } from '../answer/answer.ts';
import type { DesiredChild } from '../answer/answer-child.ts';
import type { Dropping, WantedChild } from '../children/plan-children.ts';

/** A hook gave no answer now, and may later. */
export interface Retry {
  /** undefined: it does not say when. */
  readonly afterSeconds: number | undefined;
  readonly hookKind: Hook['kind'];
}

/** What one hook says. */
export interface Advice {
  readonly kind: 'answer';
  readonly call: HookCall;
  readonly answer: SyncAnswer;
  /** The answer's children with the labels and in the form in which they will be stored. */
  readonly desired: readonly DesiredChild[];
  /** Warnings. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What all hooks that had to be asked say together. */
export interface Counsel extends Omit<Advice, 'desired' | 'call'> {
  /** Absent: there were several, for several children, or none. */
  readonly call?: Pick<HookCall, 'id'>;
  readonly desired: readonly WantedChild[];
  /** Of every revision, the latest first. */
  readonly calls: readonly HookCallSummary[];
  /** What is written of the parent's revisions before any child moves. */
  readonly revisions: readonly Change[];
  /** Children that hold up the rollout. */
  readonly waitingOn: readonly WaitingOn[];
  /** Absent: the call says so. */
  readonly dropping?: Dropping;
  /** The id that the call will have when nothing but the parent is another: as given. Absent: that is not foretold. */
  readonly callAbout?: (parent: KubeObject) => string;
  /** Some of the hooks gave no answer now, and may later. */
  readonly retry?: Retry;
}

export const summaryOf = ({ call, answer }: Pick<Advice, 'call' | 'answer'>): HookCallSummary => ({
  id: call.id,
  hookName: call.hookName,
  hookKind: call.hook.kind,
  children: answer.children.length,
});
