// One parent of one CompositeController: what to do next. Pure and resumable: it returns what it needs to know, and is
// asked again with the answers, until it returns a plan. Order: selector → claims → hook → children → status.

import { type CompositeDefinition, definitionId, type LabelSelector } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Answers, HookCall, Lookup, Need } from '../../model/need.ts';
import { controllerOf, isDeleting, type KubeObject } from '../../model/object.ts';
import type { Change, HookCallSummary, ParentPlan, Result, WaitingOn } from '../../model/plan.ts';
import { formatRef, refKey, refOf } from '../../model/ref.ts';
import { groupResourceOf } from '../../model/resource.ts';
import type { ChildGroup, ParentView } from '../../model/view.ts';
import { CONTROLLER_UID_LABEL } from '../children/desired.ts';
import { planChildren } from '../children/plan-children.ts';
import { claimChildren, ownerReferenceTo } from '../claim/claim.ts';
import { isEmptySelector, parseSelector } from '../selectors.ts';
import { planStatus } from '../status/plan-status.ts';
import type { SyncAnswer } from './answer.ts';
import type { DesiredChild } from './answer-child.ts';
import { type Advice, consult, type Retry } from './consult.ts';
import { assemble, childrenWaitingOn } from './result.ts';
import type { PlanningOptions, Session } from './session.ts';

export type Planning =
  | { readonly kind: 'needs'; readonly needs: readonly Need[] }
  | { readonly kind: 'plan'; readonly plan: ParentPlan };

export function planComposite(
  definition: CompositeDefinition,
  view: ParentView,
  answers: Answers,
  options: PlanningOptions,
): Planning {
  const context = { controller: definitionId(definition), fieldManager: definition.apply.fieldManager, step: 1 };
  const selector = selectorOf(definition, view.parent);
  if ('code' in selector) return failed({ view, context }, [selector]);
  const session: Session = { definition, view, answers, options, context, selector };
  const claims = claimChildren(view, selector, context);
  if (claims.changes.length > 0 && !options.foresee) return barrier(session, claims.changes);
  const advice = consult(session, { parent: view.parent, groups: claims.groups });
  if (advice.kind === 'needs') return advice;
  if (advice.kind === 'failed') return failed(session, advice.diagnostics, advice.retry);
  return afterHook(session, { ...advice, groups: claims.groups, claims: claims.changes });
}

function selectorOf(definition: CompositeDefinition, parent: KubeObject): LabelSelector | Diagnostic {
  if (definition.generateSelector)
    return { matchLabels: { [CONTROLLER_UID_LABEL]: parent.metadata.uid ?? '' }, matchExpressions: [] };
  const spec = parent['spec'];
  const raw = spec !== null && typeof spec === 'object' && !Array.isArray(spec) ? spec : {};
  const selector = parseSelector('selector' in raw ? raw['selector'] : undefined);
  const problem = typeof selector === 'string' ? selector : isEmptySelector(selector) ? 'is empty' : undefined;
  if (problem === undefined) return selector as LabelSelector;
  const subject = refOf(parent);
  return {
    severity: 'error',
    code: 'parent-selector-invalid',
    summary: `${definitionId(definition)}: ${formatRef(subject)}: spec.selector ${problem}`,
    detail: 'The selector says which objects are the children of this parent; without one nothing can be claimed.',
    hint: 'Set spec.selector.matchLabels in the parent, or spec.generateSelector: true in the definition.',
    subject,
    path: 'spec.selector',
  };
}

interface Asked extends Advice {
  readonly groups: readonly ChildGroup[];
  readonly claims: readonly Change[];
}

function afterHook(session: Session, asked: Asked): Planning {
  const { answers, view } = session;
  const manages = !isDeleting(view.parent);
  const lookup = lookupFor(manages ? asked.desired : [], asked);
  const found = lookup && answers.get(lookup.id);
  if (lookup && found?.kind !== 'lookup') return { kind: 'needs', needs: [lookup] };
  const foreign = found?.kind === 'lookup' ? found.objects : [];
  return { kind: 'plan', plan: decide(session, { ...asked, foreign, manages }) };
}

