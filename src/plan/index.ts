export { type Planning, type PlanningOptions, planComposite } from './composite/plan-composite.ts';
export { checkGuards, type GuardOptions } from './guards.ts';
export { type Input, orderOf, type PlannedInput, planInputs } from './inputs/plan-inputs.ts';
export { permits } from './permit.ts';
export { project } from './project.ts';
export { rebase } from './rebase.ts';
export { usableAnswer } from './secrets/masked-answers.ts';
export { RequestMask } from './secrets/request-mask.ts';
export { matchesSelector } from './selectors.ts';
