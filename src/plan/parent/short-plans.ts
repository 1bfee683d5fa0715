// Plans that end before the hook's answer: what must be written first, or why nothing can be said.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { controllerOf, type KubeObject } from '../../model/object.ts';
import type { Change, HookCallSummary, ParentPlan, Result, WaitingOn } from '../../model/plan.ts';
import { formatRef, refOf } from '../../model/ref.ts';
import { waitsForFinalize } from '../finalize/finalizer.ts';
import { chained } from './chain.ts';
import { assemble, retrying } from './result.ts';
import type { Failure, Session } from './session.ts';

export type Place = Pick<Session, 'view' | 'context'>;

/** These changes alone, or none: whatever else there is to do is planned when they have been written and seen. */
export function barrier(place: Place, changes: readonly Change[]): ParentPlan {
  return assemble({ ...skeleton(place), changes });
}

export function failed(place: Place, { diagnostics, retry }: Omit<Failure, 'kind'>): ParentPlan {
  const result: Result = retry ? retrying(retry, []) : { kind: 'terminal', waitingOn: [] };
  return { ...assemble({ ...skeleton(place), diagnostics }), result };
}

/** A finalize hook may act outside of the cluster: one that does not promise to leave that on a dry run is not asked. */
export function notAsked(place: Place, first: readonly Change[]): ParentPlan {
  const { parent } = place.view;
  const subject = refOf(parent);
  const plain = skeleton(place);
  const diagnostic: Diagnostic = {
    severity: 'warning',
    code: 'hook-not-asked',
    summary: `${plain.controller}: ${formatRef(subject)}: its finalize hook is not asked for a plan, so what becomes of its ${plain.observed} children is not known`,
    detail: 'A finalize hook may act on what is outside of the cluster, and this one does not say that it spares it.',
    hint: 'Give the hook "sideEffects: NoneOnDryRun" (or None) in the definition if that is so, or pass --ask-finalize-hooks.',
    subject,
  };
  return assemble({
    ...plain,
    changes: chained(first),
    waitingOn: [waitsForFinalize(parent)],
    diagnostics: [diagnostic],
  });
}

function skeleton({ view, context }: Place) {
  return {
    controller: context.controller ?? '',
    parent: refOf(view.parent),
    changes: [] as readonly Change[],
    waitingOn: [] as readonly WaitingOn[],
    hookCalls: [] as readonly HookCallSummary[],
    unchanged: 0,
    observed: view.children.reduce((count, { objects }) => count + ownedBy(view.parent, objects), 0),
    diagnostics: [] as readonly Diagnostic[],
  };
}

/** The view holds orphans of the namespace too. */
const ownedBy = ({ metadata }: KubeObject, objects: readonly KubeObject[]): number =>
  objects.filter((object) => controllerOf(object)?.uid === metadata.uid).length;
