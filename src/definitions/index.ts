/** Files or objects → controller definitions and inputs, with every problem located. */
export { type DefinitionContext, definitionFromObject, type ReadDefinition } from './definition-from-object.ts';
export { type LoadedInputs, type LoadOptions, loadInputs } from './load-inputs.ts';
export type { InputObject } from './read/input-object.ts';
export { definitionSchema } from './schema/definition-schema.ts';
export { toKubectlYaml } from './write/kubectl-yaml.ts';
