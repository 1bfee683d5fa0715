export type { Applied, ApplyChange } from './apply-config.ts';
export { type ApplyAnswer, type ApplyRequest, applyPatch } from './apply-patch.ts';
export { type Comparison, compareTyped } from './compare-typed.ts';
export type { ConflictCause } from './conflict-text.ts';
export type { Endpoint } from './endpoint.ts';
export {
  difference,
  EMPTY_SET,
  equalSets,
  type FieldPath,
  type FieldSet,
  intersection,
  isEmptySet,
  pathsOf,
  recursiveDifference,
  setOfPaths,
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
export type {
  Conflict,
  Convert,
  Manager,
  Managers,
  TypedObject,
} from './managers.ts';
export { mergeTyped } from './merge-typed.ts';

export { type PathElement, showPath } from './path-element.ts';
export { reconcileSet } from './reconcile-set.ts';
export { extractItems, removeItems } from './remove-items.ts';
export { parentEntries, type ReplicasPaths, scaleEntries } from './scale-entries.ts';
export { toFieldSet } from './to-field-set.ts';
export { trackUpdate, type UpdateRequest } from './track-update.ts';
export { type ValidationProblem, validateTyped } from './validate.ts';
