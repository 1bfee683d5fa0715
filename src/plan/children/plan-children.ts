// What happens to each child: the difference of observed and desired, by update strategy. Deletes first, then the
// hook's order.

import type { UpdateMethod } from '../../model/definition.ts';
import { controllerOf, isDeleting, type KubeObject, type OwnerReference } from '../../model/object.ts';
import type { Change, WaitingOn } from '../../model/plan.ts';
import { formatRef, keyOf, type Ref, refOf } from '../../model/ref.ts';
import type { ResourceType } from '../../model/resource.ts';
import type { ChildGroup } from '../../model/view.ts';
import type { Reason } from '../../model/vocabulary.ts';
import type { DesiredChild } from '../answer/answer-child.ts';
import type { ApplyMode, ChildWrite } from '../apply-mode/apply-mode.ts';
import { type ChangeContext, guardsOn, makeChange } from '../change.ts';

/** Of a rollout, each child says where it comes from. */
export interface WantedChild extends DesiredChild {
  /** The call that asked for it; absent: that of the input. */
  readonly hookCall?: string;
  /** It goes to the latest revision in this step. */
  readonly moved?: true;
  /** It is there, and stays as it is until it is its turn. */
  readonly held?: true;
}

/** Why an object that has a wanted child's name is not the parent's, as the end of a sentence. */
export interface NotOurs {
  /** The parent is its controller, and yet it is none of its children. */
  readonly ofParent: string;
  /** It has no controller at all. */
  readonly orphan: string;
  /** What to do about it. */
  readonly hint: string;
}

