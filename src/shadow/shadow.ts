// Follows a loop that writes nothing and a cluster in which somebody else does the same work: takes the loop's plans for
// predictions, the changes of the caches for what became of them. A write that comes before our plan has is judged by what
// would have been planned in the state before it.

import type { Clock } from '../kit/clock.ts';
import { createLimiter } from '../kit/concurrency.ts';
import { definitionId } from '../model/definition.ts';
import type { KubeObject } from '../model/object.ts';
import type { Change, ParentPlan } from '../model/plan.ts';
import { changesOfParent, isWrite } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import { refKey, refOf } from '../model/ref.ts';
import type { ShadowMiss, ShadowReport } from '../model/shadow.ts';
import type { CacheChange } from '../ports/cache.ts';
import { type Controller, type ReconcilePorts, reconcileParent } from '../reconcile/index.ts';
import { Book } from './book.ts';
import { rewoundCache } from './rewound-cache.ts';
import { type SeenWrite, seenWrites } from './seen-writes.ts';
import { Tally, type TallyOptions } from './tally.ts';

export interface ShadowParts {
  readonly clock: Clock;
  readonly ports: ReconcilePorts;
  readonly signal: AbortSignal;
  /** Those that run, of the moment: their caches may be read. */
  readonly controllers: () => readonly Controller[];
  /** Each once, masked. */
  readonly onMiss: (miss: ShadowMiss) => void;
  /** A defect of ours. */
  readonly onCrash: (error: unknown) => void;
}

/** Rewound plannings at a time: each may call a hook. */
const AT_ONCE = 4;
/** One watch may be behind another: a write that nothing explains is judged again. */
const AGAIN_MS = [500, 2_500];
const MOST_REMEMBERED = 20_000;

export class Shadow {
  readonly #parts: ShadowParts;
  readonly #options: TallyOptions;
  readonly #book: Book;
  readonly #tally: Tally;
  readonly #limit = createLimiter(AT_ONCE);
  readonly #timers = new Set<() => void>();
  readonly #offs: readonly (() => void)[];
  /** A resource may be followed more than once, and shows each change as often. */
  #shown = new Set<string>();
  #last: ShadowReport | undefined;

