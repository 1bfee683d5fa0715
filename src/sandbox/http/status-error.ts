// The server's refusals, as metav1.Status bodies with the codes, reasons and texts that clients key on.

import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { FieldProblem } from '../../schema/index.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';

export interface StatusCause extends JsonObject {
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails extends JsonObject {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: number;
  readonly reason: string | undefined;
  readonly details: StatusDetails | undefined;
  /** Of the list's metadata: a continue token to go on with after Expired. */
  readonly continueToken: string | undefined;
  constructor(
    code: number,
    message: string,
    more: { reason?: string; details?: StatusDetails; continueToken?: string } = {},
  ) {
    super(message);
    this.code = code;
    this.reason = more.reason;
    this.details = more.details;
    this.continueToken = more.continueToken;
  }

  body(): JsonObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

type Named = Pick<ResourceKind, 'group' | 'resource'>;

/** "widgets.example.com" in messages; details.group and details.kind (the resource) in bodies. */
const resourceText = (kind: Named): string => (kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`);
const resourceDetails = (kind: Named, name: string): StatusDetails => ({
  name,
  ...(kind.group === '' ? {} : { group: kind.group }),
  kind: kind.resource,
});

export const NAMESPACES: Named = { group: '', resource: 'namespaces' };

export function notFound(kind: Named, name: string): StatusError {
  const details = resourceDetails(kind, name);
  return new StatusError(404, `${resourceText(kind)} "${name}" not found`, { reason: 'NotFound', details });
}

/** The group is served, the resource or version is not. */
export function unknownResource(): StatusError {
  return new StatusError(404, 'the server could not find the requested resource', { reason: 'NotFound', details: {} });
}

export function alreadyExists(kind: Named, { metadata }: KubeObject): StatusError {
  const { name = '', deletionTimestamp } = metadata;
  const details = resourceDetails(kind, name);
  const leaving = deletionTimestamp === undefined ? '' : 'object is being deleted: ';
  const message = `${leaving}${resourceText(kind)} "${name}" already exists`;
  return new StatusError(409, message, { reason: 'AlreadyExists', details });
}

export function conflict(kind: Named, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${resourceText(kind)} "${name}": ${why}`;
  return new StatusError(409, message, { reason: 'Conflict', details: resourceDetails(kind, name) });
}

export const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

export function forbidden(kind: Named, name: string, why: string, causes?: readonly StatusCause[]): StatusError {
  const details = { ...resourceDetails(kind, name), ...(causes ? { causes } : {}) };
  return new StatusError(403, `${resourceText(kind)} "${name}" is forbidden: ${why}`, { reason: 'Forbidden', details });
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, message, { reason: 'BadRequest' });
}

/** What the server answers with where its own code did not think of an error class: no reason, no details. */
export function internal(message: string): StatusError {
  return new StatusError(500, message);
}

export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError(405, message, { reason: 'MethodNotAllowed', details: {} });
}

export function tooLarge(limit: number): StatusError {
  return new StatusError(413, `Request entity too large: limit is ${limit}`, { reason: 'RequestEntityTooLarge' });
}

export function unsupportedMediaType(message: string): StatusError {
  return new StatusError(415, message, { reason: 'UnsupportedMediaType' });
}

export function notAcceptable(accepted: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${accepted.join(', ')}`;
  return new StatusError(406, message, { reason: 'NotAcceptable' });
}

export function expired(message: string, continueToken?: string): StatusError {
  return new StatusError(410, message, { reason: 'Expired', ...(continueToken ? { continueToken } : {}) });
}

export function tooLargeResourceVersion(asked: string, current: number): StatusError {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return new StatusError(504, message, { reason: 'Timeout', details: { causes, retryAfterSeconds: 1 } });
}

/** One problem of a field, with the server's reason and text ("Invalid value: …: must be …"). */
export {
  type FieldProblem,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
  unsupportedValue,
} from '../../schema/index.ts';

/** 422 for an object (or for options: `kind` is then "CreateOptions" and `group` "meta.k8s.io"). */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  problems: readonly FieldProblem[],
): StatusError {
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const texts = [...new Set(problems.map((p) => `${p.field}: ${p.message}`))];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const causes = problems.map((p) => ({ reason: p.reason, message: p.message, field: p.field }));
  const details = {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    ...(kind.kind === '' ? {} : { kind: kind.kind }),
    causes,
  };
  return new StatusError(422, `${qualified} "${name}" is invalid: ${list}`, { reason: 'Invalid', details });
}

export function invalidObject(kind: ResourceKind, name: string, problems: readonly FieldProblem[]): StatusError {
  return invalid({ group: kind.group, kind: kind.kind }, name, problems);
}
