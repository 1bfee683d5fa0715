// Carries out one parent's step: wave after wave, the changes of a wave in parallel, each after those that it depends on. It
// decides nothing: what is sent is what the plan says, rebased on a fresher object at most, and then only within the permit.

import type { Limiter } from '../kit/concurrency.ts';
import type { Change, Step, Wave } from '../model/plan.ts';
import { isWrite } from '../model/plan.ts';
import type { AppliedChange, ChangeOutcome, Progress } from '../model/progress.ts';
import { formatRef } from '../model/ref.ts';
import type { ExecutePorts, SendPorts } from './ports.ts';
import { sendChange } from './send.ts';

export interface ExecuteOptions {
  /** Bounds the requests in flight over all parents. */
  readonly limit: Limiter;
  /** Aborted: nothing more is started; what is in flight is finished. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * All changes of the step with their outcomes. A wave in which a change failed or was stale stops the later ones, but
 * not the status: it reports how far things are.
 */
export async function executeStep(step: Step, ports: ExecutePorts, options: ExecuteOptions): Promise<AppliedChange[]> {
  const applied: AppliedChange[] = [];
  const context: StepContext = { ports: { ...ports, results: new Map() }, options };
  let stopped: string | undefined;
  for (const wave of step.waves) {
    const skipped = stopped !== undefined && wave.name !== 'status' ? stopped : undefined;
    const ended = await executeWave(wave, context, skipped);
    applied.push(...ended);
    if (!ended.every(wentThrough)) stopped ??= `the ${wave.name} wave did not go through`;
  }
  return applied;
}

/** Changes that do not depend on each other, in parallel. */
export function executeChanges(
  changes: readonly Change[],
  ports: ExecutePorts,
  options: ExecuteOptions,
): Promise<AppliedChange[]> {
  const context = { ports: { ...ports, results: new Map() }, options };
  return executeAll(changes, context);
}

interface StepContext {
  readonly ports: SendPorts;
  readonly options: ExecuteOptions;
}

/** In parallel, but each after those of them that it depends on, which stand before it; other waves are over. */
function executeAll(changes: readonly Change[], context: StepContext): Promise<AppliedChange[]> {
  const begun = new Map<string, Promise<AppliedChange>>();
  const execute = async (change: Change): Promise<AppliedChange> => {
    const first = await Promise.all(change.dependsOn.flatMap((id) => begun.get(id) ?? []));
    const failed = first.find((one) => !wentThrough(one));
    if (!failed) return executeOne(change, context);
    const why = `${formatRef(failed.change.object)} comes first, and did not go through`;
    return ended(change, { kind: 'not-tried', why }, context.options);
  };
  const writes = changes.filter(isWrite);
  for (const change of writes) begun.set(change.id, execute(change));
  return Promise.all(begun.values());
}

const wentThrough = ({ outcome }: AppliedChange): boolean => outcome.kind === 'done' || outcome.kind === 'unneeded';

async function executeWave(wave: Wave, context: StepContext, skipped: string | undefined): Promise<AppliedChange[]> {
  if (skipped === undefined) return executeAll(wave.changes, context);
  const outcome = { kind: 'not-tried', why: skipped } as const;
  return wave.changes.filter(isWrite).map((change) => ended(change, outcome, context.options));
}

async function executeOne(change: Change, { ports, options }: StepContext): Promise<AppliedChange> {
  const outcome = await options.limit(async (): Promise<ChangeOutcome> => {
    if (options.signal.aborted) return { kind: 'not-tried', why: 'interrupted' };
    options.onProgress({ kind: 'change.begin', change });
    return sendChange(change, ports);
  });
  return ended(change, outcome, options);
}

function ended(change: Change, outcome: ChangeOutcome, { onProgress }: ExecuteOptions): AppliedChange {
  onProgress({ kind: 'change.end', change, outcome });
  return { change, outcome };
}
