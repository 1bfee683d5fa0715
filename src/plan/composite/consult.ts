// Asks the hooks about one variant of the parent (as it is, or with another revision's fields), and checks what they say.
// The ids of the calls are digests of their requests, so any number of variants may be asked about at once.

import { LAST_APPLIED_ANNOTATION } from '../../merge/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { HookCall, Need } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ChildGroup } from '../../model/view.ts';
import { desiredChildren } from '../children/desired.ts';
import { checkSyncAnswer, type SyncAnswer } from './answer.ts';
import type { DesiredChild } from './answer-child.ts';
import { syncCall } from './payload.ts';
import type { Session } from './session.ts';

export interface Variant {
  readonly parent: KubeObject;
  /** The observed children, as the hook is shown them. */
  readonly groups: readonly ChildGroup[];
}

export type Consulted =
  | { readonly kind: 'needs'; readonly needs: readonly Need[] }
  | { readonly kind: 'failed'; readonly diagnostics: readonly Diagnostic[]; readonly retry?: Retry }
  | Advice;

/** The hook could not answer now, and may later. */
export interface Retry {
  readonly afterSeconds: number | undefined;
}

export interface Advice {
  readonly kind: 'answer';
  readonly call: HookCall;
  readonly answer: SyncAnswer;
  /** The answer's children with the labels and in the form in which they will be stored. */
  readonly desired: readonly DesiredChild[];
  /** Warnings. */
  readonly diagnostics: readonly Diagnostic[];
}

export function consult(session: Session, { parent, groups }: Variant): Consulted {
  const { definition, view, answers, options, selector } = session;
  const hook = definition.hooks.sync;
  const call = syncCall({ definition, parent, groups, hookName: 'sync', hook, dryRun: options.foresee });
  const reply = answers.get(call.id);
  if (reply?.kind !== 'hook') return { kind: 'needs', needs: [call] };
  if (!reply.ok)
    return { kind: 'failed', diagnostics: [reply.diagnostic], retry: { afterSeconds: reply.retryAfterSeconds } };
  const types = view.children.map(({ type }) => type);
  const { answer, diagnostics } = checkSyncAnswer(call, reply.body, types);
  if (!answer) return { kind: 'failed', diagnostics };
  const annotation = LAST_APPLIED_ANNOTATION;
  const desired = desiredChildren(answer.children, { definition, parent, selector, annotation });
  if (hasErrors(desired.diagnostics)) return { kind: 'failed', diagnostics: [...diagnostics, ...desired.diagnostics] };
  return { kind: 'answer', call, answer, desired: desired.children, diagnostics };
}
