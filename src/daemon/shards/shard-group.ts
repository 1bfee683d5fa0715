// The replicas that share the parents, as one of them sees it. Three kinds of Leases:
// - the group's, held by all replicas together in the name of their number of shards: whoever shares in another way, or not
//   at all, waits for it, so that no parent ever has two masters;
// - one for each replica that is alive, by which they know each other (it is deleted in good order, or stands still);
// - one for each shard, which is what lets a replica write.
// Each look at them (every `retryMs`) renews what is ours and follows assignShards(): take what is free and falls to us, give
// up what falls to others. Invariant: a shard may be written to while its own Lease and the group's are ours by monotonic
// time, and no longer (shard-group.test.ts).

import { sleep } from '../../kit/clock.ts';
import { isApiError } from '../../ports/errors.ts';
import type { LeaseRecord, Leases } from '../../ports/leases.ts';
import type { Logger } from '../../ports/log.ts';
import { CLIENT_GO_TIMING, type ElectionTiming, LeaseHold, type LeaseHoldOptions, versionIn } from '../lease-hold.ts';
import { inTime, isLeaseTrouble, textOf } from '../lease-requests.ts';
import { assignShards } from './assignment.ts';
import { Replicas } from './replicas.ts';
import { GROUP_LABEL, groupHolder, groupLabelOf, replicaLease, SHARDS_ANNOTATION, shardLease } from './shard-leases.ts';

export interface ShardGroupOptions extends Omit<LeaseHoldOptions, 'timing' | 'labels' | 'annotations'> {
  readonly leases: Leases;
  readonly log: Logger;
  readonly timing?: ElectionTiming;
  readonly shards: number;
}

/** Whoever does the work of the shards. */
export interface ShardWorker {
  /** These are ours now: their parents are to be looked at. */
  onGained(shards: readonly number[]): void;
  /** It is over, until it is gained again. Resolves when what was under way has ended. Never rejects. */
  onLost(shard: number): Promise<void>;
  /** Nothing of it is to be begun any more. Resolves when what was under way has ended: then it is given up. Never rejects. */
  onLeaving(shard: number): Promise<void>;
}

/** To join, at each look: of those who start in step one more is in with each attempt. */
const MOST_ATTEMPTS = 5;

export class ShardGroup {
  readonly #options: ShardGroupOptions;
  readonly #timing: ElectionTiming;
  readonly #group: LeaseHold;
  /** Every one of them, ours or not. */
  readonly #shards: readonly LeaseHold[];
  readonly #replicas: Replicas;
  /** Taken, until they are lost or released. */
  readonly #ours = new Set<number>();
  /** Of #ours: to be released when its work has ended. A token each, as it may be lost and taken again before that. */
  readonly #leaving = new Map<number, object>();
  /** No more of #ours, and not taken before that has ended: a release that comes late would free what was taken anew. */
  readonly #releasing = new Map<number, Promise<void>>();
  /** Shards that were lost with work under way. Requests that hang would hold up what is taken anew: first they end. */
  #unfinished = 0;
  /** Monotonic time until which the group's Lease is held in our name, whoever renewed it last. */
  #groupUntil = Number.NEGATIVE_INFINITY;
  /** The group's Lease as of the last look, and when that look began. */
  #groupSeen: { readonly version: string | undefined; readonly began: number } | undefined;
  /** The version of it that we wrote last. */
  #groupWritten: string | undefined;
  /** Once the group's Lease was written by us: whoever leaves last, and gives it up, has seen us. */
  #joined = false;
  #settled = false;
  #stopping = false;
  #waitsFor: string | undefined;

