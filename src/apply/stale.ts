import type { ChangeOutcome } from '../model/progress.ts';

/** Not sent, or refused, because the world moved: plan again. */
export const stale = (why: string): ChangeOutcome => ({ kind: 'stale', why });

export const UNKNOWNS = 'it holds values that were unknown';
