// One Lease, as one process sees it: whose it is, since when it has stood still, and until when this process may act on it.
// All judging is by monotonic time, so that a clock which is set, or a process which was asleep, judges by what has passed
// for itself. Whoever holds it may act until `renewDeadlineMs` after its last renewal began: well before anybody else may
// take it. When to ask, renew and give up is decided by whoever uses this (election.ts, shards/).

import type { Clock } from '../kit/clock.ts';
import { isApiError } from '../ports/errors.ts';
import type { LeaseRecord, Leases } from '../ports/leases.ts';

export interface LeaseHoldOptions {
  readonly leases: Leases;
  readonly clock: Clock;
  /** Milliseconds that never go back, and that pass while the process sleeps. */
  readonly monotonic: () => number;
  readonly namespace: string;
  readonly name: string;
  /** Of this process: no other may have it. */
  readonly identity: string;
  readonly timing: ElectionTiming;
  /** Of the program; recorded for those who wait. */
  readonly version?: string | undefined;
  /** Put on the Lease beside what is there. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface ElectionTiming {
  /** How long the lease holds for those who watch it. */
  readonly leaseMs: number;
  /** How long the holder may act on its last renewal. Less than leaseMs. */
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

/** client-go's and controller-runtime's. */
export const CLIENT_GO_TIMING: ElectionTiming = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

const VERSION_ANNOTATION = 'metactl.dev/version';
/** Whose version that is: another program that takes the Lease leaves annotations as they are. */
const VERSION_OF_ANNOTATION = 'metactl.dev/version-of';

export class LeaseHold {
  readonly #options: LeaseHoldOptions;
  /** The lease as last seen, and since when it has stood like that. */
  #seen: { readonly record: LeaseRecord; readonly since: number } | undefined;
  /** Monotonic time until which it is ours. */
  #until = Number.NEGATIVE_INFINITY;

  constructor(options: LeaseHoldOptions) {
    this.#options = options;
  }

  /** Monotonic time until which its holder may act, if that is us. */
  get until(): number {
    return this.#until;
  }

  /** Asked right before each write. */
  isOurs(): boolean {
    return this.#options.monotonic() < this.#until;
  }

  get record(): LeaseRecord | undefined {
    return this.#seen?.record;
  }

  /** Whoever has it as far as is known, us too; undefined: nobody, or one who is gone. */
  holder(): string | undefined {
    const holder = this.#seen?.record.holder;
    return holder === undefined || holder === '' || this.#standsStill() ? undefined : holder;
  }

  /** What was read of it; undefined: there is none. What has not changed since the last time goes on standing still. */
  look(found: LeaseRecord | undefined): void {
    if (!found) this.#seen = undefined;
    else if (this.#seen?.record.resourceVersion !== found.resourceVersion)
      this.#seen = { record: found, since: this.#options.monotonic() };
    if (this.#seen?.record.holder !== this.#options.identity) this.#until = Number.NEGATIVE_INFINITY;
  }

  /**
   * Creates, takes or renews the lease, as it was last looked at. false: it is somebody else's. Throws ApiError (409:
   * somebody was faster), ConnectionError.
   */
  async take(signal: AbortSignal): Promise<boolean> {
    const { leases, identity, timing, monotonic } = this.#options;
    const found = this.#seen?.record;
    const ours = found?.holder === identity;
    if (!ours && this.holder() !== undefined) return false;
    const began = monotonic();
    const now = this.#time();
    const written = await leases.putLease(
      {
        ...{ namespace: this.#options.namespace, name: this.#options.name, holder: identity },
        durationSeconds: Math.ceil(timing.leaseMs / 1_000),
        acquireTime: ours ? found.acquireTime : now,
        renewTime: now,
        transitions: found ? found.transitions + (ours ? 0 : 1) : 0,
        ...this.#marks(found),
        ...(found?.resourceVersion === undefined ? {} : { resourceVersion: found.resourceVersion }),
      },
      signal,
    );
    this.#seen = { record: written, since: monotonic() };
    this.#until = began + timing.renewDeadlineMs;
    return true;
  }

  /** Nothing of ours is written any more: the next one may begin at once. false: it was not ours. Throws as take(). */
  async release(signal?: AbortSignal): Promise<boolean> {
    this.#until = Number.NEGATIVE_INFINITY;
    try {
      return await this.#putBack(signal);
    } catch (error) {
      if (!isApiError(error, 409)) throw error;
      // A renewal that was given up may have come through all the same.
      const { leases, namespace, name } = this.#options;
      this.look(await leases.getLease(namespace, name, signal));
      return this.#putBack(signal);
    }
  }

  async #putBack(signal: AbortSignal | undefined): Promise<boolean> {
    const held = this.#seen?.record;
    if (held?.holder !== this.#options.identity) return false;
    const given = { ...held, holder: '', durationSeconds: 1, renewTime: this.#time() };
    const record = await this.#options.leases.putLease(given, signal);
    this.#seen = { record, since: this.#options.monotonic() };
    return true;
  }

  #marks(found: LeaseRecord | undefined): Pick<LeaseRecord, 'labels' | 'annotations'> {
    const { labels, annotations, version, identity } = this.#options;
    const versions = version === undefined ? {} : { [VERSION_ANNOTATION]: version, [VERSION_OF_ANNOTATION]: identity };
    return {
      labels: { ...found?.labels, ...labels },
      annotations: { ...found?.annotations, ...annotations, ...versions },
    };
  }

  /** For as long as its holder said that it holds. */
  #standsStill(): boolean {
    if (!this.#seen) return false;
    const { record, since } = this.#seen;
    const holdsMs = record.durationSeconds > 0 ? record.durationSeconds * 1_000 : this.#options.timing.leaseMs;
    return this.#options.monotonic() - since >= holdsMs;
  }

  /** A MicroTime. */
  #time(): string {
    return new Date(this.#options.clock.now()).toISOString().replace(/(\.\d{3})Z$/, '$1000Z');
  }
}

/** Of the program that holds it; undefined: it did not say, or it is not ours that does. */
export function versionIn({ annotations, holder }: LeaseRecord): string | undefined {
  return annotations?.[VERSION_OF_ANNOTATION] === holder ? annotations[VERSION_ANNOTATION] : undefined;
}
