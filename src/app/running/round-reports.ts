// What is said of each round of a daemon: metrics, lines of the log, and Events on the parent, with Metacontroller's reasons
// and three of ours: for a write that failed, for a warning, and for a rollout that begins to wait.

import type { Metrics, Pulse, SyncFacts, Tracing } from '../../daemon/index.ts';
import { isJsonArray, isJsonObject } from '../../kit/json.ts';
import type { RoundReport } from '../../loop/index.ts';
import { definitionId } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import type { AppliedChange } from '../../model/progress.ts';
import { formatRef, type Ref, refKey, refOf } from '../../model/ref.ts';
import type { EventRecorder } from '../../ports/events.ts';
import type { Logger } from '../../ports/log.ts';
import type { Confidential } from '../confidential.ts';

export interface RoundReporting {
  readonly log: Logger;
  readonly events: EventRecorder;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly pulse: Pulse;
  readonly confidential: Confidential;
}

export function reportRound(round: RoundReport, reporting: RoundReporting): void {
  const { found, applied, standing } = round;
  const controller = definitionId(found.controller.definition);
  const parent = refOf(found.parent);
  const outcome = outcomeOf(round);
  const { log, metrics, tracing, pulse, confidential } = reporting;
  pulse.beat();
  metrics.sync({ controller, outcome, seconds: round.tookMs / 1_000 });
  tracing.outcome(outcome);
  for (const one of applied) reportWrite(confidential.applied(one), { controller, parent }, reporting);
  const problems = standing.diagnostics.map(confidential.diagnostic);
  const fields = { controller, parent: formatRef(parent) };
  log.debug('Synced', { ...fields, outcome, ms: round.tookMs });
  for (const { severity, code, summary } of problems)
    log[severity === 'error' ? 'error' : 'warn'](severity === 'error' ? 'Sync error' : 'Sync warning', {
      ...fields,
      code,
      error: summary,
    });
  noteProblems(problems, { outcome, parent }, reporting);
}

interface Place {
  readonly controller: string;
  readonly parent: Ref;
}

function noteProblems(
  problems: readonly Diagnostic[],
  { outcome, parent }: { readonly outcome: SyncFacts['outcome']; readonly parent: Ref },
  { events }: RoundReporting,
): void {
  for (const { severity, summary } of problems) {
    if (severity === 'warning') events.note(parent, { type: 'Warning', reason: 'SyncWarning', message: summary });
    else if (severity === 'error' && outcome === 'failed')
      events.note(parent, { type: 'Warning', reason: 'SyncError', message: `Sync error: ${summary}` });
  }
}

/** The parent's condition Updated, written just now: with which words the rollout waits. */
function rolloutWait({ change, outcome }: AppliedChange): string | undefined {
  if (outcome.kind !== 'done' || change.subresource !== 'status' || !change.after) return undefined;
  const before = waitIn(change.before);
  const now = waitIn(change.after);
  return now === before ? undefined : now;
}

function waitIn(object: KubeObject | undefined): string | undefined {
  const status = object?.['status'];
  const conditions = isJsonObject(status) ? status['conditions'] : undefined;
  const found = (isJsonArray(conditions) ? conditions : [])
    .filter(isJsonObject)
    .find(({ type, reason }) => type === 'Updated' && reason === 'RolloutWaiting');
  return typeof found?.['message'] === 'string' ? found['message'] : undefined;
}

function reportWrite(
  { change, outcome }: AppliedChange,
  { controller, parent }: Place,
  reporting: RoundReporting,
): void {
  const { log, metrics, events } = reporting;
  if (outcome.kind === 'not-tried') return;
  const { kind } = change.object;
  const verb = change.subresource ?? change.verb ?? change.action;
  metrics.operation({ controller, kind, verb, result: outcome.kind });
  const fields = { controller, parent: formatRef(parent), object: formatRef(change.object), verb };
  if (outcome.kind === 'done') log.info('Wrote', fields);
  else log.debug('Not written', { ...fields, why: outcome.kind });
  const waits = rolloutWait({ change, outcome });
  if (waits !== undefined)
    events.note(parent, { type: 'Normal', reason: 'RolloutWaiting', message: `Rollout waits: ${waits}` });
  // The parent's own: that is its SyncError.
  if (outcome.kind === 'failed' && refKey(change.object) !== refKey(parent)) {
    const message = `Could not ${change.verb ?? change.action} ${formatRef(change.object)}: ${outcome.diagnostic.summary}`;
    events.note(parent, { type: 'Warning', reason: 'ChildOperationFailed', message });
  }
}

function outcomeOf({ plan, standing, applied, next }: RoundReport): SyncFacts['outcome'] {
  if (applied.some(({ outcome }) => outcome.kind === 'stale')) return 'stale';
  if (standing.diagnostics.some(({ severity }) => severity === 'error'))
    // It said when to come back: that is no error, as in the reference.
    return plan?.result.kind === 'retry' && plan.result.resyncAfterSeconds !== undefined ? 'busy' : 'failed';
  return standing.waitingOn.length > 0 || next.kind === 'again' ? 'waiting' : 'done';
}