export interface ObservedChild {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

/** By the object's key. */
export type ObservedChildren = ReadonlyMap<string, ObservedChild>;

export interface ChildrenInput {
  readonly observed: ObservedChildren;
  readonly desired: readonly WantedChild[];
  /** Objects that have a desired child's name and are not this parent's. */
  readonly foreign: readonly KubeObject[];
  readonly owner: OwnerReference;
  readonly notOurs: Pick<NotOurs, 'ofParent' | 'orphan'>;
  readonly methodOf: (type: ResourceType) => UpdateMethod;
  /** Absent: each child has its own, and `dropping` says the rest. */
  readonly hookCall?: string | undefined;
  readonly dropping?: Dropping | undefined;
  readonly context: ChangeContext;
  readonly mode: ApplyMode;
}

/** Which call left a child out, and what people are to know about that. */
export type Dropping = (child: KubeObject) => { readonly hookCall?: string; readonly note?: string };

export interface ChildrenPlan {
  readonly changes: readonly Change[];
  readonly waitingOn: readonly WaitingOn[];
  readonly unchanged: readonly KubeObject[];
  /** Those that are not as wanted and stay so until somebody deletes them (OnDelete). */
  readonly skipped: readonly KubeObject[];
}

type Outcome =
  | { change: Change }
  | { change: Change; skipped: KubeObject }
  | { unchanged: KubeObject }
  | { waiting: WaitingOn };

/** The parent's children, in the order of their groups: no two groups are versions of one resource. */
export function observedChildren(groups: readonly ChildGroup[]): ObservedChildren {
  const observed = new Map<string, ObservedChild>();
  for (const { type, objects } of groups) for (const object of objects) observed.set(keyOf(object), { type, object });
  return observed;
}

export function planChildren(input: ChildrenInput): ChildrenPlan {
  const { observed, desired } = input;
  const foreign = new Map(input.foreign.map((object) => [keyOf(object), object]));
  const left = new Map(observed);
  const wanted = desired.map((child): Outcome => {
    const key = keyOf(child.object);
    left.delete(key);
    const existing = observed.get(key);
    if (existing) return existingChild(child, existing.object, input);
    const other = foreign.get(key);
    return other ? blocked(child, other, input) : created(child, input);
  });
  return planOf([...[...left.values()].map((child) => dropped(child, input)), ...wanted]);
}

function planOf(outcomes: readonly Outcome[]): ChildrenPlan {
  const changes: Change[] = [];
  const waitingOn: WaitingOn[] = [];
  const unchanged: KubeObject[] = [];
  const skipped: KubeObject[] = [];
  for (const outcome of outcomes) {
    if ('change' in outcome) changes.push(outcome.change);
    if ('waiting' in outcome) waitingOn.push(outcome.waiting);
    if ('unchanged' in outcome) unchanged.push(outcome.unchanged);
    if ('skipped' in outcome) skipped.push(outcome.skipped);
  }
  return { changes, waitingOn, unchanged, skipped };
}

function dropped({ type, object: before }: ObservedChild, { context, dropping, ...input }: ChildrenInput): Outcome {
  if (isDeleting(before)) return { waiting: waitsForDeletion(before) };
  return {
    change: makeChange(context, {
      action: 'delete',
      reasons: ['hook_dropped'],
      type,
      wave: 'children',
      verb: 'delete',
      intent: { kind: 'delete' },
      before,
      guards: guardsOn(before),
      hookCall: input.hookCall,
      ...dropping?.(before),
    }),
  };
}

const waitsForDeletion = (object: KubeObject): WaitingOn => {
  const finalizers = object.metadata.finalizers ?? [];
  const why = finalizers.length > 0 ? ` (finalizers: ${finalizers.join(', ')})` : '';
  return { ref: refOf(object), reason: `is being deleted${why}` };
};

function created({ type, object, hookCall }: WantedChild, { owner, context, mode, ...input }: ChildrenInput): Outcome {
  return {
    change: makeChange(context, {
      action: 'create',
      reasons: ['hook_returned'],
      type,
      wave: 'children',
      verb: 'create',
      ...mode.creationOf(object, owner),
      hookCall: hookCall ?? input.hookCall,
    }),
  };
}

function existingChild(child: WantedChild, before: KubeObject, input: ChildrenInput): Outcome {
  const { type, object } = child;
  if (isDeleting(before)) return { waiting: waitsForDeletion(before) };
  const write = child.held ? undefined : input.mode.updateOf(before, object);
  if (!write) return { unchanged: before };
  const hookCall = child.hookCall ?? input.hookCall;
  if ('conflicts' in write) return conflicted(child, before, { ...input, hookCall, conflicts: write.conflicts });
  const { bookkeeping, next, ...first } = write;
  // In a plan both writes are one change: what is there at the end.
  const written = next
    ? { ...first, ...shownAtOnce(next), note: `${first.note}, then it is applied: two writes` }
    : first;
  const common = { type, wave: 'children' as const, before, after: written.after, hookCall };
  const method = input.methodOf(type);
  if (bookkeeping || method === 'InPlace' || method === 'RollingInPlace')
    return {
      change: makeChange(input.context, {
        ...common,
        action: 'update',
        reasons: [reasonOf(before, child, input.mode)],
        verb: 'update',
        ...written,
        guards: guardsOn(before),
      }),
    };
  if (method === 'Recreate' || method === 'RollingRecreate')
    return {
      change: makeChange(input.context, {
        ...common,
        action: 'recreate',
        reasons: [reasonOf(before, child, input.mode)],
        verb: 'delete',
        intent: { kind: 'delete' },
        guards: guardsOn(before),
        note: `update strategy ${method}: deleted now, created again when it is gone`,
      }),
    };
  return {
    skipped: before,
    change: makeChange(input.context, {
      ...common,
      action: 'skip',
      reasons: ['on_delete'],
      note: 'update strategy OnDelete: it changes only when somebody deletes it',
    }),
  };
}

const shownAtOnce = ({ after, fidelity }: ChildWrite): Pick<ChildWrite, 'after' | 'fidelity'> =>
  fidelity ? { after, fidelity } : { after };

/** Is it its turn, did the hook change its mind, or did somebody change the object? */
function reasonOf(before: KubeObject, { object, moved }: WantedChild, mode: ApplyMode): Reason {
  if (moved) return 'revision_change';
  return mode.wasApplied(before, object) ? 'drift' : 'hook_returned';
}

interface Clash extends ChildrenInput {
  readonly conflicts: readonly string[];
}

function conflicted({ type }: WantedChild, before: KubeObject, { context, hookCall, conflicts }: Clash): Outcome {
  return {
    change: makeChange(context, {
      action: 'blocked',
      reasons: ['conflict'],
      type,
      wave: 'children',
      before,
      after: before,
      hookCall,
      note: `${formatRef(refOf(before))} has fields of other managers: ${conflicts.join('; ')}`,
    }),
  };
}

function blocked({ type, object, ...child }: WantedChild, before: KubeObject, input: ChildrenInput): Outcome {
  const { hookCall, context, owner } = input;
  if (isDeleting(before)) return { waiting: waitsForDeletion(before) };
  if (isOfFormer(owner, before)) return { waiting: waitsForCollector(before, owner) };
  return {
    change: makeChange(context, {
      action: 'blocked',
      reasons: ['not_owned'],
      type,
      wave: 'children',
      before,
      after: before,
      hookCall: child.hookCall ?? hookCall,
      note: foreignNote(before, refOf(object), input),
    }),
  };
}

/** The parent was deleted and made anew: what the old one left goes by itself, as nothing else can have its name. */
function isOfFormer(parent: OwnerReference, object: KubeObject): boolean {
  const owner = controllerOf(object);
  if (!owner || owner.uid === parent.uid) return false;
  const groupOf = (apiVersion: string): string => apiVersion.split('/').slice(0, -1).join('/');
  return (
    owner.kind === parent.kind && owner.name === parent.name && groupOf(owner.apiVersion) === groupOf(parent.apiVersion)
  );
}

const waitsForCollector = (object: KubeObject, { kind, name }: OwnerReference): WaitingOn => ({
  ref: refOf(object),
  reason: `belongs to a former ${kind} ${name}, which is gone: the garbage collector deletes it`,
});

/** `parent`: who would own it. It still does where the release is only foreseen. */
function foreignNote(existing: KubeObject, ref: Ref, { owner: parent, notOurs }: ChildrenInput): string {
  const owner = controllerOf(existing);
  const ours = owner?.uid === parent.uid;
  const whose = ours
    ? notOurs.ofParent
    : owner
      ? `belongs to ${owner.kind} ${owner.name}`
      : `has no controller, and ${notOurs.orphan}`;
  return `${formatRef(ref)} exists already and ${whose}`;
}
