// One Lease, as the server keeps it: writes hold only on the version that was read. It can be told to refuse, and to hang.

import { ApiError, ConnectionError } from '../ports/errors.ts';
import type { LeaseRecord, Leases } from '../ports/leases.ts';

export class FakeLeases implements Leases {
  lease: LeaseRecord | undefined;
  /** What happens to every request. */
  trouble: 'none' | 'refuses' | 'hangs' = 'none';
  /** Every holder that was written, in order. */
  readonly holders: string[] = [];
  #version = 0;

  async getLease(_namespace: string, _name: string, signal?: AbortSignal): Promise<LeaseRecord | undefined> {
    await this.#meet(signal);
    return this.lease;
  }

  async putLease(record: LeaseRecord, signal?: AbortSignal): Promise<LeaseRecord> {
    await this.#meet(signal);
    const { resourceVersion } = record;
    if (resourceVersion !== this.lease?.resourceVersion)
      throw new ApiError({ code: 409, reason: 'Conflict', message: 'it was changed' }, 'PUT lease');
    this.lease = { ...record, resourceVersion: String(++this.#version) };
    this.holders.push(record.holder);
    return this.lease;
  }

  #meet(signal: AbortSignal | undefined): Promise<void> {
    if (this.trouble === 'refuses') return Promise.reject(new ConnectionError('connection refused', 'GET lease'));
    if (this.trouble === 'none') return Promise.resolve();
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
}
