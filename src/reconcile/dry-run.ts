// A server-side apply, tried.

import type { DryRunAnswer, DryRunNeed } from '../model/need.ts';
import { ApiError } from '../ports/errors.ts';
import type { Predictor } from '../ports/predict.ts';

/** 409 and 404 are news of the object; anything but a refusal is thrown, as for a read. */
export async function dryRun(need: DryRunNeed, predictor: Predictor): Promise<DryRunAnswer> {
  const { id, type, object, fieldManager, force } = need;
  const { name = '', namespace } = object.metadata;
  try {
    const result = await predictor.predict({
      verb: 'patch',
      type,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      fieldManager,
      force,
      contentType: 'application/apply-patch+yaml',
      patch: object,
    });
    return { kind: 'dry-run', id, outcome: 'applied', object: result };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'dry-run', id, ...outcomeOf(error) };
  }
}

type Outcome = Pick<Extract<DryRunAnswer, { outcome: 'invalid' | 'refused' }>, 'outcome' | 'message'> | Conflicts;
interface Conflicts {
  readonly outcome: 'conflicts';
  readonly conflicts: readonly string[];
}

function outcomeOf(error: ApiError): Outcome {
  const { code, message, details } = error.status;
  const causes = (details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict');
  if (code === 409 && causes.length > 0)
    return { outcome: 'conflicts', conflicts: causes.map(({ field, message: who }) => `${field}: ${who}`) };
  // The object has gone or was replaced since it was looked at: what was worked out here is as good as anything.
  if (code === 409 || code === 404) return { outcome: 'refused', message };
  if (code === 400 || code === 413 || code === 422) return { outcome: 'invalid', message };
  if (code === 403 || code === 405 || code === 415) return { outcome: 'refused', message };
  throw error;
}