  constructor(parts: ShadowParts, options: TallyOptions) {
    const { clock, onMiss } = parts;
    this.#parts = parts;
    this.#options = options;
    this.#tally = new Tally(options, clock.steady());
    const { windowMs, managers } = options;
    this.#book = new Book({
      ...{ windowMs, managers },
      onFinding: (finding) => {
        const miss = this.#tally.add(finding);
        if (miss) onMiss(miss);
      },
    });
    const { cache } = parts.ports;
    this.#offs = [
      cache.onChange((change) => this.#changed(change)),
      // What is not seen may have been written.
      cache.onError(() => this.#book.startWindowsAnew(clock.steady())),
    ];
    this.#sweep();
  }

  /** After each round of the loop: while a hook fails, nothing is predicted. */
  planned(plan: ParentPlan): void {
    this.#book.planned(plan, this.#parts.clock.steady());
  }

  /** Of the moment; after close(), of the end. */
  report(): ShadowReport {
    if (this.#last) return this.#last;
    const now = this.#parts.clock.steady();
    this.#book.settle(now, this.#isThere);
    return this.#tally.report(now, this.#book.open());
  }

  close(): void {
    this.#last = this.report();
    for (const off of this.#offs) off();
    for (const cancel of this.#timers) cancel();
  }

  #changed(change: CacheChange): void {
    for (const controller of this.#parts.controllers())
      for (const seen of seenWrites(change, controller, this.#options.managers))
        if (this.#isNew(seen)) this.#judge(seen);
  }

  #isNew({ controller, change: { before, after }, object, part }: SeenWrite): boolean {
    const state = after?.metadata.resourceVersion ?? `${before?.metadata.uid} gone`;
    const key = `${definitionId(controller.definition)} ${refKey(object)} ${part} ${state}`;
    if (this.#shown.has(key)) return false;
    if (this.#shown.size >= MOST_REMEMBERED) this.#shown = new Set();
    this.#shown.add(key);
    return true;
  }

  #judge(seen: SeenWrite): void {
    if (this.#book.matches(seen)) return;
    const isDelete = seen.verb === 'delete';
    if (!seen.attributed && !isDelete) return;
    if (!isDelete) this.#book.dispute(seen, this.#parts.clock.steady());
    this.#lookBack(seen);
    for (const ms of isDelete ? [] : AGAIN_MS) this.#later(ms, () => this.#lookBack(seen));
  }

  #lookBack(seen: SeenWrite): void {
    if (this.#isSettled(seen)) return;
    this.#limit(() => this.#judgeInThePast(seen)).catch((error: unknown) => {
      // What reads for a controller that has stopped finds its caches closed.
      if (!this.#isSettled(seen) && !this.#parts.signal.aborted) this.#parts.onCrash(error);
    });
  }

  #isSettled(seen: SeenWrite): boolean {
    if (this.#last !== undefined || !this.#parts.controllers().includes(seen.controller)) return true;
    return seen.verb !== 'delete' && !this.#book.isDisputed(seen);
  }

  async #judgeInThePast(seen: SeenWrite): Promise<void> {
    if (this.#isSettled(seen)) return;
    const { changes, note } = await this.#plannedBefore(seen);
    if (this.#isSettled(seen)) return;
    // Of a deletion nobody can tell whose it is: one that we would not have made may be anybody's. Later it can't be judged.
    if (this.#book.wouldHave(seen, changes) || seen.verb === 'delete') return;
    const key = refKey(seen.object);
    const expected = changes.find(
      ({ object, subresource }) => refKey(object) === key && (subresource === 'status') === (seen.part === 'status'),
    );
    this.#book.judged(seen, { ...(expected ? { expected } : {}), ...(note === undefined ? {} : { note }) });
  }

  /** What would have been written in the state before it. */
  async #plannedBefore(seen: SeenWrite): Promise<{ readonly changes: readonly Change[]; readonly note?: string }> {
    const { ports, signal } = this.#parts;
    const { controller, change } = seen;
    const parent = this.#parentBefore(seen);
    if (!parent) return { changes: [], note: 'its parent was not there when it was judged' };
    const rewound: ReconcilePorts = {
      ...ports,
      cache: rewoundCache(ports.cache, change),
      // What the parent looks at now is the loop's to say.
      related: { read: (need) => ports.related.read(need), used: () => undefined, concernedBy: () => [] },
    };
    const options = { foresee: false, signal };
    const { plan } = await reconcileParent(controller, { object: parent, live: true }, rewound, options);
    const [problem] = plan.diagnostics.filter(({ severity }) => severity === 'error');
    const changes = changesOfParent(plan).filter(isWrite);
    return problem ? { changes, note: problem.summary } : { changes };
  }

  #parentBefore({ controller, parent, change: { before }, object }: SeenWrite): KubeObject | undefined {
    if (object.uid !== undefined && object.uid === parent.uid) return before;
    return this.#parentNow(controller, parent);
  }

  #parentNow({ parentScope }: Controller, parent: Ref): KubeObject | undefined {
    const found = parentScope && this.#parts.ports.cache.get(parentScope, parent.name, parent.namespace);
    return found && (parent.uid === undefined || refOf(found).uid === parent.uid) ? found : undefined;
  }

  readonly #isThere = (id: string, parent: Ref): boolean =>
    this.#parts
      .controllers()
      .some((controller) => definitionId(controller.definition) === id && this.#parentNow(controller, parent));

  #sweep(): void {
    this.#later(Math.max(250, this.#options.windowMs / 20), () => {
      this.#book.settle(this.#parts.clock.steady(), this.#isThere);
      this.#sweep();
    });
  }

  #later(ms: number, work: () => void): void {
    if (this.#last !== undefined) return;
    const cancel = this.#parts.clock.schedule(ms, () => {
      this.#timers.delete(cancel);
      work();
    });
    this.#timers.add(cancel);
  }
}
