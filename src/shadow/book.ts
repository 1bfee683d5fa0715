// The book of a shadow: what was predicted of each object, what was seen of it, and what became of both. Pure but for what
// it remembers; times come in. Invariants (book.test.ts): each write that was seen is counted once; a prediction that a
// later plan no longer holds counts for nothing; nothing is called a miss before its window is over.

import { jsonEqual } from '../kit/json.ts';
import { definitionId } from '../model/definition.ts';
import type { Change, ParentPlan } from '../model/plan.ts';
import { changesOfParent, isWrite } from '../model/plan.ts';
import { type Ref, refKey } from '../model/ref.ts';
import type { ShadowMissKind } from '../model/shadow.ts';
import { type Misfits, misfitsOf } from './misfits.ts';
import type { SeenWrite } from './seen-writes.ts';

export interface Prediction {
  readonly change: Change;
  /** Time, by the steady clock, of the first plan of those that hold it without a pause. */
  readonly since: number;
}

/** What was found out about one write. */
export type Finding = { readonly kind: 'hit' | 'passing'; readonly controller: string } | Missed;

export interface Missed {
  readonly kind: 'miss';
  readonly how: ShadowMissKind;
  readonly controller: string;
  readonly parent: Ref;
  readonly at: number;
  readonly predicted?: Change;
  readonly seen?: SeenWrite;
  readonly note?: string;
}

/** A write that was seen and is like nothing that was predicted, so far. */
interface Dispute {
  readonly seen: SeenWrite;
  readonly at: number;
  /** By the plan of the state before it: until then nothing is said of it. */
  judged: boolean;
  /** What would have been written in that state. */
  expected?: Change | undefined;
  note?: string | undefined;
}

/** Of one object, or of its status. */
interface Page {
  readonly controller: string;
  readonly parent: Ref;
  /** In the parent's last plan, by id; `told`: has been called a miss. */
  readonly standing: Map<string, Prediction & { readonly told: boolean }>;
  /** Earlier predictions too, the newest last: whoever writes may be behind us. */
  past: readonly { readonly change: Change; readonly at: number }[];
  disputes: readonly Dispute[];
}

const MOST_PAST = 20;

export interface BookOptions {
  readonly windowMs: number;
  /** Whose writes are compared. */
  readonly managers: readonly string[];
  readonly onFinding: (finding: Finding) => void;
}

