// The door of the sandbox: an API server inside the process.

export { type Fault, type FaultPlan, FaultyTransport, faultOn } from './faults/index.ts';
export type { Journal, JournalRecord } from './journal.ts';
export { type DirectoryOptions, openSandboxDirectory } from './open-directory.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
export { kubeconfigFor, type Served, type ServeOptions, serveSandbox } from './serve/index.ts';
export { parseSnapshot, type SandboxSnapshot } from './snapshot/snapshot.ts';
export type { WorkloadApi, WorkloadChange } from './workload-api.ts';
export type { ReadinessModel } from './workloads/index.ts';
