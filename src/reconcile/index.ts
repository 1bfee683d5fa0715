export {
  AnswerMemory,
  type Reconciled,
  type ReconcileOptions,
  type ReconcilePorts,
  reconcileParent,
} from './reconcile.ts';
export { type Controller, selectsParent } from './resolved.ts';
export type { ParentToPlan } from './view.ts';
