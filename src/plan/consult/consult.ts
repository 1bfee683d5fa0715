// Asks the hooks about one variant of the parent (as it is, or with another revision's fields), and checks what they say.
// The ids of the calls are digests of their requests, so any number of variants may be asked about at once.

import type { JsonValue } from '../../kit/json.ts';
import type { CompositeDefinition, DecoratorDefinition } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { HookCall } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import { formatRef } from '../../model/ref.ts';
import type { ChildGroup } from '../../model/view.ts';
import { checkSyncAnswer, type SyncAnswer } from '../answer/answer.ts';
import { oncePerPlanning } from '../parent/passes.ts';
import type { Failure, Needed, Session } from '../parent/session.ts';
import { type Related, relatedTo } from '../related/related.ts';
import { type Advice, type Counsel, summaryOf } from './counsel.ts';
import { syncCall } from './payload.ts';

/** Of a controller that asks one hook about all children of a parent. */
export interface SyncSession extends Session {
  readonly definition: CompositeDefinition | DecoratorDefinition;
}

export interface Variant {
  readonly parent: KubeObject;
  /** The observed children, as the hook is shown them. */
  readonly groups: readonly ChildGroup[];
}

export type Consulted = Needed | Failure | Advice;

/** The customize hook first, and then sync, or finalize in its place. */
export function consult(session: SyncSession, { parent, groups }: Variant): Consulted {
  const { definition, view, answers, options, finalizing } = session;
  const related = relatedTo(session, parent);
  if (related.kind !== 'related') return related;
  const { sync, finalize } = definition.hooks;
  const hook = finalizing ? (finalize ?? sync) : sync;
  const from = [parent, groups, definition, hook, finalizing, options.foresee, ...relatedObjects(related)];
  const call = oncePerPlanning({ answers, name: 'call', from }, () =>
    syncCall({
      definition,
      parent,
      groups,
      related: related.groups,
      hook,
      finalizing,
      words: session.kind.words,
      dryRun: options.foresee,
    }),
  );
  const reply = answers.get(call.id);
  if (reply?.kind !== 'hook') return { kind: 'needs', needs: [call] };
  if (!reply.ok) {
    const retry = { afterSeconds: reply.retryAfterSeconds, hookKind: hook.kind };
    return { kind: 'failed', diagnostics: [...related.diagnostics, reply.diagnostic], retry };
  }
  const said = oncePerPlanning({ answers, name: 'said', from: [call, reply, view.children] }, () =>
    heard(session, { call, body: reply.body, parent }),
  );
  if (related.diagnostics.length === 0) return said;
  return { ...said, diagnostics: [...related.diagnostics, ...said.diagnostics] };
}

/** Their groups are made anew in each pass. */
const relatedObjects = ({ groups }: Related): readonly unknown[] =>
  groups.flatMap(({ type, objects }) => [type, ...objects]);

interface Said {
  readonly call: HookCall;
  readonly body: JsonValue;
  readonly parent: KubeObject;
}

/** The answer, checked, and what it asks for in the form in which that will be stored. */
function heard(session: SyncSession, { call, body, parent }: Said): Failure | Advice {
  const { definition, view } = session;
  const types = view.children.map(({ type }) => type);
  const lastWins = definition.fromCluster === true;
  const checked = checkSyncAnswer(call, body, { types, lastWins, words: session.kind.words });
  const { answer } = checked;
  const diagnostics = [...checked.diagnostics, ...(answer ? unasked(session, answer, call) : [])];
  if (!answer) return { kind: 'failed', diagnostics };
  const desired = session.kind.desired(answer.children, { parent, hookName: call.hookName });
  if (hasErrors(desired.diagnostics)) return { kind: 'failed', diagnostics: [...diagnostics, ...desired.diagnostics] };
  return { kind: 'answer', call, answer, desired: desired.children, diagnostics };
}

/** Metacontroller takes its finalizer off then, and puts it on again at once, for ever. */
function unasked({ definition, finalizing }: Session, answer: SyncAnswer, call: HookCall): Diagnostic[] {
  if (finalizing || !answer.finalized || !definition.hooks.finalize) return [];
  const subject = call.parent;
  return [
    {
      severity: 'warning',
      code: 'ineffective',
      summary: `${call.controller}: the sync hook's answer for ${formatRef(subject)}: finalized is true, but the parent is neither being deleted nor left by its controller's selectors`,
      detail: 'The finalizer stays on it: the finalize hook is still to be asked.',
      hint: 'Return finalized where the request says "finalizing": true.',
      subject,
      path: 'finalized',
    },
  ];
}

/** Where one call was all. */
export function alone(said: Consulted): Needed | Failure | Counsel {
  if (said.kind !== 'answer') return said;
  return { ...said, calls: [summaryOf(said)], revisions: [], waitingOn: [] };
}
