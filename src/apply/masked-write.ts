import { holdsMaskedUnknown } from '../kit/unknown.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type Change, isWrite } from '../model/plan.ts';
import { formatRef } from '../model/ref.ts';

/** Why a change can't be written: the hook made a part of it from placeholders. undefined: it was not. */
export function maskedWriteOf(change: Change): Diagnostic | undefined {
  if (!isWrite(change) || change.verb === 'delete' || !holdsMaskedUnknown(change.after)) return undefined;
  const what = `${formatRef(change.object)}${change.subresource ? ` (${change.subresource})` : ''}`;
  return {
    severity: 'error',
    code: 'unknown-dependency',
    summary: `${what} can not be written: it depends on Secret values that the hook was not shown`,
    hint: 'Apply without --mask-hook-secrets, where the hook may see them.',
    subject: change.object,
  };
}
