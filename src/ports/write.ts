import type { JsonValue } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';

interface WriteBase {
  readonly type: ResourceType;
  readonly fieldManager: string;
}

export type WriteRequest =
  | (WriteBase & { readonly verb: 'create'; readonly object: KubeObject })
  /** PUT. The object's metadata.resourceVersion and uid, where set, are preconditions. */
  | (WriteBase & { readonly verb: 'update'; readonly object: KubeObject; readonly subresource?: 'status' })
  | (WriteBase & {
      readonly verb: 'patch';
      readonly name: string;
      readonly namespace?: string;
      readonly contentType:
        | 'application/merge-patch+json'
        | 'application/json-patch+json'
        | 'application/apply-patch+yaml';
      readonly patch: JsonValue;
      readonly force?: boolean;
      readonly subresource?: 'status';
    })
  | (WriteBase & {
      readonly verb: 'delete';
      readonly name: string;
      readonly namespace?: string;
      readonly uid?: string;
      readonly resourceVersion?: string;
      readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
    });

/** Writes to the cluster. Only src/apply may issue one (the border map checks it). */
export interface Writer {
  /**
   * The object as stored; undefined for a delete that took effect at once, the object with its deletionTimestamp for
   * one that waits for finalizers. Throws ApiError (404, 409, 422 …) and ConnectionError.
   */
  write(request: WriteRequest): Promise<KubeObject | undefined>;
}
