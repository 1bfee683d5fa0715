// The door of the sandbox: an API server inside the process.

export type { Journal, JournalRecord } from './journal.ts';
export type { WorkloadApi, WorkloadChange } from './workload-api.ts';
