// One leader by Lease, as client-go elects: whoever holds it renews it, whoever doesn't watches it stand still, and takes it
// when it has for its whole duration (lease-hold.ts). Stopped in good order, it gives the lease up, and the next one need not
// wait. Programs of different versions are candidates of one lease like any others: a rolling update is just that.

import { sleep } from '../kit/clock.ts';
import { isApiError } from '../ports/errors.ts';
import type { Logger } from '../ports/log.ts';
import { CLIENT_GO_TIMING, type ElectionTiming, LeaseHold, type LeaseHoldOptions, versionIn } from './lease-hold.ts';
import { inTime, isLeaseTrouble, textOf } from './lease-requests.ts';

export type { ElectionTiming };

export interface ElectionOptions extends Omit<LeaseHoldOptions, 'timing' | 'labels' | 'annotations'> {
  readonly log: Logger;
  readonly timing?: ElectionTiming;
}

export class Election {
  readonly #options: ElectionOptions;
  readonly #timing: ElectionTiming;
  readonly #lease: LeaseHold;

  constructor(options: ElectionOptions) {
    this.#options = options;
    this.#timing = options.timing ?? CLIENT_GO_TIMING;
    this.#lease = new LeaseHold({ ...options, timing: this.#timing });
  }

  /** Asked right before each write. */
  isLeader(): boolean {
    return this.#lease.isOurs();
  }

  /** Resolves when the lease is ours. Rejects with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { log, clock, name, namespace, identity, version } = this.#options;
    log.info('Waiting for the lease', { lease: `${namespace}/${name}` });
    let holder: string | undefined;
    while (!(await this.#attempt(signal))) {
      const record = this.#lease.record;
      if (record && record.holder !== holder) {
        const theirs = versionIn(record);
        log.info('Somebody else is the leader', { holder: record.holder, version: theirs });
        if (theirs !== undefined && version !== undefined && theirs !== version)
          log.warn('The leader is of another version: it is waited for, as in a rolling update', { theirs, version });
      }
      holder = record?.holder;
      await sleep(clock, this.#timing.retryMs, signal);
    }
    log.info('Became the leader', { identity });
  }

  /** Resolves when the lease is lost, or the signal is aborted: then it is still ours, and release() gives it up. */
  async hold(signal: AbortSignal): Promise<'lost' | 'stopped'> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const left = this.#lease.until - this.#options.monotonic();
      if (left <= 0) return 'lost';
      try {
        await sleep(clock, Math.min(this.#timing.retryMs, left), signal);
        await this.#attempt(signal);
      } catch (error) {
        if (signal.aborted) return 'stopped';
        throw error;
      }
    }
    return 'stopped';
  }

  /** Nothing of ours is written any more: the next one may begin at once. */
  async release(): Promise<void> {
    const { log } = this.#options;
    try {
      if (await this.#lease.release()) log.info('Gave the lease up');
    } catch (error) {
      log.warn('The lease could not be given up: the next leader waits until it is over', { error: textOf(error) });
    }
  }

  /** Creates, takes or renews the lease. false: it is somebody else's, or could not be reached. */
  async #attempt(signal: AbortSignal): Promise<boolean> {
    const { leases, namespace, name, clock, log } = this.#options;
    try {
      // A request that hangs must leave time for another one.
      return await inTime({ clock, signal, ms: this.#timing.renewDeadlineMs / 2 }, async (either) => {
        this.#lease.look(await leases.getLease(namespace, name, either));
        return this.#lease.take(either);
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!isLeaseTrouble(error)) throw error;
      // Somebody was faster: seen the next time.
      if (!isApiError(error, 409)) log.warn('The lease could not be read or written', { error: textOf(error) });
      return false;
    }
  }
}
