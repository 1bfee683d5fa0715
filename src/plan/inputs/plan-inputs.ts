// What -f brings besides definitions: CRDs, namespaces, parents, configuration. Created or merged, never pruned.

import { jsonEqual } from '../../kit/json.ts';
import { applyDynamic, withLastApplied } from '../../merge/index.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import type { Change } from '../../model/plan.ts';
import type { ResourceType } from '../../model/resource.ts';
import { type ChangeContext, guardsOn, makeChange } from '../change.ts';
import { projectObject } from '../project.ts';
import { storedForm } from '../stored-form.ts';

/** Not Metacontroller's annotation: an input may itself be the child of a controller. */
export const INPUT_ANNOTATION = 'metactl.dev/last-applied-configuration';

export interface Input {
  readonly object: KubeObject;
  readonly type: ResourceType;
  /** Is it a parent of one of the definitions? These come last. */
  readonly isParent: boolean;
  readonly live: KubeObject | undefined;
}

export interface PlannedInput {
  /** undefined: nothing to do. */
  readonly change: Change | undefined;
  readonly type: ResourceType;
  readonly isParent: boolean;
  /** As it will be when the change is written. */
  readonly projected: KubeObject;
}

/** In the order in which they must be applied: CRD → Namespace → the rest → parents; as given among equals. */
export function planInputs(inputs: readonly Input[], fieldManager: string): PlannedInput[] {
  const ordered = inputs.map((input, index) => ({ input: { ...input, object: storedForm(input.object) }, index }));
  ordered.sort((a, b) => orderOf(a.input) - orderOf(b.input) || a.index - b.index);
  return ordered.map(({ input }) => planInput(input, { fieldManager, step: 1 }));
}

export function orderOf({ type, isParent }: Pick<Input, 'type' | 'isParent'>): number {
  if (type.resource === 'customresourcedefinitions') return 0;
  if (type.group === '' && type.resource === 'namespaces') return 1;
  return isParent ? 3 : 2;
}

function planInput({ object, type, live, isParent }: Input, context: ChangeContext): PlannedInput {
  const change = live ? merged(object, live, { type, context }) : creation(object, { type, context });
  const projected = change ? projectObject(live, change) : live;
  return { change, type, isParent, projected: projected ?? object };
}

interface Place {
  readonly type: ResourceType;
  readonly context: ChangeContext;
}

function creation(object: KubeObject, { type, context }: Place): Change {
  const after = withLastApplied(object, INPUT_ANNOTATION);
  return makeChange(context, {
    action: 'create',
    reasons: [],
    type,
    wave: 'inputs',
    verb: 'create',
    intent: { kind: 'create', object: after },
    after,
  });
}

function merged(object: KubeObject, before: KubeObject, { type, context }: Place): Change | undefined {
  const after = applyDynamic(before, object, INPUT_ANNOTATION);
  if (jsonEqual(after, before)) return undefined;
  if (isDeleting(before))
    return makeChange(context, {
      action: 'blocked',
      reasons: ['guard'],
      type,
      wave: 'inputs',
      before,
      after: before,
      note: 'it is being deleted: apply again when it is gone',
    });
  return makeChange(context, {
    action: 'update',
    reasons: [],
    type,
    wave: 'inputs',
    verb: 'update',
    intent: { kind: 'merge', desired: object, annotation: INPUT_ANNOTATION },
    before,
    after,
    guards: guardsOn(before),
  });
}
