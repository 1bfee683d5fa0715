import type { KindSchema, ResourceType } from '../model/resource.ts';

export interface SchemaReader {
  /**
   * undefined: the server says nothing of the kind (no OpenAPI v3, or a CRD so new that its document is not there yet).
   * Throws ApiError, ConnectionError.
   */
  schemaOf(type: ResourceType): Promise<KindSchema | undefined>;
}
