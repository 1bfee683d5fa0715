// Notices writes that do not stay, so that a loop that can't end slows down and says why: the server puts a field back
// (its defaults, a value it writes in another way, a field it drops), somebody else does, or the hook alternates. All of
// it from the changes themselves, in memory, by object. Two rules:
// - repeated: a field is taken from the same value to the same value again. The second repetition is held back.
// - restless: fields that were written before are written again and again although nothing but our own writes has moved.
//   A time in a status, for instance. The sixth time is held back.
// What is held back goes out after a delay that doubles, so that a world that changes its mind is still followed. A user
// who changes his mind is followed at once: when what is desired changes, the histories begin anew.

import { type BackoffOptions, backoffDelay } from '../kit/backoff.ts';
import { sha256 } from '../kit/hash.ts';
import { canonicalJson } from '../kit/json.ts';
import { formatPath } from '../kit/path.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Change, FieldChange } from '../model/plan.ts';
import { refKey } from '../model/ref.ts';
import { notStable, type Restlessness } from './not-stable.ts';

/** What is known of the round in which a change was planned. */
export interface RoundFacts {
  /** Something moved since the round before, and not by our own updates alone. */
  readonly news: boolean;
  /** Clock time in milliseconds. */
  readonly now: number;
  /** Clock time at which somebody else last changed what is desired. */
  readonly desiredAt: number;
}

export interface Verdict {
  /** Not to be sent for so long; 0: it may go, and will be held back the longer next time. */
  readonly waitMs: number;
  readonly diagnostic: Diagnostic;
}

interface History {
  /** "path from → to" of every write, a digest where that is long. */
  readonly transitions: Set<string>;
  readonly paths: Set<string>;
  /** Writes that repeated a transition. */
  repeats: number;
  /** Writes in a row of known fields, without news. */
  restless: number;
  /** Writes that went out although they were found unstable. */
  lettings: number;
  /** Clock time before which nothing of it is sent; set by the first hold. */
  notBefore: number | undefined;
  lastWrite: number;
}

const REPEATS_ALLOWED = 1;
const RESTLESS_ALLOWED = 5;
/** Of what is held back. */
export const HOLD: BackoffOptions = { base: 1_000, cap: 60_000 };
/** What has been quiet for longer than the longest delay begins anew. */
const FORGOTTEN_AFTER_MS = 2 * HOLD.cap;

/** Of one object. Whose values are always new is no case of "the same again", and is not kept for months. */
const MOST_TRANSITIONS = 1_000;

/** Does what was last done at that time count no more? */
export const beginsAnew = (lastAt: number, { now, desiredAt }: Pick<RoundFacts, 'now' | 'desiredAt'>): boolean =>
  lastAt < Math.max(desiredAt, now - FORGOTTEN_AFTER_MS);

export class Stability {
  /** In the order of their last writes. */
  readonly #histories = new Map<string, History>();

  /** undefined: nothing is wrong with it. */
  judge(change: Change, round: RoundFacts): Verdict | undefined {
    // Of revisions: they follow the parent's spec, which nobody but its user changes, forth and back as often as he likes.
    if (change.wave === 'revision') return undefined;
    const history = this.#known(change, round);
    if (history === undefined) return undefined;
    const finding = findingOf(lookAt(change, history, round), history);
    if (finding === undefined) return undefined;
    history.notBefore ??= round.now + backoffDelay(HOLD, history.lettings);
    return {
      waitMs: Math.max(0, history.notBefore - round.now),
      diagnostic: notStable(change, finding),
    };
  }

  /** The change was carried out. */
  record(change: Change, round: RoundFacts): void {
    const history = this.#known(change, round) ?? newHistory(round.now);
    const look = lookAt(change, history, round);
    const unstable = findingOf(look, history) !== undefined;
    if (look.again.length > 0) history.repeats++;
    history.restless = look.isRestless ? history.restless + 1 : 0;
    for (const { transition, path } of look.moves) {
      history.transitions.add(transition);
      history.paths.add(path);
    }
    history.lastWrite = round.now;
    this.#histories.delete(keyOf(change));
    if (history.transitions.size <= MOST_TRANSITIONS) this.#histories.set(keyOf(change), history);
    this.#dropThoseOver(round.now);
    if (unstable) history.lettings++;
    history.notBefore = undefined;
  }

