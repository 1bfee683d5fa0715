// How a sandbox survives its process: every committed change is appended here before the write is answered, and a new
// sandbox replays them in order. createSandbox knows this interface only; src/sandbox/journal/ keeps it on disk.

import type { KubeObject } from '../model/object.ts';

/** One committed change. `put` carries the whole object as stored, `delete` none. */
export interface JournalRecord {
  /** The store's resourceVersion of this change: strictly growing, with gaps allowed. */
  readonly rv: number;
  readonly verb: 'put' | 'delete';
  /** "" for the core group. */
  readonly group: string;
  /** Plural, lower case. */
  readonly resource: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  readonly object?: KubeObject;
}

export interface Journal {
  /** Everything appended earlier, oldest first. Called once, before the first append. */
  replay(): readonly JournalRecord[];
  /** Synchronous: when it returns, a crash of the process does not lose the record. Throws when it can't be kept. */
  append(record: JournalRecord): void;
  close(): Promise<void>;
}
