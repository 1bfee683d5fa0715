export { runApply } from './apply.ts';
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
export { systemClock } from './system-clock.ts';
