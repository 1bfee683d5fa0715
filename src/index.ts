// The library's public face: the two use cases, what they need, and the renderers of their outcomes. What is not exported
// here may change without notice. Authors of hooks import `metactl/sdk` instead.

export {
  type AppEnvironment,
  type ApplyOptions,
  type ApplyOutcome,
  type ClusterChoice,
  createNodeFiles,
  type ParentTarget,
  type PlanOptions,
  type PlanOutcome,
  runApply,
  runPlan,
  systemClock,
} from './app/index.ts';
export type { Diagnostic } from './model/diagnostic.ts';
export type { Change, ParentPlan, Plan } from './model/plan.ts';
export type { Progress } from './model/progress.ts';
export { planToJson, renderApplySummary, renderDiagnostics, renderPlanText } from './render/index.ts';
export { defineComposite, defineDecorator } from './sdk/index.ts';
