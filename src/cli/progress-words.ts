// Progress as short lines for people: shared by the plain lines and the terminal's tasks. Pure.

import { formatDuration } from '../kit/duration.ts';
import type { Change, WaitingOn } from '../model/plan.ts';
import type { ChangeOutcome } from '../model/progress.ts';
import { formatRef } from '../model/ref.ts';
import type { Action } from '../model/vocabulary.ts';

const DONE: Readonly<Record<Action, string>> = {
  create: 'created',
  update: 'updated',
  recreate: 'recreated',
  delete: 'deleted',
  adopt: 'adopted',
  release: 'released',
  status: 'set the status of',
  keep: 'kept',
  skip: 'skipped',
  blocked: 'left alone',
};

/** "created Pod default/web-0" */
export function describeOutcome(change: Change, outcome: ChangeOutcome): string {
  const object = formatRef(change.object);
  switch (outcome.kind) {
    case 'done':
      // A recreation is a delete now and a create in a later round: say which of the two this was.
      return `${change.action === 'recreate' && change.verb === 'delete' ? 'deleted (to be recreated)' : DONE[change.action]} ${object}`;
    case 'unneeded':
      return `already as wanted: ${object}`;
    case 'stale':
      return `${object} has changed since the plan (${outcome.why}): planning again`;
    case 'failed':
      return `could not ${change.verb ?? change.action} ${object}: ${outcome.diagnostic.summary}`;
    case 'not-tried':
      return `not tried: ${object} (${outcome.why})`;
  }
}

const NAMED = 3;

/** "waiting for 2: Pod default/web-0 (not Ready), … 40s" */
export function describeWaiting(on: readonly WaitingOn[], elapsedMs: number): string {
  const named = on.slice(0, NAMED).map(({ ref, reason }) => `${formatRef(ref)} (${reason})`);
  const more = on.length > NAMED ? ` and ${on.length - NAMED} more` : '';
  return `waiting for ${on.length}: ${named.join(', ')}${more}, ${formatDuration(elapsedMs)}`;
}
