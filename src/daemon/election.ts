// One leader by Lease, as client-go elects: whoever holds it renews it, whoever doesn't watches it stand still, and takes it
// when it has for its whole duration. All waiting is by monotonic time, so that a clock which is set, or a process which
// was asleep, judges by what has passed for itself. The leader may write until `renewDeadline` after its last renewal
// began: well before anybody else may take the lease. Stopped in good order, it gives the lease up, and the next one
// need not wait.

import { type Clock, sleep } from '../kit/clock.ts';
import { ApiError, ConnectionError, isApiError } from '../ports/errors.ts';
import type { LeaseRecord, Leases } from '../ports/leases.ts';
import type { Logger } from '../ports/log.ts';

export interface ElectionOptions {
  readonly leases: Leases;
  readonly clock: Clock;
  /** Milliseconds that never go back, and that pass while the process sleeps. */
  readonly monotonic: () => number;
  readonly log: Logger;
  readonly namespace: string;
  readonly name: string;
  /** Of this process: no other may have it. */
  readonly identity: string;
  readonly timing?: ElectionTiming;
}

export interface ElectionTiming {
  /** How long the lease holds for those who watch it. */
  readonly leaseMs: number;
  /** How long the leader may act on its last renewal. Less than leaseMs. */
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

/** client-go's and controller-runtime's. */
const TIMING: ElectionTiming = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

export class Election {
  readonly #options: ElectionOptions;
  readonly #timing: ElectionTiming;
  /** The lease as last seen, and since when it has stood like that. */
  #seen: { readonly record: LeaseRecord; readonly since: number } | undefined;
  /** Monotonic time until which we are the leader. */
  #until = Number.NEGATIVE_INFINITY;

  constructor(options: ElectionOptions) {
    this.#options = options;
    this.#timing = options.timing ?? TIMING;
  }

  /** Asked right before each write. */
  isLeader(): boolean {
    return this.#options.monotonic() < this.#until;
  }

  /** Resolves when the lease is ours. Rejects with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { log, clock, name, namespace } = this.#options;
    log.info('Waiting for the lease', { lease: `${namespace}/${name}` });
    let holder: string | undefined;
    while (!(await this.#attempt(signal))) {
      const now = this.#seen?.record.holder;
      if (now !== holder) log.info('Somebody else is the leader', { holder: now });
      holder = now;
      await sleep(clock, this.#timing.retryMs, signal);
    }
    log.info('Became the leader', { identity: this.#options.identity });
  }

  /** Resolves when the lease is lost, or the signal is aborted: then it is still ours, and release() gives it up. */
  async hold(signal: AbortSignal): Promise<'lost' | 'stopped'> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const left = this.#until - this.#options.monotonic();
      if (left <= 0) return 'lost';
      try {
        await sleep(clock, Math.min(this.#timing.retryMs, left), signal);
        await this.#attempt(signal);
      } catch (error) {
        if (signal.aborted) return 'stopped';
        throw error;
      }
      if (this.#seen && this.#seen.record.holder !== this.#options.identity) this.#until = Number.NEGATIVE_INFINITY;
    }
    return 'stopped';
  }

  /** Nothing of ours is written any more: the next one may begin at once. */
  async release(): Promise<void> {
    const { leases, log, identity } = this.#options;
    const held = this.#seen?.record;
    this.#until = Number.NEGATIVE_INFINITY;
    if (held?.holder !== identity) return;
    try {
      await leases.putLease({ ...held, holder: '', durationSeconds: 1, renewTime: this.#time() });
      log.info('Gave the lease up');
    } catch (error) {
      log.warn('The lease could not be given up: the next leader waits until it is over', { error: textOf(error) });
    }
  }

  /** Creates, takes or renews the lease. false: it is somebody else's, or could not be reached. */
  async #attempt(signal: AbortSignal): Promise<boolean> {
    const { monotonic, clock, log } = this.#options;
    const began = monotonic();
    // A request that hangs must leave time for another one.
    const late = new AbortController();
    const cancel = clock.schedule(this.#timing.renewDeadlineMs / 2, () => late.abort(new Error('no answer in time')));
    try {
      const held = await this.#take(AbortSignal.any([signal, late.signal]));
      if (held) this.#until = began + this.#timing.renewDeadlineMs;
      return held;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!late.signal.aborted && !(error instanceof ApiError) && !(error instanceof ConnectionError)) throw error;
      // Somebody was faster: seen the next time.
      if (!isApiError(error, 409)) log.warn('The lease could not be read or written', { error: textOf(error) });
      return false;
    } finally {
      cancel();
    }
  }

  async #take(signal: AbortSignal): Promise<boolean> {
    const { leases, namespace, name, identity, monotonic } = this.#options;
    const found = await leases.getLease(namespace, name, signal);
    if (found) this.#look(found);
    const ours = found?.holder === identity;
    const free = !found || found.holder === '' || ours || this.#standsStill();
    if (!free) return false;
    const now = this.#time();
    const began = ours ? found.acquireTime : now;
    const written = await leases.putLease(
      {
        namespace,
        name,
        holder: identity,
        durationSeconds: Math.ceil(this.#timing.leaseMs / 1_000),
        acquireTime: began,
        renewTime: now,
        transitions: found ? found.transitions + (ours ? 0 : 1) : 0,
        ...(found?.resourceVersion === undefined ? {} : { resourceVersion: found.resourceVersion }),
      },
      signal,
    );
    this.#seen = { record: written, since: monotonic() };
    return true;
  }

  #look(record: LeaseRecord): void {
    if (this.#seen?.record.resourceVersion === record.resourceVersion) return;
    this.#seen = { record, since: this.#options.monotonic() };
  }

  /** For as long as its holder said that it holds. */
  #standsStill(): boolean {
    if (!this.#seen) return false;
    const { record, since } = this.#seen;
    const holdsMs = record.durationSeconds > 0 ? record.durationSeconds * 1_000 : this.#timing.leaseMs;
    return this.#options.monotonic() - since >= holdsMs;
  }

  /** A MicroTime. */
  #time(): string {
    return new Date(this.#options.clock.now()).toISOString().replace(/(\.\d{3})Z$/, '$1000Z');
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
