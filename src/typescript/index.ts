export { type CrdProblem, type CrdTypes, type CrdTypesOptions, TYPES_HEADING, typesOfCrds } from './crd-types.ts';
export { pascalCase } from './text.ts';
