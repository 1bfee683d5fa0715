// What -f brings besides definitions: CRDs, namespaces, parents, configuration. Applied by the server, never pruned, and
// nothing is taken from other managers unasked.

import type { ApplySettings } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Answers, Need } from '../../model/need.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import type { Change } from '../../model/plan.ts';
import type { ResourceType } from '../../model/resource.ts';
import type { ChildWrite, Conflicted } from '../apply-mode/apply-mode.ts';
import { legacyOfInputs } from '../apply-mode/legacy.ts';
import { ServerSideMode } from '../apply-mode/server-side.ts';
import { type ChangeContext, guardsOn, makeChange } from '../change.ts';
import { chained } from '../parent/chain.ts';
import { projectObject } from '../project.ts';
import { storedForm } from '../stored-form.ts';

export interface Input {
  readonly object: KubeObject;
  readonly type: ResourceType;
  /** Is it a parent of one of the definitions? These come last. */
  readonly isParent: boolean;
  readonly live: KubeObject | undefined;
}

export interface PlannedInput {
  /** None: nothing to do. Two where it was applied by kubectl before, and differs now. */
  readonly changes: readonly Change[];
  readonly type: ResourceType;
  readonly isParent: boolean;
  readonly live: KubeObject | undefined;
  /** As it will be when the changes are written. */
  readonly projected: KubeObject;
}

export interface InputOptions {
  readonly settings: Pick<ApplySettings, 'fieldManager' | 'force'>;
  readonly answers: Answers;
  /** Kinds whose definition is changed by another input. */
  readonly isInFlux: (type: ResourceType) => boolean;
}

export type InputPlanning =
  | { readonly kind: 'needs'; readonly needs: readonly Need[] }
  | {
      readonly kind: 'plan';
      /** In the order in which they must be applied: CRD → Namespace → the rest → parents; as given among equals. */
      readonly inputs: readonly PlannedInput[];
      readonly diagnostics: readonly Diagnostic[];
    };

export function planInputs(inputs: readonly Input[], { settings, answers, isInFlux }: InputOptions): InputPlanning {
  const mode = new ServerSideMode({
    settings: { ...settings, mode: 'server-side', conflicts: [] },
    answers,
    types: inputs.map(({ type }) => type),
    tryAll: true,
    legacy: legacyOfInputs(settings.fieldManager),
    isInFlux,
  });
  const context = { fieldManager: settings.fieldManager, step: 1 };
  const planned = inOrder(inputs).map((input) => planInput(input, { mode, context }));
  if (mode.needs.length > 0) return { kind: 'needs', needs: mode.needs };
  return { kind: 'plan', inputs: planned, diagnostics: mode.diagnostics };
}

function inOrder(inputs: readonly Input[]): Input[] {
  const ordered = inputs.map((input, index) => ({ input, index }));
  ordered.sort((a, b) => orderOf(a.input) - orderOf(b.input) || a.index - b.index);
  return ordered.map(({ input }) => ({ ...input, object: storedForm(input.object) }));
}

export function orderOf({ type, isParent }: Pick<Input, 'type' | 'isParent'>): number {
  if (type.resource === 'customresourcedefinitions') return 0;
  if (type.group === '' && type.resource === 'namespaces') return 1;
  return isParent ? 3 : 2;
}

interface Session {
  readonly mode: ServerSideMode;
  readonly context: ChangeContext;
}

function planInput(input: Input, session: Session): PlannedInput {
  const { object, live, type, isParent } = input;
  const changes = live ? updates(input, live, session) : [creation(input, session)];
  const projected = changes.reduce<KubeObject | undefined>((before, change) => projectObject(before, change), live);
  return { changes, type, isParent, live, projected: projected ?? object };
}

function creation({ object, type }: Input, { mode, context }: Session): Change {
  return makeChange(context, {
    ...{ action: 'create', reasons: [], type, wave: 'inputs', verb: 'create' },
    ...mode.creationOf(object),
  });
}

/** Moving over from kubectl's own way is a write of its own. */
function updates(input: Input, live: KubeObject, session: Session): Change[] {
  const first = session.mode.updateOf(live, input.object);
  if (!first) return [];
  if (!('next' in first) || !first.next) return [update(input, live, { ...session, write: first })];
  const { next, ...move } = first;
  return chained([
    update(input, live, { ...session, write: move }),
    update(input, move.after, { ...session, write: next }),
  ]);
}

interface Update extends Session {
  readonly write: ChildWrite | Conflicted;
}

function update({ type }: Input, before: KubeObject, { context, write }: Update): Change {
  const common = { type, wave: 'inputs', before } as const;
  const blocked = { ...common, action: 'blocked', after: before } as const;
  if ('conflicts' in write)
    return makeChange(context, {
      ...blocked,
      reasons: ['conflict'],
      note: `it has fields of other managers: ${write.conflicts.join('; ')}`,
    });
  if (isDeleting(before))
    return makeChange(context, {
      ...blocked,
      reasons: ['guard'],
      note: 'it is being deleted: apply again when it is gone',
    });
  return makeChange(context, {
    ...{ ...common, action: 'update', reasons: [], verb: 'update', guards: guardsOn(before) },
    ...write,
  });
}
