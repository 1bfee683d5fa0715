// How the runners of this room say that a call failed: they throw a HookFailure, and caller.ts
// turns it into an answer with a diagnostic. Nothing else of this room's insides reaches other rooms.

import type { Diagnostic, DiagnosticCode, SourceRange } from '../model/diagnostic.ts';
import type { HookCall } from '../model/need.ts';
import { formatRef } from '../model/ref.ts';

export interface FailureFacts {
  readonly code: DiagnosticCode;
  /** What happened, in one line: it follows "sync hook failed for CatSet default/web: ". */
  readonly what: string;
  /** Why, and what the hook itself said; may have several lines. */
  readonly why?: string | undefined;
  /** What to do about it. */
  readonly hint?: string | undefined;
  /** The place in the answer. */
  readonly path?: string | undefined;
  /** The place in the user's own file. */
  readonly source?: SourceRange | undefined;
  /** HTTP 429 or 503: when to ask again, by the hook's Retry-After or by our own backoff. */
  readonly retryAfterSeconds?: number | undefined;
  /** Of a webhook that answered: its HTTP status. */
  readonly statusCode?: number | undefined;
}

export class HookFailure extends Error {
  override readonly name = 'HookFailure';
  readonly facts: FailureFacts;
  constructor(facts: FailureFacts, options?: ErrorOptions) {
    super(facts.what, options);
    this.facts = facts;
  }
}

/** The failure as everybody else sees it: names controller, hook and parent. */
export function failureDiagnostic(call: HookCall, facts: FailureFacts): Diagnostic {
  const { why, hint, path, source } = facts;
  return {
    severity: 'error',
    code: facts.code,
    summary: `${call.controller}: ${call.hookName} hook failed for ${formatRef(call.parent)}: ${oneLine(facts.what)}`,
    subject: call.parent,
    ...(why ? { detail: why } : {}),
    ...(hint ? { hint } : {}),
    ...(path ? { path } : {}),
    ...(source ? { source } : {}),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}
