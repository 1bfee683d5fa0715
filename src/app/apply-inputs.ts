// Writes the inputs in order: CRDs (then waits until they are served), namespaces, the rest, parents.

import { executeChanges } from '../apply/index.ts';
import { healthOf } from '../health/index.ts';
import { backoffDelay } from '../kit/backoff.ts';
import { type Clock, sleep } from '../kit/clock.ts';
import { createLimiter } from '../kit/concurrency.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type Change, isWrite, type WaitingOn } from '../model/plan.ts';
import type { AppliedChange, Progress } from '../model/progress.ts';
import { formatRef, refOf } from '../model/ref.ts';
import { apiVersionOf } from '../model/resource.ts';
import { orderOf, type PlannedInput } from '../plan/index.ts';
import { typesOfCrd } from './inputs.ts';
import type { Prepared } from './prepare.ts';
import { diagnosticsOf } from './problems.ts';

export interface ApplyInputsOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly clock: Clock;
  /** Clock time after which waiting for a CRD is given up. */
  readonly deadline: number;
}

export interface AppliedInputs {
  readonly status: 'done' | 'failed' | 'interrupted' | 'unsettled';
  readonly applied: readonly AppliedChange[];
  readonly waitingOn: readonly WaitingOn[];
  readonly diagnostics: readonly Diagnostic[];
}

const POLL_MS = 50;
// 15 s in all: a server that restarts is back by then.
const ATTEMPTS = 6;
const RETRY = { base: 500, cap: 30_000 };

export async function applyInputs(prepared: Prepared, options: ApplyInputsOptions): Promise<AppliedInputs> {
  const applied: AppliedChange[] = [];
  const { client } = prepared.world;
  const ports = { writer: client, reader: client, cache: prepared.cache };
  const limit = createLimiter(options.concurrency);
  for (const group of groupsOf(prepared.inputs)) {
    const changes = group.flatMap(({ changes }) => changes);
    if (!changes.some(isWrite)) continue;
    const ended = await persistently(changes, options, (left) => executeChanges(left, ports, { ...options, limit }));
    applied.push(...ended);
    const problem = problemOf(ended, options.signal) ?? (await servedProblem(group, prepared, options));
    if (problem) return { waitingOn: [], ...problem, applied };
  }
  return { status: 'done', applied, waitingOn: [], diagnostics: [] };
}

/** Tries again what failed in a way that may pass; what was carried out is not sent again. */
async function persistently(
  changes: readonly Change[],
  { clock, signal, deadline }: ApplyInputsOptions,
  execute: (changes: readonly Change[]) => Promise<readonly AppliedChange[]>,
): Promise<AppliedChange[]> {
  const ended: AppliedChange[] = [];
  let left = changes;
  for (let attempt = 1; ; attempt++) {
    const results = await execute(left);
    const passing = results.filter(({ outcome }) => outcome.kind === 'failed' && !outcome.permanent);
    ended.push(...results.filter((result) => !passing.includes(result)));
    const delay = backoffDelay(RETRY, attempt - 1);
    if (passing.length === 0 || signal.aborted || attempt === ATTEMPTS || clock.steady() + delay > deadline)
      return [...ended, ...passing];
    await sleep(clock, delay);
    left = passing.map(({ change }) => change);
  }
}

type Problem = Omit<AppliedInputs, 'applied' | 'waitingOn'> & Partial<AppliedInputs>;

async function servedProblem(
  group: readonly PlannedInput[],
  prepared: Prepared,
  options: ApplyInputsOptions,
): Promise<Problem | undefined> {
  try {
    const waitingOn = await untilServed(group, prepared, options);
    if (waitingOn.length === 0) return undefined;
    return { status: options.signal.aborted ? 'interrupted' : 'unsettled', waitingOn, diagnostics: [] };
  } catch (error) {
    return { status: 'failed', diagnostics: diagnosticsOf(error) };
  }
}

/** Inputs that may be written side by side, in the order of the groups. */
function groupsOf(inputs: readonly PlannedInput[]): PlannedInput[][] {
  const groups: PlannedInput[][] = [];
  let last: number | undefined;
  for (const input of inputs) {
    const order = orderOf(input);
    if (order !== last) groups.push([]);
    groups.at(-1)?.push(input);
    last = order;
  }
  return groups;
}

function problemOf(ended: readonly AppliedChange[], signal: AbortSignal): Problem | undefined {
  const diagnostics = ended.flatMap(({ change, outcome }): Diagnostic[] => {
    if (outcome.kind === 'failed') return [outcome.diagnostic];
    if (outcome.kind !== 'stale') return [];
    const summary = `${formatRef(change.object)} changed while it was being applied: ${outcome.why}`;
    return [
      { severity: 'error', code: 'conflict', summary, hint: 'Run the same command again.', subject: change.object },
    ];
  });
  if (diagnostics.length > 0) return { status: 'failed', diagnostics };
  return signal.aborted ? { status: 'interrupted', diagnostics: [] } : undefined;
}

/** Waits until the CRDs of the group are established and discovery lists their resources. */
async function untilServed(
  group: readonly PlannedInput[],
  { world }: Prepared,
  { clock, deadline, signal }: ApplyInputsOptions,
): Promise<WaitingOn[]> {
  let missing = group.filter(({ changes, projected }) => changes.length > 0 && typesOfCrd(projected).length > 0);
  for (;;) {
    const waiting = await Promise.all(missing.map((input) => waitsFor(input, world)));
    const waitingOn = waiting.filter((on) => on !== undefined);
    missing = missing.filter((_, index) => waiting[index] !== undefined);
    if (missing.length === 0 || signal.aborted || clock.steady() >= deadline) return waitingOn;
    await sleep(clock, POLL_MS);
    world.client.refresh();
  }
}

async function waitsFor(
  { type, projected }: PlannedInput,
  { client }: Prepared['world'],
): Promise<WaitingOn | undefined> {
  const ref = refOf(projected);
  const live = await client.get(type, ref.name);
  if (!live) return { ref, reason: 'is gone' };
  const health = healthOf(live);
  if (health.state !== 'Current') return { ref, reason: health.message };
  for (const served of typesOfCrd(live))
    if (!(await client.byResource(apiVersionOf(served), served.resource)))
      return { ref, reason: `${served.resource} is not served yet` };
  return undefined;
}
