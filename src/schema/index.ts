export { schemaOfVersion } from './crd.ts';
export { applyDefaults } from './defaults.ts';
export {
  type Atom,
  deducedSchema,
  deducedType,
  type ElementRelationship,
  type ListType,
  lazyMergeSchema,
  type MapType,
  type MergeSchema,
  type Scalar,
  type StructField,
  structField,
  type TypeRef,
  UNTYPED_ATOMIC,
  UNTYPED_DEDUCED,
} from './merge-schema.ts';
export { deducedKind, type KindType, OBJECT_META, schemaFromCrd } from './merge-schema-crd.ts';
export { atomOf, mergeSchemaFromComponents, schemaFromOpenApi } from './merge-schema-openapi.ts';
