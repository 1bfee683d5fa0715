// The two ways in which talking to an API server fails.

/** metav1.Status as the server sent it, as far as anyone looks. */
export interface ApiStatus {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
    readonly retryAfterSeconds?: number;
  };
}

/** The server answered, and the answer was no. The Status is kept whole. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ApiStatus;
  /** "PUT /api/v1/namespaces/default/pods/a" */
  readonly request: string;
  constructor(status: ApiStatus, request: string) {
    super(status.message);
    this.status = status;
    this.request = request;
  }
}

/** No usable answer came: refused, reset, timed out, TLS, half a document. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly request: string;
  constructor(message: string, request: string, options?: ErrorOptions) {
    super(message, options);
    this.request = request;
  }
}

export function isApiError(error: unknown, code: number): error is ApiError {
  return error instanceof ApiError && error.status.code === code;
}

/** A write that named another UID than the object has: it was deleted, and another one has its name. */
export function isReplaced(error: unknown): boolean {
  return isApiError(error, 422) && (error.status.details?.causes ?? []).some(({ field }) => field === 'metadata.uid');
}