export class Book {
  readonly #options: BookOptions;
  readonly #pages = new Map<string, Page>();
  /** Parent → keys of its pages. */
  readonly #byParent = new Map<string, Set<string>>();

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /** A plan of this parent was made; what an earlier one held and this does not is wanted no longer. */
  planned(plan: ParentPlan, now: number): void {
    const { controller, parent } = plan;
    const changes = changesOfParent(plan).filter(isWrite);
    const ids = new Set(changes.map(({ id }) => id));
    for (const page of this.#pagesOf(controller, parent))
      for (const id of page.standing.keys()) if (!ids.has(id)) page.standing.delete(id);
    for (const change of changes) this.#predict(this.#page({ controller, parent }, change), change, now);
  }

  /** True: it is as predicted, and counted. */
  matches(seen: SeenWrite): boolean {
    const page = this.#pageOf(seen);
    const match = page?.past.findLastIndex(({ change }) => this.#isAlike(change, seen)) ?? -1;
    if (!page || match < 0) return false;
    const matched = page.past[match];
    page.past = page.past.slice(match + 1);
    if (matched) this.#hit(page, matched.change, seen);
    return true;
  }

  /** `expected`: what would have been written in the state before it. True: that is what was. */
  wouldHave(seen: SeenWrite, expected: readonly Change[]): boolean {
    const key = pageKey(idOf(seen), seen.object, seen.part);
    const same = expected.filter((change) => pageKey(idOf(seen), change.object, partOf(change)) === key);
    const match = same.find((change) => this.#isAlike(change, seen));
    if (match) this.#hit(this.#page({ controller: idOf(seen), parent: seen.parent }, match), match, seen);
    return match !== undefined;
  }

  /** It is a miss when its window is over, unless something comes that explains it. */
  dispute(seen: SeenWrite, now: number): void {
    const page = this.#page({ controller: idOf(seen), parent: seen.parent }, seen);
    page.disputes = [...page.disputes, { seen, at: now, judged: false }];
  }

  /** What would have been written instead of it, in the state before. */
  judged(seen: SeenWrite, { expected, note }: { readonly expected?: Change; readonly note?: string }): void {
    const dispute = this.#pageOf(seen)?.disputes.find((one) => one.seen === seen);
    if (dispute) Object.assign(dispute, { judged: true, expected, note });
  }

  /** Does it still stand as one that is like nothing that was predicted? */
  isDisputed(seen: SeenWrite): boolean {
    return this.#pageOf(seen)?.disputes.some((dispute) => dispute.seen === seen) ?? false;
  }

  /** Verdicts on what has been open for as long as the window; `false` of `isThere`: the parent is one no more. */
  settle(now: number, isThere: (controller: string, parent: Ref) => boolean): void {
    const over = (since: number): boolean => now - since >= this.#options.windowMs;
    for (const [key, page] of this.#pages) {
      const there = isThere(page.controller, page.parent);
      if (!there) page.standing.clear();
      const late = page.disputes.filter(({ at, judged }) => over(at) && (judged || !there));
      page.disputes = page.disputes.filter((dispute) => !late.includes(dispute));
      for (const dispute of late) this.#missed(page, dispute);
      // What was written in the place of a prediction is told instead of it.
      if (late.length > 0) markTold(page);
      else if (page.disputes.length === 0) this.#standing(page, over);
      page.past = page.past.filter(({ at }) => !over(at));
      if (page.standing.size + page.disputes.length + page.past.length === 0) this.#forget(key, page);
    }
  }

  #standing(page: Page, over: (since: number) => boolean): void {
    const { controller, parent } = page;
    for (const [id, prediction] of page.standing) {
      if (prediction.told || !over(prediction.since)) continue;
      page.standing.set(id, { ...prediction, told: true });
      const { change: predicted, since: at } = prediction;
      this.#find({ kind: 'miss', how: 'never-seen', controller, parent, at, predicted });
    }
  }

  /** A watch has failed: what is open gets its whole time again. */
  startWindowsAnew(now: number): void {
    for (const page of this.#pages.values()) {
      page.disputes = page.disputes.map((dispute) => ({ ...dispute, at: now }));
      for (const [id, prediction] of page.standing) page.standing.set(id, { ...prediction, since: now });
    }
  }

  /** Not decided yet, by controller. */
  open(): ReadonlyMap<string, number> {
    const open = new Map<string, number>();
    for (const { controller, standing, disputes } of this.#pages.values()) {
      const waiting = [...standing.values()].filter(({ told }) => !told).length;
      const count = disputes.length > 0 ? Math.max(waiting, disputes.length) : waiting;
      open.set(controller, (open.get(controller) ?? 0) + count);
    }
    return open;
  }

  #predict(page: Page, change: Change, now: number): void {
    const before = page.standing.get(change.id);
    page.standing.set(change.id, { change, since: before?.since ?? now, told: before?.told ?? false });
    const last = page.past.at(-1);
    const isSame = last !== undefined && last.change.verb === change.verb && jsonEqual(last.change.after, change.after);
    const past = isSame ? page.past.slice(0, -1) : page.past;
    page.past = [...past, { change, at: now }].slice(-MOST_PAST);
    const explained = page.disputes.find(({ seen }) => this.#isAlike(change, seen));
    if (explained) this.#hit(page, change, explained.seen);
  }

  /** What was disputed of the same object before this was on the way to it. */
  #hit(page: Page, change: Change, seen: SeenWrite): void {
    const { controller } = page;
    this.#find({ kind: 'hit', controller });
    const disputed = page.disputes.findIndex((dispute) => dispute.seen === seen);
    const passed = disputed < 0 ? page.disputes.length : disputed;
    for (let count = 0; count < passed; count++) this.#find({ kind: 'passing', controller });
    page.disputes = disputed < 0 ? [] : page.disputes.slice(disputed + 1);
    page.standing.delete(change.id);
  }

  #missed({ controller, parent }: Page, { seen, at, expected: predicted, note }: Dispute): void {
    const how = predicted ? 'different' : 'not-predicted';
    const said = { ...(predicted ? { predicted } : {}), ...(note === undefined ? {} : { note }) };
    this.#find({ kind: 'miss', how, controller, parent, at, seen, ...said });
  }

  #find(finding: Finding): void {
    this.#options.onFinding(finding);
  }

  #isAlike(change: Change, seen: SeenWrite): boolean {
    const misfits: Misfits = misfitsOf(change, seen, this.#options.managers);
    return misfits?.length === 0;
  }

  #pageOf(seen: SeenWrite): Page | undefined {
    return this.#pages.get(pageKey(idOf(seen), seen.object, seen.part));
  }

  #page(of: { readonly controller: string; readonly parent: Ref }, subject: SeenWrite | Change): Page {
    const key = pageKey(of.controller, subject.object, partOf(subject));
    const known = this.#pages.get(key);
    if (known) return known;
    const page: Page = { ...of, standing: new Map(), past: [], disputes: [] };
    this.#pages.set(key, page);
    const parent = `${of.controller} ${refKey(of.parent)}`;
    this.#byParent.set(parent, (this.#byParent.get(parent) ?? new Set()).add(key));
    return page;
  }

  #pagesOf(controller: string, parent: Ref): Page[] {
    const keys = this.#byParent.get(`${controller} ${refKey(parent)}`) ?? [];
    return [...keys].flatMap((key) => this.#pages.get(key) ?? []);
  }

  #forget(key: string, { controller, parent }: Page): void {
    this.#pages.delete(key);
    const place = `${controller} ${refKey(parent)}`;
    const keys = this.#byParent.get(place);
    keys?.delete(key);
    if (keys?.size === 0) this.#byParent.delete(place);
  }
}

/** Whatever the last plan holds of it follows from the miss that was told. */
function markTold({ standing }: Page): void {
  for (const [id, prediction] of standing) standing.set(id, { ...prediction, told: true });
}

const idOf = ({ controller: { definition } }: SeenWrite): string => definitionId(definition);
const partOf = (of: SeenWrite | Change): 'object' | 'status' =>
  'part' in of ? of.part : of.subresource === 'status' ? 'status' : 'object';
const pageKey = (controller: string, object: Ref, part: 'object' | 'status'): string =>
  `${controller} ${part} ${refKey(object)}`;
