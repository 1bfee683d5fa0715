/** Files or objects → controller definitions and inputs, with every problem located. */
export { givenApply } from './apply-annotation.ts';
export { definitionFromObject } from './definition-from-object.ts';
export { type LoadedInputs, loadInputs } from './load-inputs.ts';
export { type LocatedObject, loadObjects } from './load-objects.ts';
export { toDiagnostic } from './problem.ts';
export type { InputObject } from './read/input-object.ts';
export { type CheckedDocument, checkDocument, type DocumentShape, readDocument } from './read-document.ts';
export { DEFINITION_SCHEMAS, definitionSchema } from './schema/definition-schema.ts';
export type { FieldSchema } from './schema/types.ts';
export { toKubectlYaml } from './write/kubectl-yaml.ts';