/** Asks for objects that stand where a child would be created. */
function lookupFor(desired: readonly DesiredChild[], { call, groups }: Asked): Lookup | undefined {
  const own = new Set(groups.flatMap(({ objects }) => objects.map((object) => refKey(refOf(object)))));
  const refs = desired.map(({ object }) => refOf(object)).filter((ref) => !own.has(refKey(ref)));
  return refs.length === 0 ? undefined : { kind: 'lookup', id: `lookup-${call.id}`, refs };
}

interface Decided extends Asked {
  readonly foreign: readonly KubeObject[];
  readonly manages: boolean;
}

function decide(session: Session, decided: Decided): ParentPlan {
  const { definition, view, context } = session;
  const { answer, call, groups, desired, foreign, manages } = decided;
  const hookCall = call.id;
  const methods = new Map(
    view.children.map(({ type }, index) => [
      groupResourceOf(type),
      definition.children[index]?.updateMethod ?? 'OnDelete',
    ]),
  );
  const children = manages
    ? planChildren({
        groups,
        desired,
        foreign,
        owner: ownerReferenceTo(view.parent),
        methodOf: (type) => methods.get(groupResourceOf(type)) ?? 'OnDelete',
        hookCall,
        context,
      })
    : { changes: [], waitingOn: [], unchanged: [], skipped: [] };
  const status = planStatus({
    parent: view.parent,
    parentType: view.parentType,
    status: answer.status,
    hookCall,
    context,
  });
  const changes = [...decided.claims, ...afterClaims(children.changes, decided.claims), ...(status ? [status] : [])];
  return assemble({
    controller: context.controller ?? '',
    parent: refOf(view.parent),
    changes,
    waitingOn: [...children.waitingOn, ...childrenWaitingOn([...children.unchanged, ...children.skipped])],
    ...(answer.resyncAfterSeconds > 0 ? { resyncAfterSeconds: answer.resyncAfterSeconds } : {}),
    hookCalls: [summaryOf(call, answer)],
    unchanged: children.unchanged.length,
    observed: groups.reduce((count, { objects }) => count + objects.length, 0),
    diagnostics: [...decided.diagnostics, ...blockedDiagnostics(changes, context.controller ?? '')],
  });
}

/** A change to an object that is adopted first starts from the adoption's result. */
function afterClaims(changes: readonly Change[], claims: readonly Change[]): Change[] {
  const claimed = new Map(claims.map((claim) => [refKey(claim.object), claim.id]));
  return changes.map((change) => {
    const claim = claimed.get(refKey(change.object));
    if (claim === undefined) return change;
    return { ...change, dependsOn: [claim], guards: [...change.guards, { kind: 'result-of', change: claim }] };
  });
}

const summaryOf = (call: HookCall, answer: SyncAnswer): HookCallSummary => ({
  id: call.id,
  hookName: call.hookName,
  hookKind: call.hook.kind,
  children: answer.children.length,
});

function blockedDiagnostics(changes: readonly Change[], controller: string): Diagnostic[] {
  return changes
    .filter(({ action }) => action === 'blocked')
    .map((change) => ({
      severity: 'error',
      code: 'child-not-owned',
      summary: `${controller}: ${change.note}`,
      detail: 'It is not taken over and not changed; the other children are not held up by it.',
      hint: "Delete or rename it, let the hook use another name, or remove its controller and give it labels that the parent's selector matches, so that it is adopted.",
      subject: change.object,
    }));
}

type Place = Pick<Session, 'view' | 'context'>;

/** A plan of the claims alone: the hook is asked when they have been written and seen. */
function barrier(session: Place, claims: readonly Change[]): Planning {
  return { kind: 'plan', plan: assemble({ ...skeleton(session), changes: claims }) };
}

function failed(session: Place, diagnostics: readonly Diagnostic[], retry?: Retry): Planning {
  const result: Result = {
    kind: retry ? 'retry' : 'terminal',
    waitingOn: [],
    ...(retry?.afterSeconds === undefined ? {} : { resyncAfterSeconds: retry.afterSeconds }),
  };
  return { kind: 'plan', plan: { ...assemble({ ...skeleton(session), diagnostics }), result } };
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
