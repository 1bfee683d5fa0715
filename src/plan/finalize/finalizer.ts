// The finalizer that keeps a parent in the cluster until its finalize hook is done: when it is put on, when it is taken
// off, and what a parent that is on its way out is to its controller.

import type { Definition, ResourceController } from '../../model/definition.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import type { Change, WaitingOn } from '../../model/plan.ts';
import { refOf } from '../../model/ref.ts';
import type { ParentView } from '../../model/view.ts';
import { type ChangeContext, guardsOn, makeChange } from '../change.ts';
import { rebase } from '../rebase.ts';
import { matchesSelector } from '../selectors.ts';

/** The name is Metacontroller's, so that either finishes what the other began. */
export function finalizerOf({ kind, name }: Pick<Definition, 'kind' | 'name'>): string {
  return `metacontroller.io/${kind.toLowerCase()}-${name}`;
}

export const hasFinalizer = (definition: Pick<Definition, 'kind' | 'name'>, { metadata }: KubeObject): boolean =>
  metadata.finalizers?.includes(finalizerOf(definition)) === true;

/** By the selectors of its rule; one that carries our finalizer stays ours until that is off. */
export function selectsParent(controller: ResourceController, parent: KubeObject): boolean {
  return isSelected(controller, parent) || hasFinalizer(controller.definition, parent);
}

const isSelected = ({ parentRule }: ResourceController, { metadata }: KubeObject): boolean =>
  matchesSelector(parentRule.labelSelector, metadata.labels) &&
  (parentRule.annotationSelector === undefined || matchesSelector(parentRule.annotationSelector, metadata.annotations));

export type Lifecycle =
  /** The sync hook is asked. */
  | 'alive'
  /** The finalize hook is asked: the parent is being deleted, or its controller selects it no more. */
  | 'finalizing'
  /** Being deleted, and nothing is to be done about it but by the garbage collector. */
  | 'dying'
  /** Selected no more, and there is no finalize hook to ask. */
  | 'left';

export function lifecycleOf(controller: ResourceController, parent: KubeObject): Lifecycle {
  const leaves = isDeleting(parent) || !isSelected(controller, parent);
  if (!leaves) return 'alive';
  if (controller.definition.hooks.finalize) return 'finalizing';
  return isDeleting(parent) ? 'dying' : 'left';
}

/**
 * Are its children created, changed and deleted? Also while it is being deleted, as long as our finalizer keeps it; but
 * not where the garbage collector is at work on them already.
 */
export function managesChildren(definition: Definition, parent: KubeObject, finalized: boolean): boolean {
  if (!isDeleting(parent)) return true;
  if (finalized || definition.hooks.finalize === undefined || !hasFinalizer(definition, parent)) return false;
  return !parent.metadata.finalizers?.some((name) => COLLECTOR_FINALIZERS.includes(name));
}

/** What the garbage collector's own finalizers are called: it deletes, or orphans, the dependents first. */
const COLLECTOR_FINALIZERS: readonly string[] = ['foregroundDeletion', 'orphan'];

type FinalizerView = Pick<ParentView, 'parent' | 'parentType'>;

/** undefined: it has it, wants none, or is being deleted, and the server takes none then. */
export function planFinalizerAdd(
  definition: Definition,
  { parent, parentType }: FinalizerView,
  context: ChangeContext,
): Change | undefined {
  if (!definition.hooks.finalize || hasFinalizer(definition, parent) || isDeleting(parent)) return undefined;
  const intent = { kind: 'finalizer-add', finalizer: finalizerOf(definition) } as const;
  return makeChange(context, {
    action: 'update',
    reasons: [],
    type: parentType,
    wave: 'finalizer-add',
    verb: 'update',
    intent,
    before: parent,
    after: rebase(intent, parent),
    guards: guardsOn(parent),
    note: 'its controller has a finalize hook, which is to be asked before it is gone',
  });
}

export interface FinalizerRemoval {
  readonly definition: Pick<Definition, 'kind' | 'name'>;
  readonly context: ChangeContext;
  /** Why, for people. */
  readonly note: string;
  /** The call that answered `finalized: true`. */
  readonly hookCall?: string;
}

/** undefined: it is not there. */
export function planFinalizerRemove(
  { parent, parentType }: FinalizerView,
  { definition, context, note, hookCall }: FinalizerRemoval,
): Change | undefined {
  if (!hasFinalizer(definition, parent)) return undefined;
  const intent = { kind: 'finalizer-remove', finalizer: finalizerOf(definition) } as const;
  return makeChange(context, {
    action: 'update',
    reasons: hookCall === undefined ? [] : ['hook_returned'],
    type: parentType,
    wave: 'finalizer-remove',
    verb: 'update',
    intent,
    before: parent,
    after: rebase(intent, parent),
    guards: guardsOn(parent),
    note,
    hookCall,
  });
}

/** Nothing but our finalizer keeps it: with that, the object is gone. */
export function goesWithFinalizer(definition: Definition, parent: KubeObject): boolean {
  const { finalizers = [] } = parent.metadata;
  return isDeleting(parent) && finalizers.every((name) => name === finalizerOf(definition));
}

/** A parent that waits for its finalize hook to be done. */
export function waitsForFinalize(parent: KubeObject): WaitingOn {
  const why = isDeleting(parent) ? 'is being deleted' : 'is no longer selected by its controller';
  return { ref: refOf(parent), reason: `${why}, and its finalize hook is not done yet` };
}
