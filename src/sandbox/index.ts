// The door of the sandbox: an API server inside the process.

export type { Journal, JournalRecord } from './journal.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
export type { WorkloadApi, WorkloadChange } from './workload-api.ts';
