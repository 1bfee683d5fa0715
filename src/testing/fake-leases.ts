// Leases, as the server keeps them: writes hold only on the version that was read. It can be told to refuse, and to hang; for
// one replica by asking through `of`.

import { ApiError, ConnectionError } from '../ports/errors.ts';
import type { LeaseRecord, Leases } from '../ports/leases.ts';

type Trouble = 'none' | 'refuses' | 'hangs';

export interface LeaseWay {
  trouble: Trouble;
  /** Leases may not be deleted; how often it was tried. */
  refusedDeletes?: number;
  /** What happens between a look at a Lease and its writing, and how long that takes. */
  beforePut?: ((record: LeaseRecord) => void | Promise<void>) | undefined;
}

export class FakeLeases implements Leases {
  /** By name. */
  readonly all = new Map<string, LeaseRecord>();
  /** What happens to every request. */
  trouble: Trouble = 'none';
  /** Every holder that was written, in order. */
  readonly holders: string[] = [];
  #version = 0;
  #written: string | undefined;

  /** The one that was written last. */
  get lease(): LeaseRecord | undefined {
    return this.#written === undefined ? undefined : this.all.get(this.#written);
  }

  set lease(record: LeaseRecord) {
    this.all.set(record.name, record);
  }

  /** The same leases, on a way of its own. */
  of(way: LeaseWay): Leases {
    const meet = (signal?: AbortSignal): Promise<void> => this.#meet(signal, way.trouble);
    return {
      getLease: (namespace, name, signal) => meet(signal).then(() => this.getLease(namespace, name, signal)),
      putLease: async (record, signal) => {
        await way.beforePut?.(record);
        await meet(signal);
        return this.putLease(record, signal);
      },
      listLeases: (namespace, selector, signal) =>
        meet(signal).then(() => this.listLeases(namespace, selector, signal)),
      deleteLease: async (record, signal) => {
        await meet(signal);
        if (way.refusedDeletes === undefined) return this.deleteLease(record, signal);
        way.refusedDeletes++;
        throw new ApiError(
          { code: 403, reason: 'Forbidden', message: 'may not delete' },
          `DELETE lease ${record.name}`,
        );
      },
    };
  }

  async getLease(_namespace: string, name: string, signal?: AbortSignal): Promise<LeaseRecord | undefined> {
    await this.#meet(signal);
    return this.all.get(name);
  }

  async putLease(record: LeaseRecord, signal?: AbortSignal): Promise<LeaseRecord> {
    await this.#meet(signal);
    this.#check(record);
    const written = { ...record, resourceVersion: String(++this.#version) };
    this.all.set(record.name, written);
    this.#written = record.name;
    this.holders.push(record.holder);
    return written;
  }

  async listLeases(_namespace: string, labelSelector: string, signal?: AbortSignal): Promise<readonly LeaseRecord[]> {
    await this.#meet(signal);
    const [key = '', value] = labelSelector.split('=');
    return [...this.all.values()].filter(({ labels }) => labels?.[key] === value);
  }

  async deleteLease(record: LeaseRecord, signal?: AbortSignal): Promise<void> {
    await this.#meet(signal);
    if (this.all.has(record.name)) this.#check(record);
    this.all.delete(record.name);
  }

  #check({ name, resourceVersion }: LeaseRecord): void {
    if (resourceVersion !== this.all.get(name)?.resourceVersion)
      throw new ApiError({ code: 409, reason: 'Conflict', message: 'it was changed' }, `PUT lease ${name}`);
  }

  #meet(signal: AbortSignal | undefined, trouble: Trouble = this.trouble): Promise<void> {
    if (trouble === 'refuses') return Promise.reject(new ConnectionError('connection refused', 'GET lease'));
    if (trouble === 'none') return Promise.resolve();
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
}
