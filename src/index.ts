// The library's public face: the SDK of hooks, the two use cases, what they need, and the renderers of their outcomes. What is not
// exported here may change without notice. In a hook that metactl runs `metactl` is the SDK alone (src/hooks/module/worker.ts).

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
export * from './sdk/index.ts';
