import type { KubeObject } from '../model/object.ts';
import type { WriteRequest } from './write.ts';

export type PredictRequest = Extract<WriteRequest, { readonly verb: 'create' | 'update' | 'patch' }>;

/** Dry runs: what the server would make of a write, with defaults and admission, without doing it. */
export interface Predictor {
  /** The same request with dryRun=All. Throws like Writer.write. */
  predict(request: PredictRequest): Promise<KubeObject>;
}
