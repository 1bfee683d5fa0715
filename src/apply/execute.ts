// Carries out one parent's step: wave after wave, the changes of a wave in parallel. It decides nothing: what is sent is
// what the plan says, rebased on a fresher object at most, and then only within the permit.

import type { Limiter } from '../kit/concurrency.ts';
import type { Change, Step, Wave } from '../model/plan.ts';
import { isWrite } from '../model/plan.ts';
import type { AppliedChange, ChangeOutcome, Progress } from '../model/progress.ts';
import { type ExecutePorts, sendChange } from './send.ts';

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
  let stopped: string | undefined;
  for (const wave of step.waves) {
    const skipped = stopped !== undefined && wave.name !== 'status' ? stopped : undefined;
    const ended = await executeWave(wave, { ports, options, skipped });
    applied.push(...ended);
    if (ended.some(({ outcome }) => outcome.kind !== 'done' && outcome.kind !== 'unneeded'))
      stopped ??= `the ${wave.name} wave did not go through`;
  }
  return applied;
}

/** Changes that do not depend on each other, in parallel. */
export function executeChanges(
  changes: readonly Change[],
  ports: ExecutePorts,
  options: ExecuteOptions,
): Promise<AppliedChange[]> {
  return Promise.all(changes.filter(isWrite).map((change) => executeOne(change, ports, options)));
}

interface WaveContext {
  readonly ports: ExecutePorts;
  readonly options: ExecuteOptions;
  readonly skipped: string | undefined;
}

async function executeWave(wave: Wave, { ports, options, skipped }: WaveContext): Promise<AppliedChange[]> {
  if (skipped === undefined) return executeChanges(wave.changes, ports, options);
  return wave.changes.filter(isWrite).map((change) => ended(change, { kind: 'not-tried', why: skipped }, options));
}

async function executeOne(change: Change, ports: ExecutePorts, options: ExecuteOptions): Promise<AppliedChange> {
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
