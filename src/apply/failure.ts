// What went wrong with a write, for the person who reads it; and whether trying again can help.

import type { Diagnostic } from '../model/diagnostic.ts';
import type { Change } from '../model/plan.ts';
import { formatRef } from '../model/ref.ts';
import { ApiError, ConnectionError } from '../ports/errors.ts';
import { missingPermission } from '../ports/permission.ts';

export function failureOf(change: Change, error: unknown): Diagnostic {
  const what = `${change.action} ${formatRef(change.object)}${change.subresource ? ` (${change.subresource})` : ''}`;
  // Named without the object: the permission is the problem, and one problem for all objects that lack it.
  if (error instanceof ApiError) return missingPermission(error) ?? apiFailure(change, error, what);
  if (error instanceof ConnectionError)
    return {
      severity: 'error',
      code: 'connection-failed',
      summary: `${what}: ${error.message}`,
      subject: change.object,
    };
  // Anything else is a defect of ours: it must not be mistaken for an answer of the server.
  throw error;
}

/** The same for a read; `what`: what it was read for. */
export function readFailureOf(what: string, error: unknown): Diagnostic {
  if (error instanceof ConnectionError)
    return { severity: 'error', code: 'connection-failed', summary: `${what}: ${error.message}` };
  if (!(error instanceof ApiError)) throw error;
  const denied = missingPermission(error);
  if (denied) return denied;
  const { code, reason, message } = error.status;
  return {
    severity: 'error',
    code: code === 403 ? 'forbidden' : 'api-error',
    summary: `${what}: the API server says: ${message}`,
    detail: `${error.request}: ${code}${reason ? ` ${reason}` : ''}`,
  };
}

function apiFailure(change: Change, error: ApiError, what: string): Diagnostic {
  const { code, reason, message } = error.status;
  const hint = hintFor(change, error);
  return {
    severity: 'error',
    code: code === 403 && reason === 'Forbidden' ? 'forbidden' : 'api-error',
    summary: `${what}: the API server says: ${message}`,
    detail: `${error.request}: ${code}${reason ? ` ${reason}` : ''}`,
    ...(hint === undefined ? {} : { hint }),
    subject: change.object,
  };
}

function hintFor(change: Change, { status }: ApiError): string | undefined {
  const { namespace } = change.object;
  if (status.code === 404 && change.verb === 'create' && status.details?.kind === 'namespaces')
    return `Create the namespace first, or add it to the files: kind: Namespace, metadata.name: ${namespace}`;
  const immutable = status.details?.causes?.some(({ message }) =>
    /immutable|may not change fields/i.test(message ?? ''),
  );
  if (status.code === 422 && change.action === 'update' && immutable)
    return 'A field of it can not be changed in place: use updateStrategy method Recreate for this kind.';
  return undefined;
}

const PERMANENT: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413, 415, 422]);

/** Can't the same request go through later without anybody changing anything? */
export function isPermanent(error: unknown): boolean {
  return error instanceof ApiError && PERMANENT.has(error.status.code);
}
