// Use case of `metactl plan`: what would happen, written nowhere.

import type { AppEnvironment, PlanOptions, PlanOutcome } from './options.ts';
import { allDiagnostics, makePlan, prepare } from './prepare.ts';
import { diagnosticsOf } from './problems.ts';

export async function runPlan(options: PlanOptions, environment: AppEnvironment): Promise<PlanOutcome> {
  try {
    const prepared = await prepare(options, environment, { follow: false });
    try {
      const plan = await makePlan(prepared, options, environment);
      return { plan, diagnostics: allDiagnostics(plan) };
    } finally {
      await prepared.close();
    }
  } catch (error) {
    return { diagnostics: diagnosticsOf(error) };
  }
}