  constructor(options: ShardGroupOptions) {
    const { timing = CLIENT_GO_TIMING, name, shards, identity } = options;
    this.#options = options;
    this.#timing = timing;
    const labels = { [GROUP_LABEL]: groupLabelOf(name) };
    const of = { ...options, timing, labels, annotations: { [SHARDS_ANNOTATION]: String(shards) } };
    this.#group = new LeaseHold({ ...of, identity: groupHolder(shards) });
    this.#shards = Array.from(
      { length: shards },
      (_, shard) => new LeaseHold({ ...of, name: shardLease(name, shard) }),
    );
    this.#replicas = new Replicas({ ...of, name: replicaLease(name, identity), groupName: name });
  }

  /** Asked right before each write of a parent of the shard. */
  mayWrite(shard: number): boolean {
    const { monotonic } = this.#options;
    return this.#ours.has(shard) && this.#shards[shard]?.isOurs() === true && monotonic() < this.#groupUntil;
  }

  /** How many there are. */
  get shards(): number {
    return this.#options.shards;
  }

  /** Takes part until the signal is aborted; then what is ours is still ours, and leave() gives it up. */
  async run(worker: ShardWorker, signal: AbortSignal): Promise<void> {
    const { clock, log, namespace, name, shards } = this.#options;
    log.info('Waiting for shards', { lease: `${namespace}/${name}`, shards });
    while (!signal.aborted) {
      const began = clock.steady();
      try {
        // No request is broken off: what it has done could not be known when the leases are given up. Each has an end.
        await this.#look();
        this.#dropLost(worker);
        await this.#renew();
        if (this.#inGroup()) await this.#follow(worker);
      } catch (error) {
        if (!isLeaseTrouble(error)) throw error;
        log.warn('The leases could not be read or written', { error: textOf(error) });
        this.#dropLost(worker);
      }
      // What hung for long is tried again at once.
      const left = Math.max(0, began + this.#timing.retryMs - clock.steady());
      await sleep(clock, left, signal).catch(() => undefined);
    }
  }

  /** We are going: nothing more is taken, and the others reckon without us. What is ours stays so until leave(). */
  async stopTaking(): Promise<void> {
    this.#stopping = true;
    await this.#quietly('The others were not told that this replica goes', (signal) => this.#replicas.goodbye(signal));
  }

  /** After run() has ended, and all work with it: the next ones may begin at once. */
  async leave(): Promise<void> {
    await this.stopTaking();
    const given = [...this.#ours];
    this.#ours.clear();
    this.#leaving.clear();
    for (const shard of given) void this.#release(shard);
    // Also those that were being given up: who leaves as the last one sees no shard of its own.
    await Promise.all(this.#releasing.values());
    await this.#quietly('The lease of the group could not be given up', (signal) => this.#leaveGroup(signal));
  }

  async #look(): Promise<void> {
    const { leases, namespace, name, clock, monotonic } = this.#options;
    const began = monotonic();
    const limits = { clock, ms: this.#timing.renewDeadlineMs / 4 };
    // One after the other: #join() writes in the other order, so that #leaveGroup() can't overlook anybody.
    const { group, records } = await inTime(limits, async (either) => ({
      group: await leases.getLease(namespace, name, either),
      records: await leases.listLeases(namespace, `${GROUP_LABEL}=${groupLabelOf(name)}`, either),
    }));
    this.#lookAtGroup(group, began);
    const byName = new Map(records.map((record) => [record.name, record]));
    for (const [shard, hold] of this.#shards.entries()) hold.look(byName.get(shardLease(name, shard)));
    this.#replicas.look(records);
  }

  /** A renewal by another replica came after our last look at the latest: from that on it counts for us, too. */
  #lookAtGroup(found: LeaseRecord | undefined, began: number): void {
    this.#group.look(found);
    const before = this.#groupSeen;
    const version = found?.resourceVersion;
    this.#groupSeen = { version, began };
    if (found?.holder !== groupHolder(this.#options.shards)) this.#groupUntil = Number.NEGATIVE_INFINITY;
    else if (this.#joined && before && before.version !== version)
      this.#groupUntil = Math.max(this.#groupUntil, before.began + this.#timing.renewDeadlineMs);
  }

  #inGroup(): boolean {
    return this.#options.monotonic() < this.#groupUntil;
  }

  /** What is ours, each on its own: that one can't be renewed is no trouble of the others. */
  async #renew(): Promise<void> {
    const ours = [...this.#ours].map((shard) => this.#take(this.#shards[shard]));
    await Promise.all([...ours, this.#join()]);
  }

  /** First the replica's Lease, then the group's: whoever leaves as the last one looks in the other order. */
  async #join(): Promise<void> {
    const holder = this.#group.holder();
    if (holder !== undefined && holder !== groupHolder(this.#options.shards)) return this.#waitFor(holder);
    if (!this.#stopping && this.#unfinished === 0) await this.#limited((signal) => this.#replicas.alive(signal));
    const { monotonic } = this.#options;
    // One of the replicas renews it for all: whoever sees that it was not another one.
    const byAnother = this.#groupSeen?.version !== this.#groupWritten;
    const fresh = this.#joined && byAnother && this.#groupUntil - monotonic() > this.#timing.renewDeadlineMs / 2;
    const began = monotonic();
    if (fresh || !(await this.#limited((signal) => this.#takeGroup(signal)))) return;
    this.#joined = true;
    this.#waitsFor = undefined;
    this.#groupUntil = this.#group.until;
    this.#groupWritten = this.#group.record?.resourceVersion;
    this.#groupSeen = { version: this.#groupWritten, began };
  }

  /** Those who renew it at the same moments as we would be faster every time: who is new tries again at once. */
  async #takeGroup(signal: AbortSignal): Promise<boolean> {
    const { leases, namespace, name } = this.#options;
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#group.take(signal);
      } catch (error) {
        if (this.#joined || attempt === MOST_ATTEMPTS || !isApiError(error, 409)) throw error;
        this.#group.look(await leases.getLease(namespace, name, signal));
      }
  }

  #waitFor(holder: string): void {
    const { log, shards } = this.#options;
    this.#joined = false;
    if (this.#waitsFor === holder) return;
    this.#waitsFor = holder;
    const record = this.#group.record;
    const other = record?.annotations?.[SHARDS_ANNOTATION];
    const fields = { holder, shards, version: record && versionIn(record) };
    if (/^shards-\d+\.v\d+$/.test(holder))
      log.error('Other replicas share the parents in another way: this one waits until they are gone', {
        ...fields,
        theirs: other,
      });
    else log.info('Somebody else is the leader', fields);
  }

  /** One of ours that is over, or that somebody has taken: its work ends now, nothing of it is written any more. */
  #dropLost(worker: ShardWorker): void {
    const { log, monotonic } = this.#options;
    const groupLost = monotonic() >= this.#groupUntil;
    for (const shard of [...this.#ours]) {
      if (!groupLost && this.#shards[shard]?.isOurs()) continue;
      this.#ours.delete(shard);
      this.#leaving.delete(shard);
      log.warn('Lost a shard', { shard, ours: this.#ours.size });
      this.#unfinished++;
      void worker.onLost(shard).then(() => this.#unfinished--);
    }
  }

  async #follow(worker: ShardWorker): Promise<void> {
    if (this.#stopping || this.#unfinished > 0) return;
    // Those who start together have found each other by the second look, and don't take what they would give up at once.
    if (!this.#settled) {
      this.#settled = true;
      return;
    }
    const { shards, identity } = this.#options;
    const holders = new Map(this.#shards.flatMap((hold, shard) => [[shard, hold.holder() ?? ''] as const]));
    const assigned = assignShards({ shards, replicas: this.#replicas.living(), holders });
    for (const shard of this.#ours)
      if (assigned.get(shard) !== identity && !this.#leaving.has(shard)) this.#giveUp(shard, worker);
    const wanted = [...assigned].flatMap(([shard, replica]) => (replica === identity ? shard : []));
    const free = wanted.filter((shard) => !this.#ours.has(shard) && !this.#releasing.has(shard));
    const taken = await Promise.all(free.map((shard) => this.#take(this.#shards[shard])));
    const gained = free.filter((_, place) => taken[place]);
    if (gained.length === 0) return;
    for (const shard of gained) this.#ours.add(shard);
    this.#options.log.info('Took shards', { shards: gained.join(' '), ours: this.#ours.size });
    worker.onGained(gained);
  }

  #giveUp(shard: number, worker: ShardWorker): void {
    const token = {};
    this.#leaving.set(shard, token);
    void worker.onLeaving(shard).then(async () => {
      if (this.#leaving.get(shard) !== token) return;
      this.#leaving.delete(shard);
      this.#ours.delete(shard);
      this.#options.log.info('Gave a shard up', { shard, ours: this.#ours.size });
      await this.#release(shard);
    });
  }

  #release(shard: number): Promise<void> {
    const what = 'A shard could not be given up: the next one waits until its lease is over';
    const released = this.#quietly(what, async (signal) => this.#shards[shard]?.release(signal));
    const ended = released.finally(() => this.#releasing.delete(shard));
    this.#releasing.set(shard, ended);
    return ended;
  }

  /** Given up by the last one only: as long as there are others, it holds for them. */
  async #leaveGroup(signal: AbortSignal): Promise<void> {
    if (!this.#joined) return;
    await this.#look();
    if (this.#replicas.others().length > 0 || this.#shards.some((hold) => hold.holder() !== undefined)) return;
    if (await this.#group.release(signal)) this.#options.log.info('Gave the lease up');
  }

  async #take(hold: LeaseHold | undefined): Promise<boolean> {
    return (await this.#limited(async (signal) => hold?.take(signal))) ?? false;
  }

  /** undefined: the server did not do it. Somebody was faster: seen at the next look. */
  async #limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const { clock, log } = this.#options;
    try {
      return await inTime({ clock, ms: this.#timing.renewDeadlineMs / 4 }, work);
    } catch (error) {
      if (!isLeaseTrouble(error)) throw error;
      if (!isApiError(error, 409)) log.warn('A lease could not be written', { error: textOf(error) });
      return undefined;
    }
  }

  async #quietly(what: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const { clock } = this.#options;
    try {
      await inTime({ clock, ms: this.#timing.renewDeadlineMs / 2 }, work);
    } catch (error) {
      if (!isLeaseTrouble(error)) throw error;
      this.#options.log.warn(what, { error: textOf(error) });
    }
  }
}
