// The last words of an apply: what was written, whether it has settled, and what is still waited for.

import type { Change, Plan, WaitingOn } from '../../model/plan.ts';
import type { ChangeOutcome } from '../../model/progress.ts';
import { formatRef } from '../../model/ref.ts';
import { redactorOf } from '../redaction.ts';
import { type Line, paragraph, printLines, segment, type TextOptions } from './line.ts';

export interface ApplyResult {
  readonly status:
    | 'settled'
    | 'unsettled'
    | 'nothing'
    | 'declined'
    | 'unconfirmed'
    | 'guarded'
    | 'failed'
    | 'interrupted';
  readonly plan?: Plan;
  readonly applied: readonly { readonly change: Change; readonly outcome: ChangeOutcome }[];
  readonly waitingOn: readonly WaitingOn[];
}

/** "" when nothing is left to say: `unconfirmed` was explained when the question could not be asked. */
export function renderApplySummary(result: ApplyResult, options: TextOptions): string {
  if (result.status === 'unconfirmed') return '';
  const mask = result.plan ? redactorOf(result.plan).text : (text: string) => text;
  const { width } = options;
  const lines = [
    ...paragraph(mask(headline(result)), { indent: 2, lead: [], width, style: styleOf(result) }),
    ...list(undone(result), width),
    ...list(
      result.waitingOn.map(({ ref, reason }) => mask(`waiting for ${formatRef(ref)}: ${reason}`)),
      width,
    ),
    ...(result.status === 'interrupted' ? list(done(result), width) : []),
  ];
  return printLines(lines, options);
}

const styleOf = ({ status }: ApplyResult): 'green' | 'yellow' | 'red' =>
  status === 'settled' || status === 'nothing'
    ? 'green'
    : status === 'failed' || status === 'guarded'
      ? 'red'
      : 'yellow';

function headline(result: ApplyResult): string {
  const written = describeWrites(result);
  switch (result.status) {
    case 'settled':
      return `${written}. Everything has settled.`;
    case 'unsettled':
      return `${written}. Not settled in time.`;
    case 'nothing':
      return 'Nothing to do.';
    case 'declined':
      return 'Not confirmed: nothing was written.';
    case 'guarded':
      return `Stopped by a guard. ${written}.`;
    case 'failed':
      return `Failed. ${written}.`;
    case 'interrupted':
      return `Interrupted. ${written}.`;
    case 'unconfirmed':
      return '';
  }
}

const DONE: readonly (readonly [(change: Change) => boolean, string])[] = [
  [({ action }) => action === 'create', 'created'],
  [({ action }) => action === 'update', 'updated'],
  [({ action, verb }) => action === 'recreate' && verb === 'delete', 'deleted to be created again'],
  [({ action, verb }) => action === 'recreate' && verb !== 'delete', 'replaced'],
  [({ action }) => action === 'delete', 'deleted'],
  [({ action }) => action === 'adopt', 'adopted'],
  [({ action }) => action === 'release', 'released'],
  [({ action }) => action === 'status', 'status set'],
];

function describeWrites({ applied }: ApplyResult): string {
  const written = applied.filter(({ outcome }) => outcome.kind === 'done').map(({ change }) => change);
  const counts = DONE.map(([belongs, word]) => [written.filter(belongs).length, word] as const);
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return parts.length === 0 ? 'Nothing was written' : `Written: ${parts.join(', ')}`;
}

/** What an earlier failure or a signal kept from being tried; failures themselves are reported as diagnostics. */
function undone({ applied }: ApplyResult): string[] {
  return applied.flatMap(({ change, outcome }) =>
    outcome.kind === 'not-tried' ? [`not tried: ${change.action} ${formatRef(change.object)} (${outcome.why})`] : [],
  );
}

function done({ applied }: ApplyResult): string[] {
  return applied.flatMap(({ change, outcome }) =>
    outcome.kind === 'done' ? [`done: ${change.action} ${formatRef(change.object)}`] : [],
  );
}

const list = (items: readonly string[], width: number): Line[] =>
  items.flatMap((item) => paragraph(item, { indent: 4, lead: [segment('  ')], width }));
