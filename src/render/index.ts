export { renderDiagnostics } from './diagnostics/diagnostics.ts';
export { planToJson } from './json/plan.ts';
export { planSchema } from './json/plan-schema.ts';
export { shadowToJson } from './json/shadow.ts';
export { redactorOf } from './redaction.ts';
export { type ApplyResult, renderApplySummary } from './text/apply-summary.ts';
export { type PlanTextOptions, renderPlanText } from './text/plan.ts';
export { renderRights } from './text/rights.ts';
export { renderShadowText } from './text/shadow.ts';
