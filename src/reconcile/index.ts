export { AnswerMemory } from './answer-memory.ts';
export { DryRuns } from './dry-runs.ts';
export { type InputPlan, reconcileInputs } from './inputs.ts';
export {
  type Reconciled,
  type ReconcileOptions,
  type ReconcilePorts,
  reconcileParent,
} from './reconcile.ts';
export {
  type ConcernedParent,
  RelatedObjects,
  type RelatedOptions,
  type RelatedReader,
  type RelatedResources,
} from './related.ts';
export {
  adopts,
  adoptsByLabels,
  type Controller,
  childSelectorIn,
  isInputOf,
  isParentOf,
  matchesLabels,
} from './resolved.ts';
export type { ComingObject, ParentToPlan } from './view.ts';
