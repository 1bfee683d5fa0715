// The shards of this process, in its caches and its loop. A shard that is gained is first filled into the caches of each
// controller (listed anew: what its former holder wrote is in that), and only then are its parents looked at; controllers do
// not wait for each other. One that goes is left alone by the loop at once, and leaves the caches when its rounds have ended:
// none of them may see half of its children. One that is lost leaves them at once: nothing of it is written any more.

import { type ShardWorker, shardOf } from '../../daemon/index.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Loop } from '../../loop/index.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ShardedCache } from '../../ports/cache.ts';

/** A time during which a shard is ours; a new one when it comes back. */
type Tenure = object;

interface Serving {
  /** Shards that its caches hold all of, or will when they are open; each with the tenure for which that is so. */
  readonly shards: Map<number, Tenure>;
  /** Its caches are open; those that came meanwhile are filled when they are. */
  open: boolean;
}

interface Workplace {
  readonly cache: Pick<ShardedCache, 'refill' | 'shed'>;
  readonly loop: Pick<Loop, 'lookForParents' | 'shed'>;
  readonly clock: Clock;
  /** How long what is under way may take when a shard is handed over. */
  readonly drainMs: number;
  /** A defect of ours. */
  readonly onCrash: (error: unknown) => void;
}

export class ShardServing implements ShardWorker {
  readonly #shards: number;
  /** In the caches. */
  readonly #kept = new Map<number, Tenure>();
  /** Of #kept: being left. */
  readonly #going = new Set<Tenure>();
  /** By definition. */
  readonly #serving = new Map<string, Serving>();
  readonly #first = Promise.withResolvers<void>();
  #workplace: Workplace | undefined;

  constructor(shards: number) {
    this.#shards = shards;
  }

  /** Resolves when there is something to do. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  attach(workplace: Workplace): void {
    this.#workplace = workplace;
  }

  shardOf({ metadata }: KubeObject): number {
    return shardOf(metadata, this.#shards);
  }

  /** Do the caches hold it? */
  readonly keeps = (object: KubeObject): boolean => this.#kept.has(this.shardOf(object));

  /** Is the parent looked at? What was filled in an earlier tenure does not count, however it ended. */
  readonly serves = (parent: KubeObject, definition: string): boolean => {
    const shard = this.shardOf(parent);
    const tenure = this.#kept.get(shard);
    if (tenure === undefined || this.#going.has(tenure)) return false;
    return this.#serving.get(definition)?.shards.get(shard) === tenure;
  };

  /**
   * The caches of a definition are about to be opened: what is kept comes with them, but for what others still wait for, open
   * or not. A list that it shares with one of these may have begun without that.
   */
  opening(definition: string): void {
    const others = [...this.#serving].filter(([id]) => id !== definition).map(([, serving]) => serving);
    const whole = this.#staying().filter(([shard, tenure]) =>
      others.every(({ shards }) => shards.get(shard) === tenure),
    );
    this.#serving.set(definition, { shards: new Map(whole), open: false });
  }

  /** They are open. */
  opened(definition: string): void {
    const serving = this.#serving.get(definition);
    if (!serving) return;
    serving.open = true;
    const missing = this.#staying().filter(([shard, tenure]) => serving.shards.get(shard) !== tenure);
    if (missing.length > 0) this.#inBackground(this.#fill(definition, new Map(missing)));
  }

  /** Its parents are looked at no more, whatever comes. */
  closed(definition: string): void {
    this.#serving.delete(definition);
  }

  onGained(shards: readonly number[]): void {
    const gained = new Map(shards.map((shard) => [shard, {}]));
    for (const [shard, tenure] of gained) this.#kept.set(shard, tenure);
    for (const [definition, { open }] of this.#serving) if (open) this.#inBackground(this.#fill(definition, gained));
    this.#first.resolve();
  }

  /** Rounds of it that are under way end as they may: they write nothing any more, even if it comes back meanwhile. */
  onLost(shard: number): Promise<void> {
    this.#drop(shard);
    return this.#roundsEnded();
  }

  async onLeaving(shard: number): Promise<void> {
    const tenure = this.#kept.get(shard);
    if (tenure === undefined) return;
    this.#going.add(tenure);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = this.#workplace?.clock.schedule(this.#workplace.drainMs, resolve);
    await Promise.race([this.#roundsEnded(), late]);
    cancel?.();
    this.#going.delete(tenure);
    if (this.#kept.get(shard) === tenure) this.#drop(shard);
  }

  /** Asked right before each write of a round that begins now. */
  permitFor(parent: KubeObject): () => boolean {
    const shard = this.shardOf(parent);
    const tenure = this.#kept.get(shard);
    return () => tenure !== undefined && this.#kept.get(shard) === tenure;
  }

  /** Of #kept, without what is being left. */
  #staying(): readonly (readonly [number, Tenure])[] {
    return [...this.#kept].filter(([, tenure]) => !this.#going.has(tenure));
  }

  /** Of what is not looked at any more. */
  async #roundsEnded(): Promise<void> {
    await this.#workplace?.loop.shed();
  }

  #drop(shard: number): void {
    this.#kept.delete(shard);
    this.#workplace?.cache.shed();
  }

  async #fill(definition: string, gained: ReadonlyMap<number, Tenure>): Promise<void> {
    const serving = this.#serving.get(definition);
    if (!serving || !this.#workplace) return;
    const { cache, loop } = this.#workplace;
    await cache.refill(definition);
    for (const [shard, tenure] of gained) if (this.#kept.get(shard) === tenure) serving.shards.set(shard, tenure);
    // Unless it has been started anew meanwhile.
    if (this.#serving.get(definition) === serving) loop.lookForParents(definition);
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.#workplace?.onCrash(error));
  }
}
