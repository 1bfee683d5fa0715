// What a decorator writes of the object itself: its status where that is a subresource, and everything else in one write, the
// removal of our finalizer included.

import { type JsonObject, jsonEqual } from '../../kit/json.ts';
import type { DecoratorDefinition } from '../../model/definition.ts';
import type { Change, Decoration } from '../../model/plan.ts';
import { guardsOn, makeChange } from '../change.ts';
import { finalizerOf } from '../finalize/finalizer.ts';
import type { Heard, Session } from '../parent/session.ts';
import { projectObject } from '../project.ts';
import { decorated } from './decorated.ts';
import { withOmitted } from './set-metadata.ts';

export function decoratorWrites(
  definition: DecoratorDefinition,
  session: Session,
  { answer, call, finalizerGoes }: Heard,
): readonly Change[] {
  const { parent, parentType } = session.view;
  const common = { reasons: ['hook_returned'], type: parentType, verb: 'update', hookCall: call?.id } as const;
  const { status } = answer;
  const subresource = parentType.subresources.includes('status');
  const changesStatus = status !== undefined && !jsonEqual(status, parent['status'] ?? {});
  const first =
    changesStatus && subresource
      ? makeChange(session.context, {
          ...common,
          action: 'status',
          wave: 'status',
          subresource: 'status',
          intent: { kind: 'status', status },
          before: parent,
          after: { ...parent, status },
          guards: guardsOn(parent),
        })
      : undefined;
  const before = (first && projectObject(parent, first)) ?? parent;
  const edits = definition.omittedMetadata === 'remove' ? withOmitted(definition.name, parent, answer) : answer;
  const decoration: Decoration = {
    labels: effective(parent.metadata.labels, edits.labels),
    annotations: effective(parent.metadata.annotations, edits.annotations),
    ...(changesStatus && !subresource ? { status } : {}),
  };
  const after = decorated(decoration, before);
  if (jsonEqual(after, before)) return first ? [first] : [];
  const last = finalizerGoes !== undefined ? { ...decoration, finalizer: finalizerOf(definition) } : decoration;
  const second = makeChange(session.context, {
    ...common,
    action: 'update',
    wave: finalizerGoes === undefined ? 'status' : 'finalizer-remove',
    intent: { kind: 'decorate', ...last },
    before,
    after: decorated(last, before),
    guards: guardsOn(before),
    ...(finalizerGoes === undefined ? {} : { note: finalizerGoes }),
  });
  return first ? [first, second] : [second];
}

type Edits = Decoration['labels'];

/** Those that change something, in an order that does not depend on the hook's. */
function effective(given: JsonObject | undefined, edits: Edits): Edits {
  const has = (key: string): boolean => given !== undefined && Object.hasOwn(given, key);
  const changes = Object.entries(edits).filter(([key, value]) =>
    value === null ? has(key) : !has(key) || given?.[key] !== value,
  );
  return Object.fromEntries(changes.sort(([a], [b]) => (a < b ? -1 : 1)));
}
