export { bodyForCreate, bodyForUpdate } from './apply-mode/apply-body.ts';
export { ourManagers } from './apply-mode/managers.ts';
export { sameContent } from './apply-mode/same-content.ts';
export { childSelectorOf } from './composite/parent-selector.ts';
export { DECORATOR_ANNOTATION } from './decorator/attachments.ts';
export { finalizerOf, selectsParent } from './finalize/finalizer.ts';
export { planUninstall, type Uninstalled, uninstallWarning } from './finalize/plan-uninstall.ts';
export { checkGuards, type GuardOptions } from './guards.ts';
export {
  type Input,
  type InputOptions,
  type InputPlanning,
  orderOf,
  type PlannedInput,
  planInputs,
} from './inputs/plan-inputs.ts';
export { selectsAsInput } from './map/inputs.ts';
export type { Echo, Planning, PlanningOptions } from './parent/session.ts';
export { permits } from './permit.ts';
export { planParent } from './plan-parent.ts';
export { project } from './project.ts';
export { rebase } from './rebase.ts';
export { matchesRule, misfitOf, type NamespaceLabels } from './related/match.ts';
export { REVISION_API_VERSION, REVISION_KIND, REVISION_RESOURCE, revisionLabels } from './rollout/revision-type.ts';
export { isRolling } from './rollout/rolling-kinds.ts';
export { usableAnswer } from './secrets/masked-answers.ts';
export { RequestMask } from './secrets/request-mask.ts';
export { formatSelector, matchesSelector } from './selectors.ts';
export { storedForm } from './stored-form.ts';
