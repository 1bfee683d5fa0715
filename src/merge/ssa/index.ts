export { type Applied, type ApplyChange, applyConfig } from './apply-config.ts';
export { type ApplyAnswer, type ApplyRequest, applyPatch } from './apply-patch.ts';
export { type Comparison, compareTyped, withoutFields } from './compare-typed.ts';
export type { ConflictCause } from './conflict-text.ts';
export type { Endpoint } from './endpoint.ts';
export {
  difference,
  EMPTY_SET,
  equalSets,
  type FieldPath,
  type FieldSet,
  hasPath,
  intersection,
  isEmptySet,
  leavesOf,
  pathsOf,
  recursiveDifference,
  setOfPaths,
  sizeOf,
  union,
} from './field-set.ts';
export { fieldsV1Of, parseFieldsV1 } from './fields-v1.ts';
export { itemElement } from './list-item.ts';
export {
  decodeManaged,
  encodeManaged,
  type Managed,
  managedFieldsOf,
  managerId,
  nameOfId,
  withManagedFields,
} from './managed-entries.ts';
export {
  type Conflict,
  type Convert,
  type Manager,
  type Managers,
  type TypedObject,
  updateManagers,
} from './managers.ts';
export { mergeTyped } from './merge-typed.ts';
export { withNamedFields } from './named-fields.ts';
export { fieldElement, keyElement, type PathElement, showPath, valueElement } from './path-element.ts';
export { reconcileSet } from './reconcile-set.ts';
export { extractItems, removeItems } from './remove-items.ts';
export { parentEntries, type ReplicasPaths, scaleEntries } from './scale-entries.ts';
export { toFieldSet } from './to-field-set.ts';
export { trackUpdate, type UpdateRequest } from './track-update.ts';
export { problemText, type ValidationProblem, validateTyped } from './validate.ts';
