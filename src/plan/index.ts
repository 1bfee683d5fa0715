export { type Planning, type PlanningOptions, planComposite } from './composite/plan-composite.ts';
export { checkGuards, type GuardOptions } from './guards.ts';
export { INPUT_ANNOTATION, type Input, orderOf, type PlannedInput, planInputs } from './inputs/plan-inputs.ts';
export { permits } from './permit.ts';
export { project, projectObject } from './project.ts';
export { rebase } from './rebase.ts';
export { formatSelector, isEmptySelector, matchesSelector, parseSelector } from './selectors.ts';
