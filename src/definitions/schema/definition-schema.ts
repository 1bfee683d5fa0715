import type { JsonObject } from '../../kit/json.ts';
import { compositeSchema } from './composite-schema.ts';
import { decoratorSchema } from './decorator-schema.ts';
import { mapSchema } from './map-schema.ts';
import type { FieldSchema } from './types.ts';

/** Of every kind of controller definition. */
export const DEFINITION_SCHEMAS = {
  CompositeController: compositeSchema,
  DecoratorController: decoratorSchema,
  MapController: mapSchema,
} as const satisfies Readonly<Record<string, FieldSchema>>;

export type DefinitionKind = keyof typeof DEFINITION_SCHEMAS;

export const isDefinitionKind = (kind: string): kind is DefinitionKind => Object.hasOwn(DEFINITION_SCHEMAS, kind);

/** The JSON Schema (draft 07) of controller definitions, for editors: `metactl schema definition` prints it. */
export function definitionSchema(): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Controllers (metacontroller.k8s.io/v1alpha1) as metactl reads them',
    oneOf: Object.values(DEFINITION_SCHEMAS) as unknown as JsonObject[],
  };
}
