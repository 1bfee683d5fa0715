// Asks a map controller's hooks about one parent: map for each input, tombstone for what is left of each input that is gone,
// or finalize about everything. All calls are needed at once. One that fails holds up nothing but the outputs that it is
// about: they stay as they are.

import type { Hook, MapDefinition } from '../../model/definition.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { HookCall } from '../../model/need.ts';
import type { ChildGroup } from '../../model/view.ts';
import { checkSyncAnswer } from '../answer/answer.ts';
import type { DesiredChild } from '../answer/answer-child.ts';
import { type HookWords, MAP_FINALIZE_WORDS, MAP_WORDS } from '../answer/hook-words.ts';
import { ownPart } from '../children/own-part.ts';
import type { Counsel } from '../consult/counsel.ts';
import { managesChildren } from '../finalize/finalizer.ts';
import type { Failure, Needed, Session } from '../parent/session.ts';
import { relatedTo } from '../related/related.ts';
import { keptOf } from './keepers.ts';
import { withMapKey } from './map-key.ts';
import { type InputKeys, sortOutputs } from './outputs.ts';
import { MapPayload, type OutputSet } from './payload.ts';
import { combined, type Share } from './shares.ts';

export interface MapSession extends Session {
  readonly definition: MapDefinition;
  readonly keys: InputKeys;
}

export function consultMap(session: MapSession, outputs: readonly ChildGroup[]): Needed | Failure | Counsel {
  const { definition, view, options } = session;
  const { parent } = view;
  const related = relatedTo(session, parent);
  if (related.kind !== 'related') return related;
  const payload = new MapPayload({ definition, parent, related: related.groups, dryRun: options.foresee });
  const questions = questionsOf(session, payload, outputs);
  const needs = questions.flatMap(({ call }) => (call && session.answers.get(call.id)?.kind !== 'hook' ? call : []));
  if (needs.length > 0) return { kind: 'needs', needs };
  const shares = questions.map((question) => shareOf(session, question));
  return combined(shares, { controller: session.context.controller ?? '', outputs, diagnostics: related.diagnostics });
}

interface Question {
  readonly set: OutputSet;
  /** Absent: nobody is asked, and nothing shall be there. */
  readonly call?: HookCall;
  readonly words: HookWords;
}

function questionsOf(session: MapSession, payload: MapPayload, outputs: readonly ChildGroup[]): Question[] {
  if (session.finalizing) return lastQuestion(session, payload, outputs);
  // Nothing is done to the outputs of a parent that goes without us, and no hook says what its status is.
  const { definition, view } = session;
  return managesChildren(definition, view.parent, false) ? usualQuestions(session, payload, outputs) : [];
}

function usualQuestions(
  { definition, keys }: MapSession,
  payload: MapPayload,
  outputs: readonly ChildGroup[],
): Question[] {
  const { map, tombstone } = definition.hooks;
  const { live, detached } = sortOutputs(outputs, keys);
  return [
    ...live.map((set) => ({ set, call: payload.map(map, set), words: MAP_WORDS })),
    ...detached.map((set) => ({
      set,
      ...(tombstone ? { call: payload.tombstone(tombstone, set) } : {}),
      words: MAP_WORDS,
    })),
  ];
}

/** About everything at once: the parent goes as a whole. */
function lastQuestion({ definition }: MapSession, payload: MapPayload, outputs: readonly ChildGroup[]): Question[] {
  // Whoever finalizes has the hook: see lifecycleOf.
  const hook: Hook = definition.hooks.finalize ?? definition.hooks.map;
  return [{ set: { mapKey: '', outputs }, call: payload.finalize(hook, outputs), words: MAP_FINALIZE_WORDS }];
}

function shareOf(session: MapSession, { set, call, words }: Question): Share {
  if (!call) return { set, wanted: [], diagnostics: [] };
  const reply = session.answers.get(call.id);
  if (reply?.kind !== 'hook' || !reply.ok) {
    const failure = reply?.kind === 'hook' && !reply.ok ? reply : undefined;
    return {
      set,
      call,
      diagnostics: failure ? [failure.diagnostic] : [],
      retry: { afterSeconds: failure?.retryAfterSeconds, hookKind: call.hook.kind },
    };
  }
  const types = session.view.children.map(({ type }) => type);
  const { answer, diagnostics } = checkSyncAnswer(call, reply.body, { types, words });
  if (!answer) return { set, call, diagnostics };
  if (call.hookName === 'map') {
    const wanted = answer.children.map((child) => madeOf(child, { session, call, mapKey: set.mapKey }));
    return { set, call, answer, wanted, diagnostics };
  }
  const kept = keptOf(call, answer.children, set.outputs);
  const all = [...diagnostics, ...kept.diagnostics];
  if (hasErrors(all)) return { set, call, diagnostics: all };
  const wanted = kept.outputs.map((child) => ({ ...child, held: true as const, hookCall: call.id }));
  return { set, call, answer, wanted, diagnostics: all };
}

interface Maker {
  readonly session: MapSession;
  readonly call: HookCall;
  readonly mapKey: string;
}

/** As it will be stored, with the tag that says which input it is of. */
function madeOf({ type, object }: DesiredChild, { session, call, mapKey }: Maker) {
  const own = ownPart(object, session.view.parent.metadata.uid ?? '');
  return { type, object: withMapKey(own, mapKey), hookCall: call.id };
}
