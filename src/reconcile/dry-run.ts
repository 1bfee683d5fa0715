// A server-side apply, tried.

import type { DryRunAnswer, DryRunNeed, FieldConflict } from '../model/need.ts';
import { sameContent } from '../plan/index.ts';
import { ApiError, type ApiStatus, isReplaced } from '../ports/errors.ts';
import { missingPermission } from '../ports/permission.ts';
import type { Predictor } from '../ports/predict.ts';

/** What says nothing of the object (no answer, a server that is busy) is thrown, as for a read. */
export async function dryRun(need: DryRunNeed, predictor: Predictor): Promise<DryRunAnswer> {
  const { id, type, object, observed, fieldManager, force } = need;
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
    if (sameContent(result, observed, type)) return { kind: 'dry-run', id, outcome: 'unchanged' };
    return { kind: 'dry-run', id, outcome: 'applied', object: result };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'dry-run', id, ...outcomeOf(error) };
  }
}

type Refusal =
  | { readonly outcome: 'conflicts'; readonly conflicts: readonly FieldConflict[] }
  | { readonly outcome: 'moved' }
  | { readonly outcome: 'invalid' | 'refused'; readonly message: string };

/** Admission answers 403 too (quota, webhooks): only what is about a permission is about dry runs. */
function outcomeOf(error: ApiError): Refusal {
  const { code, message } = error.status;
  const conflicts = conflictsIn(error.status);
  if (code === 409 && conflicts.length > 0) return { outcome: 'conflicts', conflicts };
  if (code === 409 || code === 404 || isReplaced(error)) return { outcome: 'moved' };
  const denied = missingPermission(error);
  if (denied) return { outcome: 'refused', message: denied.summary };
  if (code === 405 || code === 415 || NO_DRY_RUN.test(message)) return { outcome: 'refused', message };
  if (code === 400 || code === 403 || code === 413 || code === 422) return { outcome: 'invalid', message };
  throw error;
}

/** What the server says where a webhook is not declared to be free of side effects. */
const NO_DRY_RUN = /does not support dry run/;

function conflictsIn({ details }: ApiStatus): FieldConflict[] {
  return (details?.causes ?? []).flatMap(({ reason, field = '', message = '' }) =>
    reason === 'FieldManagerConflict' ? { field: field.replace(/^\./, ''), manager: managerIn(message) } : [],
  );
}

/** `conflict with "kubectl-edit" using v1`: the name is quoted as Go quotes. */
function managerIn(message: string): string {
  const [, quoted = '""'] = /^conflict with ("(?:[^"\\]|\\.)*")/.exec(message) ?? [];
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1); // Go's escapes that JSON has not stand for characters that no rule names.
  }
}
