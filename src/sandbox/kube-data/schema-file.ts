// The shapes of the generated data, for the generator and for the reader.

import type { JsonObject } from '../../kit/json.ts';

export interface SchemaFile {
  /** Of the server that it was taken from: "v1.36.3". */
  readonly version: string;
  /** apiVersion → names of the schemas that its OpenAPI document begins with; what they refer to belongs to it too. */
  readonly documents: Readonly<Record<string, readonly string[]>>;
  /** Name → OpenAPI v3 schema without descriptions. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

/** Name of a schema → property → description; "" is the schema's own. */
export type SchemaDescriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;
