// What the hooks say about each input, put together: one list of what shall be there. Where two inputs want the same object,
// neither gets it, or each would undo what the other did.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { HookCall } from '../../model/need.ts';
import { formatRef, keyOf, refOf } from '../../model/ref.ts';
import type { ChildGroup } from '../../model/view.ts';
import type { SyncAnswer } from '../answer/answer.ts';
import type { Dropping, WantedChild } from '../children/plan-children.ts';
import { type Counsel, type Retry, summaryOf } from '../consult/counsel.ts';
import type { OutputSet } from './payload.ts';

/** What is known of one input, or of the outputs of one that is gone. */
export interface Share {
  readonly set: OutputSet;
  /** Absent: there is no hook to ask. */
  readonly call?: HookCall;
  /** Absent: it said nothing that is of use. */
  readonly answer?: SyncAnswer;
  /** What shall be there. Absent: nobody knows, and the outputs stay as they are. */
  readonly wanted?: readonly WantedChild[];
  readonly diagnostics: readonly Diagnostic[];
  readonly retry?: Retry;
}

export interface Asked {
  readonly controller: string;
  /** All that there are. */
  readonly outputs: readonly ChildGroup[];
  /** Of what was asked before. */
  readonly diagnostics: readonly Diagnostic[];
}

export function combined(shares: readonly Share[], { controller, outputs, diagnostics }: Asked): Counsel {
  const { desired, collisions } = settledWishes(shares, { controller, outputs });
  const answers = shares.flatMap(({ answer }) => answer ?? []);
  const waits = answers.map(({ resyncAfterSeconds }) => resyncAfterSeconds).filter((seconds) => seconds > 0);
  const retry = retryOf(shares);
  return {
    kind: 'answer',
    answer: {
      children: answers.flatMap(({ children }) => children),
      labels: {},
      annotations: {},
      resyncAfterSeconds: soonest(waits) ?? 0,
      finalized: answers.length > 0 && answers.every(({ finalized }) => finalized),
    },
    desired,
    calls: shares.flatMap(({ call, answer }) => (call && answer ? summaryOf({ call, answer }) : [])),
    dropping: droppingOf(shares),
    revisions: [],
    waitingOn: [],
    diagnostics: [...diagnostics, ...shares.flatMap((share) => share.diagnostics), ...collisions],
    ...(retry ? { retry } : {}),
  };
}

interface Wishes {
  readonly desired: readonly WantedChild[];
  readonly collisions: readonly Diagnostic[];
}

function settledWishes(
  shares: readonly Share[],
  { controller, outputs }: Pick<Asked, 'controller' | 'outputs'>,
): Wishes {
  const desired = new Map<string, WantedChild>();
  const asItIs = new Map(
    outputs.flatMap(({ type, objects }) =>
      objects.map((object) => [keyOf(object), { type, object, held: true as const }] as const),
    ),
  );
  for (const { set, wanted } of shares) if (!wanted) for (const key of keysOf(set)) keep(key, asItIs, desired);
  const collisions: Diagnostic[] = [];
  for (const [key, wishes] of wishesOf(shares)) {
    if (desired.has(key)) continue;
    const [first, second] = wishes;
    if (first && !second) desired.set(key, first.child);
    if (!first || !second) continue;
    keep(key, asItIs, desired);
    collisions.push(collision(controller, wishes));
  }
  // What a live input wants is no question for a tombstone.
  for (const { wanted = [] } of shares)
    for (const child of wanted) if (child.held) keep(keyOf(child.object), asItIs, desired);
  return { desired: [...desired.values()], collisions };
}

function keep(key: string, asItIs: ReadonlyMap<string, WantedChild>, desired: Map<string, WantedChild>): void {
  const there = asItIs.get(key);
  if (there && !desired.has(key)) desired.set(key, there);
}

const keysOf = ({ outputs }: OutputSet): string[] =>
  outputs.flatMap(({ objects }) => objects.map((object) => keyOf(object)));

interface Wish {
  readonly child: WantedChild;
  readonly share: Share;
}

/** By object, in the order of the inputs. */
function wishesOf(shares: readonly Share[]): ReadonlyMap<string, readonly Wish[]> {
  const wishes = new Map<string, Wish[]>();
  for (const share of shares) {
    for (const child of share.wanted ?? []) {
      if (child.held) continue;
      const key = keyOf(child.object);
      const known = wishes.get(key);
      if (known) known.push({ child, share });
      else wishes.set(key, [{ child, share }]);
    }
  }
  return wishes;
}

const MOST_NAMED = 5;

function collision(controller: string, wishes: readonly Wish[]): Diagnostic {
  const object = wishes[0] && refOf(wishes[0].child.object);
  const inputs = wishes.flatMap(({ share: { set } }) => (set.input ? formatRef(refOf(set.input)) : []));
  const named = inputs.slice(0, MOST_NAMED).join(', ');
  const more = inputs.length > MOST_NAMED ? ` and ${inputs.length - MOST_NAMED} more` : '';
  return {
    severity: 'error',
    code: 'answer-duplicate',
    summary: `${controller}: ${object ? formatRef(object) : 'an output'} is returned for ${inputs.length} inputs: ${named}${more}`,
    detail: 'It is written for none of them, and stays as it is; the other outputs are not held up by it.',
    hint: "Let its name depend on the input: on the input's name, and on its kind where there are several input resources.",
    ...(object ? { subject: object } : {}),
  };
}

/** Who says that an output goes. */
function droppingOf(shares: readonly Share[]): Dropping {
  const byOutput = new Map(
    shares.flatMap(({ set, call }) => {
      const why = {
        ...(call ? { hookCall: call.id } : {}),
        ...(set.input || set.mapKey === '' ? {} : { note: call ? KEPT_NOT : NOBODY }),
      };
      return keysOf(set).map((key) => [key, why] as const);
    }),
  );
  return (object) => byOutput.get(keyOf(object)) ?? {};
}

const KEPT_NOT = 'its input is gone, and the tombstone hook does not keep it';
const NOBODY = 'its input is gone';

function retryOf(shares: readonly Share[]): Retry | undefined {
  const retries = shares.flatMap(({ retry }) => retry ?? []);
  const [first] = retries;
  if (!first) return undefined;
  const busy = retries.flatMap(({ afterSeconds }) => afterSeconds ?? []);
  return { hookKind: first.hookKind, afterSeconds: soonest(busy) };
}

/** A list may be too long to be arguments. */
const soonest = (seconds: readonly number[]): number | undefined =>
  seconds.reduce<number | undefined>((least, one) => (least === undefined || one < least ? one : least), undefined);
