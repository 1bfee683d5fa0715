// One parent of one controller: what to do next. Pure and resumable: it returns what it needs to know, and is asked again
// with the answers, until it returns a plan. Order: finalizer → claims → hooks → revisions → children → the parent itself →
// finalizer. What differs from kind to kind of controller is in KindPlanner.

import { type Definition, definitionId, type UpdateMethod } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Lookup } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import { type Change, changesOfParent, isWrite, type ParentPlan } from '../../model/plan.ts';
import { keyOf, refOf } from '../../model/ref.ts';
import { groupResourceOf, type ResourceType } from '../../model/resource.ts';
import type { ChildGroup } from '../../model/view.ts';
import { modeFor } from '../apply-mode/mode-for.ts';
import { type ObservedChildren, observedChildren, planChildren } from '../children/plan-children.ts';
import { type Claims, ownerReferenceTo } from '../claim/claim.ts';
import type { Counsel } from '../consult/counsel.ts';
import {
  goesWithFinalizer,
  hasFinalizer,
  lifecycleOf,
  managesChildren,
  planFinalizerAdd,
  planFinalizerRemove,
  selectsParent,
  waitsForFinalize,
} from '../finalize/finalizer.ts';
import { projectObject } from '../project.ts';
import { blockedDiagnostics } from './blocked.ts';
import { chained } from './chain.ts';
import { oncePerPlanning } from './passes.ts';
import { assemble, childrenWaitingOn, onceEach } from './result.ts';
import type { Echo, KindPlanner, Planning, PlanningOptions, Question, Session } from './session.ts';
import { barrier, failed, notAsked } from './short-plans.ts';

/** `kind`: of the question's definition; a diagnostic: why nothing can be said of this parent. */
export function planWith(question: Question, kind: () => KindPlanner | Diagnostic): Planning {
  const { controller, view, answers, options } = question;
  const from = [view, controller, options.foresee, options.askFinalize];
  const start = oncePerPlanning({ answers, name: 'start', from }, () => startOf(question, kind));
  if (start.kind === 'plan') return start;
  const { shared, claims, first } = start;
  const { definition, methodOf } = shared;
  const mode = modeFor(definition, shared.view, { answers, tryAll: options.foresee, methodOf });
  const session = { ...shared, answers, mode };
  return withModeNeeds(session, consulted(session, claims, first));
}

/** What no answer changes. */
interface Start {
  readonly kind: 'start';
  readonly shared: Omit<Session, 'answers' | 'mode'>;
  readonly claims: Claims;
  /** Our finalizer and the claims. */
  readonly first: readonly Change[];
}

type Planned = Extract<Planning, { readonly kind: 'plan' }>;

function startOf({ controller, view, options }: Question, kind: () => KindPlanner | Diagnostic): Start | Planned {
  const { definition } = controller;
  const context = { controller: definitionId(definition), fieldManager: definition.apply.fieldManager, step: 1 };
  const place = { view, context };
  const plan = (parentPlan: ParentPlan): Planned => ({ kind: 'plan', plan: parentPlan });
  if (!selectsParent(controller, view.parent)) return plan(barrier(place, []));
  const lifecycle = lifecycleOf(controller, view.parent);
  const abandoned = lifecycle === 'left' || (lifecycle === 'dying' && hasFinalizer(definition, view.parent));
  if (abandoned) return plan(barrier(place, withoutHook(definition, place)));
  const planner = kind();
  if ('code' in planner) return plan(failed(place, { diagnostics: [planner] }));
  const added = planFinalizerAdd(definition, view, context);
  const parent = (added && projectObject(view.parent, added)) ?? view.parent;
  const seen = { ...view, parent };
  const claims = planner.claim(seen, context);
  const first = [...(added ? [added] : []), ...claims.changes];
  if (first.length > 0 && !options.foresee) return plan(barrier(place, first));
  const finalizing = lifecycle === 'finalizing';
  if (finalizing && options.foresee && !mayForesee(definition, options))
    return plan(notAsked({ view: { ...seen, children: claims.groups }, context }, first));
  const methodOf = methodsOf({ controller, view });
  const shared = { definition, view: seen, options, context, methodOf, kind: planner, finalizing };
  return { kind: 'start', shared, claims, first };
}

function consulted(session: Session, claims: Claims, first: readonly Change[]): Planning {
  const advice = session.kind.consult(session, claims);
  if (advice.kind === 'needs') return advice;
  if (advice.kind === 'failed') return { kind: 'plan', plan: failed(session, advice) };
  return afterHook(session, { ...advice, groups: claims.groups, first });
}

/** What was planned without an answer that the comparison of children lacks is thrown away. */
function withModeNeeds({ mode }: Session, planning: Planning): Planning {
  if (mode.needs.length === 0) return planning;
  return { kind: 'needs', needs: [...mode.needs, ...(planning.kind === 'needs' ? planning.needs : [])] };
}

/** A finalizer that no hook stands behind any more: its definition has lost it. */
function withoutHook(definition: Definition, { view, context }: Pick<Session, 'view' | 'context'>): Change[] {
  const change = planFinalizerRemove(view, { definition, context, note: NO_HOOK });
  return change ? [change] : [];
}

function mayForesee({ hooks }: Definition, options: PlanningOptions): boolean {
  return options.askFinalize === true || hooks.finalize?.sideEffects !== 'Unknown';
}

interface Asked extends Counsel {
  readonly groups: readonly ChildGroup[];
  /** Our finalizer and the claims. */
  readonly first: readonly Change[];
}

