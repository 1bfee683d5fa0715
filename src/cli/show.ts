// Outcomes of the use cases → what is written where. Text and JSON come from src/render; this decides on streams only.

import type { ApplyOutcome, PlanOutcome } from '../app/index.ts';
import { stringifyJson } from '../kit/json.ts';
import type { Plan } from '../model/plan.ts';
import { planToJson, redactorOf, renderApplySummary, renderDiagnostics, renderPlanText } from '../render/index.ts';
import { type ConfirmOptions, confirmPlan } from './confirm.ts';
import { writeOutputs } from './output.ts';
import type { Session } from './session.ts';

/** The plan on stdout or in files, its problems on stderr. */
export async function showPlan(outcome: PlanOutcome, session: Session): Promise<void> {
  await session.progress.end();
  if (outcome.plan) await writePlan(outcome.plan, session);
  await showDiagnostics(outcome, session);
}

async function writePlan(plan: Plan, session: Session): Promise<void> {
  const { outputs, stdoutLook, showUnchanged, streams } = session;
  const rendering = {
    text: () => renderPlanText(plan, { ...stdoutLook, showUnchanged }),
    json: () => `${stringifyJson(planToJson(plan), 2)}\n`,
  };
  await writeOutputs(outputs, rendering, streams.stdout);
}

async function showDiagnostics({ plan, diagnostics }: PlanOutcome, session: Session): Promise<void> {
  if (diagnostics.length === 0) return;
  const { color } = session.stderrLook;
  const masking = plan ? { redactor: redactorOf(plan) } : {};
  await session.streams.stderr.write(renderDiagnostics(diagnostics, { color, ...masking }));
}

export interface ApplyView {
  readonly confirm: (plan: Plan) => Promise<'yes' | 'no' | 'impossible'>;
  readonly show: (outcome: ApplyOutcome) => Promise<void>;
}

/** Shows the plan before the question, or at the end when nothing was asked; never twice. */
export function applyView(session: Session, options: Pick<ConfirmOptions, 'yes' | 'argv' | 'command'>): ApplyView {
  let shown = false;
  const showOnce = async (plan: Plan): Promise<void> => {
    if (shown) return;
    shown = true;
    await writePlan(plan, session);
  };
  const confirm = async (plan: Plan): Promise<'yes' | 'no' | 'impossible'> => {
    await session.progress.pause();
    await showOnce(plan);
    const { streams, environment } = session;
    await showPlanToAsker(plan, session, options.yes);
    return confirmPlan(plan, { ...options, streams, variables: environment.variables });
  };
  const show = async (outcome: ApplyOutcome): Promise<void> => {
    await session.progress.end();
    if (outcome.plan) await showOnce(outcome.plan);
    await showDiagnostics(outcome, session);
    await session.streams.stderr.write(renderApplySummary(outcome, session.stderrLook));
  };
  return { confirm, show };
}

/** Nobody confirms what he can't see: when stdout is not the terminal, the plan's text goes to stderr too. */
async function showPlanToAsker(plan: Plan, session: Session, yes: boolean): Promise<void> {
  const { outputs, streams, stderrLook } = session;
  const seen = streams.stdout.isTTY && outputs.some(({ format, path }) => format === 'text' && path === undefined);
  if (yes || seen || !streams.stderr.isTTY || !streams.stdinIsTTY) return;
  await streams.stderr.write(renderPlanText(plan, stderrLook));
}
