// Asks the hooks about every live revision of the parent, all at once, and makes one answer of theirs: each child at its
// revision, the latest's status with the condition Updated, the soonest resync, finalized only if all say so.

import type { JsonObject } from '../../kit/json.ts';
import type { CompositeDefinition, LabelSelector } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { HookCall, Need } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import { formatRef } from '../../model/ref.ts';
import type { ChildGroup } from '../../model/view.ts';
import type { SyncAnswer } from '../answer/answer.ts';
import { alone, consult } from '../consult/consult.ts';
import { type Advice, type Counsel, summaryOf } from '../consult/counsel.ts';
import { managesChildren } from '../finalize/finalizer.ts';
import type { Failure, Needed, Session } from '../parent/session.ts';
import { type UpdatedCondition, withCondition } from '../rollout/condition.ts';
import { uselessPaths } from '../rollout/field-paths.ts';
import { newRevision } from '../rollout/new-revision.ts';
import { planRevisions } from '../rollout/revision-changes.ts';
import { type Revision, type Revisions, revisionsOf } from '../rollout/revisions.ts';
import { RollingKinds } from '../rollout/rolling-kinds.ts';
import { planRollout } from '../rollout/rollout.ts';

/** What a composite controller's planning has besides. */
export interface CompositeSession extends Session {
  readonly definition: CompositeDefinition;
  /** Which objects are the parent's children. */
  readonly selector: LabelSelector;
}

export interface Claimed {
  readonly parent: KubeObject;
  readonly groups: readonly ChildGroup[];
  /** Absent: no child rule is rolling. */
  readonly revisions?: ChildGroup;
}

export function consultRevisions(session: CompositeSession, claimed: Claimed): Needed | Failure | Counsel {
  const { parent, groups, revisions } = claimed;
  // Nothing is done to the children of a parent that goes without us: its status is all there is to ask for.
  if (!revisions || !managesChildren(session.definition, parent, false))
    return alone(consult(session, { parent, groups }));
  const { definition, view } = session;
  const kinds = new RollingKinds(definition, view);
  const known = revisionsOf({ definition, parent, objects: revisions.objects, kinds });
  const latest = consult(session, { parent, groups });
  const older = known.older.map((revision) => ({
    revision,
    said: consult(session, { parent: revision.parent, groups }),
  }));
  const needs = [latest, ...older.map(({ said }) => said)].flatMap((said) => (said.kind === 'needs' ? said.needs : []));
  if (needs.length > 0) return { kind: 'needs', needs: distinct(needs) };
  if (latest.kind !== 'answer') return latest;
  const asked: AskedRevision[] = [];
  for (const { revision, said } of older) {
    if (said.kind === 'needs') return said;
    if (said.kind === 'failed') return failureAt(revision, said);
    asked.push({ ...said, revision });
  }
  return together(session, { claimed, type: revisions.type, kinds, known, latest, older: asked });
}

/** Two revisions may come to the same question. */
const distinct = (needs: readonly Need[]): Need[] => [...new Map(needs.map((need) => [need.id, need])).values()];

function failureAt({ object, listed }: Revision, { diagnostics, ...failure }: Failure): Failure {
  const name = object?.metadata.name;
  const where = `Asked about the parent as it was at ControllerRevision ${name}, at which ${listed.length} of its children still are.`;
  const told = diagnostics.map((diagnostic) => ({
    ...diagnostic,
    detail: diagnostic.detail === undefined ? where : `${where}\n${diagnostic.detail}`,
  }));
  return { ...failure, diagnostics: told };
}

interface AskedRevision extends Advice {
  readonly revision: Revision;
}

interface Heard {
  readonly claimed: Claimed;
  readonly type: ChildGroup['type'];
  readonly kinds: RollingKinds;
  readonly known: Revisions;
  readonly latest: Advice;
  readonly older: readonly AskedRevision[];
}

function together(session: CompositeSession, { claimed, type, kinds, known, latest, older }: Heard): Counsel {
  const { parent, groups } = claimed;
  const { definition, context } = session;
  const current = known.latest.object ?? firstRevision(session, parent, known);
  const rollout = planRollout({
    parent,
    revisions: [
      { listed: known.latest.listed, desired: latest.desired, hookCall: latest.call.id },
      ...older.map(({ revision, desired, call }) => ({ listed: revision.listed, desired, hookCall: call.id })),
    ],
    latestName: current.metadata.name ?? '',
    groups,
    kinds,
    mode: session.mode,
  });
  const revisions = planRevisions({ known, current, listed: rollout.listed, type, context, hookCall: latest.call.id });
  const status = statusOf(latest, rollout.condition);
  return {
    ...latest,
    answer: combined([latest, ...older], status.status),
    desired: rollout.children,
    calls: [latest, ...older].map(summaryOf),
    revisions,
    waitingOn: rollout.waitingOn,
    diagnostics: [...latest.diagnostics, ...status.diagnostics, ...uselessPaths(definition, parent)],
  };
}

function firstRevision(
  { definition, view, selector }: CompositeSession,
  parent: KubeObject,
  known: Revisions,
): KubeObject {
  const others = [...known.older.map(({ object }) => object), ...known.empty];
  const taken = new Set(others.flatMap((object) => object?.metadata.name ?? []));
  return newRevision({ definition, parent, parentType: view.parentType, selector, patch: known.patch, taken });
}

/** Children are the rollout's business; of these only the latest's count for what is said of the answer. */
function combined([latest, ...older]: readonly [Advice, ...Advice[]], status: JsonObject): SyncAnswer {
  const all = [latest, ...older].map(({ answer }) => answer);
  const waits = all.map(({ resyncAfterSeconds }) => resyncAfterSeconds).filter((seconds) => seconds > 0);
  return {
    ...latest.answer,
    status,
    resyncAfterSeconds: waits.length === 0 ? 0 : Math.min(...waits),
    finalized: all.every(({ finalized }) => finalized),
  };
}

interface Told {
  readonly status: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

function statusOf({ call, answer }: Advice, condition: UpdatedCondition): Told {
  const status = withCondition(answer.status ?? {}, condition);
  return status ? { status, diagnostics: [] } : { status: answer.status ?? {}, diagnostics: [noConditions(call)] };
}

const noConditions = (call: HookCall): Diagnostic => ({
  severity: 'warning',
  code: 'answer-invalid',
  summary: `${call.controller}: the ${call.hookName} hook's answer for ${formatRef(call.parent)}: status.conditions is not a list, so the condition Updated can not be added`,
  hint: 'Return a list of conditions, or none: the rollout goes on, but its progress stands nowhere in the parent.',
  subject: call.parent,
  path: 'status.conditions',
});
