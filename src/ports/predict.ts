import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';

/** Dry runs: what the server would make of a write, with defaults and admission, without doing it. */
export interface Predictor {
  /** POST (no resourceVersion in `object`) or PUT with dryRun=All. Throws like Writer.write. */
  predict(type: ResourceType, verb: 'create' | 'update', object: KubeObject): Promise<KubeObject>;
}
