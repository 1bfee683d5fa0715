export { runApply } from './apply.ts';
export { createNodeFiles } from './node-files.ts';
export type {
  AppEnvironment,
  ApplyOptions,
  ApplyOutcome,
  ClusterChoice,
  ParentTarget,
  PlanOptions,
  PlanOutcome,
} from './options.ts';
export { runPlan } from './plan.ts';
export { definitionSchema, planSchema } from './schemas.ts';
export { type ServeSandboxOptions, serveSandboxUntilStopped } from './serve-sandbox.ts';
export { systemClock } from './system-clock.ts';
