export type { RuleEngine } from './cel/engine.ts';
export { loadRuleEngine } from './cel/load-engine.ts';
export { schemaOfVersion } from './crd.ts';
export { applyDefaults } from './defaults.ts';
export { definitionSchemaProblems, unknownFormats } from './definition/definition-problems.ts';
export { findFieldPath } from './definition/field-path.ts';
export { internalSchema } from './definition/internal-schema.ts';
export type { CompileRules } from './definition/open-api-problems.ts';
export {
  duplicateValue,
  type FieldProblem,
  forbiddenField,
  invalidValue,
  required,
  Shown,
  tooLong,
  tooMany,
  unsupportedValue,
} from './field-problem.ts';
export {
  type Atom,
  type ElementRelationship,
  type ListType,
  lazyMergeSchema,
  type MapType,
  type MergeSchema,
  type Scalar,
  type StructField,
  structField,
  type TypeRef,
  UNTYPED_DEDUCED,
} from './merge-schema.ts';
export { deducedKind, type KindType, schemaFromCrd } from './merge-schema-crd.ts';
export { mergeSchemaFromComponents, QUANTITY } from './merge-schema-openapi.ts';
export { nanosOf, parseQuantity, QuantityError, resourceAmount, sameQuantity } from './quantity.ts';
export { listTypeProblems } from './structural/list-types.ts';
export { mapItems, mapProperties, type Pruned, pruneNulls, pruneUnknown } from './structural/prune.ts';
export { propertyOf, type Structural, structuralOf } from './structural/structural.ts';

export type { GoPattern } from './validate/go-pattern.ts';
export { schemaProblems, updateSchemaProblems } from './validate/schema-problems.ts';