function afterHook(session: Session, asked: Asked): Planning {
  const { answers, definition, view, finalizing } = session;
  const manages = managesChildren(definition, view.parent, finalizing && asked.answer.finalized);
  const observed = observedChildren(asked.groups);
  const lookup = manages ? lookupFor(asked, observed) : undefined;
  const found = lookup && answers.get(lookup.id);
  if (lookup && found?.kind !== 'lookup') return { kind: 'needs', needs: [lookup] };
  const foreign = found?.kind === 'lookup' ? found.objects : [];
  const plan = decide(session, { ...asked, observed, foreign, manages });
  const echo = echoOf(session, asked, plan);
  return { kind: 'plan', plan, ...(echo ? { echo } : {}) };
}

/** The labels and annotations that a hook asked for are no news to it, where nothing else changes with them. */
function echoOf({ view }: Session, { call, callAbout }: Asked, plan: ParentPlan): Echo | undefined {
  const [write, ...others] = changesOfParent(plan).filter(isWrite);
  if (!call || !callAbout || write?.intent?.kind !== 'decorate' || others.length > 0) return undefined;
  const { status, finalizer } = write.intent;
  const parent = status === undefined && finalizer === undefined ? projectObject(view.parent, write) : undefined;
  return parent && { call: call.id, next: callAbout(parent) };
}

/** Asks for objects that stand where a child would be created. */
function lookupFor({ desired, call }: Asked, observed: ObservedChildren): Lookup | undefined {
  const refs = desired.flatMap(({ object }) => (observed.has(keyOf(object)) ? [] : refOf(object)));
  return refs.length === 0 ? undefined : { kind: 'lookup', id: `lookup-${call?.id ?? ''}`, refs };
}

interface Decided extends Asked {
  readonly observed: ObservedChildren;
  readonly foreign: readonly KubeObject[];
  readonly manages: boolean;
}

function decide(session: Session, decided: Decided): ParentPlan {
  const { view, context } = session;
  const { answer } = decided;
  const children = decided.manages ? childrenOf(session, decided) : NO_CHILDREN;
  const last = lastWrites(session, decided, children.changes);
  const revisions = decided.manages ? decided.revisions : [];
  const changes = chained([...decided.first, ...revisions, ...children.changes, ...last]);
  const waits = session.finalizing && !answer.finalized;
  return assemble({
    controller: context.controller ?? '',
    parent: refOf(view.parent),
    changes,
    waitingOn: onceEach([
      ...(waits ? [waitsForFinalize(view.parent)] : []),
      ...(decided.manages ? decided.waitingOn : []),
      ...children.waitingOn,
      ...childrenWaitingOn([...children.unchanged, ...children.skipped]),
    ]),
    ...(answer.resyncAfterSeconds > 0 ? { resyncAfterSeconds: answer.resyncAfterSeconds } : {}),
    ...(decided.retry ? { retry: decided.retry } : {}),
    hookCalls: decided.calls,
    unchanged: children.unchanged.length,
    observed: decided.observed.size,
    diagnostics: [
      ...decided.diagnostics,
      ...session.mode.diagnostics,
      ...blockedDiagnostics(changes, context.controller ?? '', session.kind.notOurs),
    ],
  });
}

const NO_CHILDREN: ReturnType<typeof planChildren> = { changes: [], waitingOn: [], unchanged: [], skipped: [] };

/** What becomes of children that are not as wanted, by their type. */
function methodsOf({ controller, view }: Pick<Question, 'controller' | 'view'>): (type: ResourceType) => UpdateMethod {
  const rules = controller.definition.children;
  const methods = new Map(
    view.children.map(({ type }, index) => [groupResourceOf(type), rules[index]?.updateMethod ?? 'OnDelete']),
  );
  return (type) => methods.get(groupResourceOf(type)) ?? 'OnDelete';
}

function childrenOf(session: Session, { observed, desired, foreign, call, dropping }: Decided) {
  const { view, context, mode, methodOf, kind } = session;
  return planChildren({
    observed,
    desired,
    foreign,
    owner: ownerReferenceTo(view.parent),
    notOurs: kind.notOurs,
    methodOf,
    hookCall: call?.id,
    dropping,
    context,
    mode,
  });
}

/** Of the parent: what the hook says of it, and then our finalizer, if that may go. */
function lastWrites(session: Session, { answer, call, groups }: Asked, children: readonly Change[]): Change[] {
  const { definition, view, context, finalizing } = session;
  const { parent, parentType } = view;
  const goes = finalizing ? answer.finalized : definition.hooks.finalize === undefined;
  const goesNow = goes && hasFinalizer(definition, parent);
  const gone = goesNow && goesWithFinalizer(definition, parent);
  const note = finalizing ? DONE[gone ? 'gone' : 'kept'] : NO_HOOK;
  const heard = { answer, call, groups, children, ...(goesNow ? { finalizerGoes: note } : {}) };
  // Nobody reads what is gone with the next write.
  const changes = gone ? [] : session.kind.parentWrites(session, heard);
  const written = changes.reduce((before, change) => projectObject(before, change) ?? before, parent);
  const why = { note, ...(finalizing && call ? { hookCall: call.id } : {}) };
  const removal = goes && planFinalizerRemove({ parent: written, parentType }, { definition, context, ...why });
  return [...changes, ...(removal ? [removal] : [])];
}

const NO_HOOK = 'its controller has no finalize hook';
const DONE = { gone: 'its finalize hook is done: it is gone then', kept: 'its finalize hook is done' } as const;
