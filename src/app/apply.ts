// Use case of `metactl apply`: plan, ask, write the inputs, then settle every parent.

import { maskedWriteOf } from '../apply/index.ts';
import type { Clock } from '../kit/clock.ts';
import { type SettleOptions, settle } from '../loop/index.ts';
import { type Diagnostic, DiagnosticError, hasErrors } from '../model/diagnostic.ts';
import { changesOf, isWrite, type Plan } from '../model/plan.ts';
import type { AppliedChange, Progress } from '../model/progress.ts';
import { checkGuards } from '../plan/index.ts';
import { applyInputs } from './apply-inputs.ts';
import { openCaches, resolveControllers } from './controllers.ts';
import type { AppEnvironment, ApplyOptions, ApplyOutcome } from './options.ts';
import { targetFilter } from './parents.ts';
import { allDiagnostics, makePlan, type Prepared, prepare } from './prepare.ts';
import { diagnosticsOf, distinct } from './problems.ts';
import { relatedOf } from './related.ts';

const NOTHING = { applied: [], waitingOn: [] } as const;

export async function runApply(options: ApplyOptions, environment: AppEnvironment): Promise<ApplyOutcome> {
  try {
    const prepared = await prepare(options, environment, { follow: true });
    try {
      const outcome = await confirmAndApply(prepared, options, environment);
      return withoutSecrets(failedWithErrors(outcome), prepared);
    } finally {
      await prepared.close();
    }
  } catch (error) {
    const { signal } = environment;
    // Before anything was written: what waits for a hook ends with the signal's reason.
    if (signal.aborted && error === signal.reason) return { status: 'interrupted', ...NOTHING, diagnostics: [] };
    return { status: 'failed', ...NOTHING, diagnostics: diagnosticsOf(error) };
  }
}

/** What was done is done; a controller that was left out, or any other error that is told, is one of the run all the same. */
function failedWithErrors(outcome: ApplyOutcome): ApplyOutcome {
  const isGood = outcome.status === 'settled' || outcome.status === 'nothing';
  return isGood && hasErrors(outcome.diagnostics) ? { ...outcome, status: 'failed' } : outcome;
}

/** Secrets that came up while it was applied are in no redactor of the first plan. */
function withoutSecrets(outcome: ApplyOutcome, { confidential }: Prepared): ApplyOutcome {
  return {
    ...outcome,
    applied: outcome.applied.map(confidential.applied),
    waitingOn: outcome.waitingOn.map(confidential.waitingOn),
    diagnostics: distinct(outcome.diagnostics.map(confidential.diagnostic)),
  };
}

async function confirmAndApply(
  prepared: Prepared,
  options: ApplyOptions,
  environment: AppEnvironment,
): Promise<ApplyOutcome> {
  const plan = await makePlan(prepared, { ...options, hookPatienceMs: options.timeoutMs }, environment);
  const diagnostics = [...allDiagnostics(plan), ...maskedWrites(plan)];
  const refused = refusal(plan, prepared);
  if (refused) return { status: refused, plan, ...NOTHING, diagnostics };
  const writes = changesOf(plan).filter(isWrite).length;
  const waits = options.wait && plan.parents.some(({ result }) => result.waitingOn.length > 0);
  if (writes === 0 && !waits) return { status: 'nothing', plan, ...NOTHING, diagnostics };
  // Asked also where the first plan only waits: what the hooks ask for afterwards is written too.
  const confirmed = await options.confirm(plan);
  if (confirmed !== 'yes')
    return { status: confirmed === 'no' ? 'declined' : 'unconfirmed', plan, ...NOTHING, diagnostics };
  return carryOut(plan, prepared, options, environment);
}

/** What a hook made of masked Secrets will never be known in this run: nothing is half done then. */
const maskedWrites = (plan: Plan): Diagnostic[] => changesOf(plan).flatMap((change) => maskedWriteOf(change) ?? []);

/** Of one child: it holds up nothing but itself. */
const OF_ONE_CHILD: ReadonlySet<string> = new Set(['child-not-owned', 'field-conflict']);

/** A plan with errors is shown, not applied: inputs that can't be written stop everything, a child of a parent only itself. */
export function refusal(plan: Plan, { setAside }: Pick<Prepared, 'setAside'>): 'guarded' | 'failed' | undefined {
  const ofRun = [...plan.diagnostics, ...maskedWrites(plan)].filter((diagnostic) => !setAside.includes(diagnostic));
  const ofParents = plan.parents
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => !OF_ONE_CHILD.has(code));
  const errors = [...ofRun, ...ofParents].filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return undefined;
  return errors.every(({ code }) => code.startsWith('guard-')) ? 'guarded' : 'failed';
}

async function carryOut(
  plan: Plan,
  prepared: Prepared,
  options: ApplyOptions,
  environment: AppEnvironment,
): Promise<ApplyOutcome> {
  const { clock, signal } = environment;
  const deadline = clock.steady() + options.timeoutMs;
  const onProgress = (progress: Progress): void => options.onProgress?.(prepared.confidential.progress(progress));
  const common = { concurrency: options.concurrency, signal, onProgress };
  const inputs = await applyInputs(prepared, { ...common, clock, deadline });
  if (inputs.status !== 'done')
    return {
      status: inputs.status,
      plan,
      applied: inputs.applied,
      waitingOn: inputs.waitingOn,
      diagnostics: inputs.diagnostics,
    };
  try {
    const settled = await settleParents(prepared, options, { ...common, timeoutMs: deadline - clock.steady(), clock });
    const applied: readonly AppliedChange[] = [...inputs.applied, ...settled.applied];
    const diagnostics = [...plan.diagnostics, ...settled.diagnostics];
    return { status: settled.status, plan, applied, waitingOn: settled.waitingOn, diagnostics };
  } catch (error) {
    // What the inputs' part has written is told whatever comes after it.
    return { ...NOTHING, status: 'failed', plan, applied: inputs.applied, diagnostics: diagnosticsOf(error) };
  }
}

interface Settling extends Pick<SettleOptions, 'concurrency' | 'signal' | 'onProgress' | 'timeoutMs'> {
  readonly clock: Clock;
}

async function settleParents(prepared: Prepared, options: ApplyOptions, { clock, ...settling }: Settling) {
  const controllers = await controllersNow(prepared, options);
  // What the inputs brought is in the cluster by now.
  const related = relatedOf({ ...prepared, controllers }, []);
  const { client } = prepared.world;
  const ports = { ...prepared, related, clock, reader: client, writer: client, schemas: client };
  return settle(ports, {
    ...settling,
    controllers,
    target: targetFilter(options),
    guard: (parentPlan) => checkGuards(parentPlan, options),
    timeoutMs: Math.max(0, settling.timeoutMs),
    wait: options.wait,
  });
}

/** Resolved again: CRDs that the inputs brought are served by now. */
export async function controllersNow(prepared: Prepared, options: Pick<ApplyOptions, 'namespace'>) {
  if (prepared.inputs.every(({ changes }) => changes.length === 0)) return prepared.controllers;
  prepared.world.client.refresh();
  const { controllers } = await resolveControllers(prepared.definitions, prepared.resources, options);
  const denied = await openCaches(controllers, prepared.cache);
  if (denied.length > 0) throw new DiagnosticError(distinct(denied));
  return controllers;
}
