// What can go wrong between a client and an API server, as data, and which requests it happens to.

import type { ApiRequest } from '../../ports/transport.ts';

export type Fault =
  /** Answered without the server: 409, 410, 429, 500 …; a Status of this code unless there is a text. */
  | { readonly kind: 'status'; readonly code: number; readonly retryAfter?: number; readonly text?: string }
  /** The connection breaks before the request reaches the server. */
  | { readonly kind: 'reset' }
  /** The server carries it out, and the connection breaks before the answer. */
  | { readonly kind: 'lost' }
  /** Never answered, and never carried out. */
  | { readonly kind: 'hang' }
  /** Carried out; half of the answer arrives and is called all of it. */
  | { readonly kind: 'half' }
  /** Carried out; the connection breaks in the middle of the answer. Of a watch: in the middle of its first line. */
  | { readonly kind: 'cut' }
  /** Of a watch: after its headers nothing arrives any more, though the connection stands. */
  | { readonly kind: 'silent' }
  /** Handed on after so many milliseconds of the clock. */
  | { readonly kind: 'delay'; readonly ms: number };

/** Asked for every request, in order of arrival; undefined: it goes through. */
export type FaultPlan = (request: ApiRequest) => Fault | undefined;

/** The fault for the first `times` requests that match. */
export function faultOn(
  matches: (request: ApiRequest) => boolean,
  fault: Fault,
  times = Number.POSITIVE_INFINITY,
): FaultPlan {
  let left = times;
  return (request) => (left > 0 && matches(request) && left-- > 0 ? fault : undefined);
}
