import type { JsonObject } from '../../kit/json.ts';
import { compositeSchema } from './composite-schema.ts';

/** The JSON Schema (draft 07) of controller definitions, for editors: `metactl schema definition` prints it. */
export function definitionSchema(): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'CompositeController (metacontroller.k8s.io/v1alpha1) as metactl reads it',
    ...(compositeSchema as unknown as JsonObject),
  };
}