  #known(change: Change, { now, desiredAt }: RoundFacts): History | undefined {
    const key = keyOf(change);
    const history = this.#histories.get(key);
    if (history === undefined) return undefined;
    if (!beginsAnew(history.lastWrite, { now, desiredAt })) return history;
    this.#histories.delete(key);
    return undefined;
  }

  #dropThoseOver(now: number): void {
    for (const [key, { lastWrite }] of this.#histories) {
      if (now - lastWrite <= FORGOTTEN_AFTER_MS) return;
      this.#histories.delete(key);
    }
  }
}

const newHistory = (now: number): History => ({
  transitions: new Set(),
  paths: new Set(),
  repeats: 0,
  restless: 0,
  lettings: 0,
  notBefore: undefined,
  lastWrite: now,
});

/** A field of a change as it is remembered. */
interface Move {
  readonly field: FieldChange;
  readonly path: string;
  readonly transition: string;
}

/** One change beside the history of its object. */
interface Look {
  readonly moves: readonly Move[];
  /** The fields that it takes from and to the same values as an earlier one. */
  readonly again: readonly FieldChange[];
  readonly isRestless: boolean;
}

function lookAt(change: Change, history: History, { news }: RoundFacts): Look {
  const moves = fieldsOf(change).map(moveOf);
  // A status follows what it reports: pods may become unready and ready again as often as they like.
  // An object that somebody else deletes is created again as often as it takes.
  const repeatsFreely =
    (change.subresource === 'status' && news) ||
    (change.action === 'create' && !history.transitions.has(transitionOf(GOING)));
  const again = repeatsFreely ? [] : moves.filter(({ transition }) => history.transitions.has(transition));
  const isRestless =
    !news &&
    (change.action === 'update' || change.action === 'status') &&
    moves.every(({ path }) => history.paths.has(path));
  return { moves, again: again.map(({ field }) => field), isRestless };
}

function findingOf({ moves, again, isRestless }: Look, history: History): Restlessness | undefined {
  if (again.length > 0 && history.repeats >= REPEATS_ALLOWED) {
    const back = again.some((field) => history.transitions.has(transitionOf(reversed(field))));
    return { kind: back ? 'alternates' : 'put-back', fields: again };
  }
  if (isRestless && history.restless >= RESTLESS_ALLOWED - 1)
    return { kind: 'restless', fields: moves.map(({ field }) => field) };
  return undefined;
}

const COMING: FieldChange = { path: [], op: 'add' };
const GOING: FieldChange = { path: [], op: 'remove' };

/** That an object comes or goes is one change of the whole. */
function fieldsOf(change: Change): readonly FieldChange[] {
  if (change.action === 'create') return [COMING];
  if (change.action === 'delete') return [GOING];
  return change.action === 'recreate' ? [...change.fields, GOING] : change.fields;
}

function reversed({ path, op, before, after }: FieldChange): FieldChange {
  if (path.length === 0) return op === 'add' ? GOING : COMING;
  const was = after === undefined ? {} : { before: after };
  return { path, op: 'change', ...was, ...(before === undefined ? {} : { after: before }) };
}

const LONGEST_KEPT = 64;

function moveOf(field: FieldChange): Move {
  return { field, path: formatPath(field.path), transition: transitionOf(field) };
}

function transitionOf({ path, op, before, after }: FieldChange): string {
  if (path.length === 0) return op;
  const [from, to] = [before, after].map((value) => (value === undefined ? '-' : canonicalJson(value)));
  const text = `${formatPath(path)} ${from} → ${to}`;
  return text.length <= LONGEST_KEPT ? text : sha256(text);
}

const keyOf = ({ object, subresource }: Change): string => `${refKey(object)} ${subresource ?? ''}`;
