// Who is alive in the group: each replica has a Lease of its own and renews it. One that stands still for its duration is of a
// dead one; long after that, whoever sees it takes it away.

import { isApiError } from '../../ports/errors.ts';
import type { LeaseRecord } from '../../ports/leases.ts';
import { LeaseHold, type LeaseHoldOptions } from '../lease-hold.ts';
import { SHARDS_ANNOTATION } from './shard-leases.ts';

export interface ReplicasOptions extends LeaseHoldOptions {
  readonly groupName: string;
}

/** After so many times its duration without a renewal the Lease of a dead replica is deleted. */
const FORGOTTEN_AFTER = 4;

export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #own: LeaseHold;
  /** Those of the others, by the Lease's name; `since`: when it was seen to be renewed, or was to be deleted, the last time. */
  readonly #others = new Map<string, { readonly hold: LeaseHold; since: number; version: string | undefined }>();

  constructor(options: ReplicasOptions) {
    this.#options = options;
    this.#own = new LeaseHold(options);
  }

  look(records: readonly LeaseRecord[]): void {
    const { name, groupName, annotations, monotonic } = this.#options;
    this.#own.look(records.find((record) => record.name === name));
    const others = records.filter(
      (record) =>
        record.name.startsWith(`${groupName}-replica-`) &&
        record.name !== name &&
        // Those who share in another way are not of this group, and wait.
        record.annotations?.[SHARDS_ANNOTATION] === annotations?.[SHARDS_ANNOTATION],
    );
    const names = new Set(others.map((record) => record.name));
    for (const known of this.#others.keys()) if (!names.has(known)) this.#others.delete(known);
    for (const record of others) {
      const hold = new LeaseHold({ ...this.#options, name: record.name });
      const known = this.#others.get(record.name) ?? { hold, since: monotonic(), version: undefined };
      if (known.version !== record.resourceVersion) known.since = monotonic();
      known.version = record.resourceVersion;
      known.hold.look(record);
      this.#others.set(record.name, known);
    }
  }

  /** Writes our own Lease, where it is not fresh. Deletes those of replicas that are long gone. */
  async alive(signal: AbortSignal): Promise<void> {
    const { timing, monotonic } = this.#options;
    const fresh = this.#own.until - monotonic() > timing.renewDeadlineMs / 2;
    if (!fresh) await this.#own.take(signal);
    for (const known of this.#others.values()) {
      const { record } = known.hold;
      if (!record || monotonic() - known.since < FORGOTTEN_AFTER * timing.leaseMs) continue;
      // One that can't be deleted stays known as dead, and is not tried at each look.
      known.since = monotonic();
      await this.#delete(record, signal);
    }
  }

  /** Identities of those who are alive; we are. */
  living(): readonly string[] {
    return [this.#options.identity, ...this.others()];
  }

  others(): readonly string[] {
    return [...this.#others.values()].flatMap(({ hold }) => hold.holder() ?? []);
  }

  /** The others reckon without us from now on. */
  async goodbye(signal: AbortSignal): Promise<void> {
    const { record } = this.#own;
    if (record) await this.#delete(record, signal);
    this.#own.look(undefined);
  }

  async #delete(record: LeaseRecord, signal: AbortSignal): Promise<void> {
    try {
      await this.#options.leases.deleteLease(record, signal);
    } catch (error) {
      // It has been renewed since: it is seen the next time.
      if (!isApiError(error, 409)) throw error;
    }
  }
}
