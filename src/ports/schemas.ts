import type { JsonObject } from '../kit/json.ts';
import type { ResourceType } from '../model/resource.ts';

/** What the server says of the fields of a kind: a component of its OpenAPI v3 document, and those that it refers to. */
export interface KindSchema {
  /** `components.schemas` of the document of the kind's group and version. The same object for all kinds in it. */
  readonly components: JsonObject;
  /** The name of the kind's own component. */
  readonly name: string;
}

export interface SchemaReader {
  /**
   * undefined: the server says nothing of the kind (no OpenAPI v3, or a CRD so new that its document is not there yet).
   * Throws ApiError, ConnectionError.
   */
  schemaOf(type: ResourceType): Promise<KindSchema | undefined>;
}
