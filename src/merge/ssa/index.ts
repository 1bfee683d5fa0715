export { type Comparison, compareTyped, withoutFields } from './compare-typed.ts';
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
export { mergeTyped } from './merge-typed.ts';
export { withNamedFields } from './named-fields.ts';
export { fieldElement, keyElement, type PathElement, showPath, valueElement } from './path-element.ts';
export { reconcileSet } from './reconcile-set.ts';
export { extractItems, removeItems } from './remove-items.ts';
export { toFieldSet } from './to-field-set.ts';
export { problemText, type ValidationProblem, validateTyped } from './validate.ts';
