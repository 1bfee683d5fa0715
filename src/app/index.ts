import type { ListenAddress, LogLevel } from '../daemon/index.ts';

export { runApply } from './apply.ts';
export {
  type CheckedDocument,
  checkDocument,
  type DocumentShape,
  type FieldSchema,
  printYaml,
  readDocument,
} from './documents.ts';
export { detectFork } from './fork.ts';
export { type InitOptions, type InitOutcome, initController } from './init.ts';
export { type InstallOptions, planInstall, runInstall } from './install.ts';
export { makeTypes, type TypesOptions, type TypesOutcome } from './make-types.ts';
export { watchNodeFiles } from './node-file-watch.ts';
export { createNodeFiles } from './node-files.ts';
export type {
  AppEnvironment,
  ApplyOptions,
  ApplyOutcome,
  ClusterChoice,
  HookOverride,
  Impersonation,
  ParentTarget,
  PlanOptions,
  PlanOutcome,
  ReadinessModel,
  UninstallOptions,
} from './options.ts';
export { runPlan } from './plan.ts';
export { type RightsOptions, type RightsOutcome, runRights } from './rights.ts';
export { runDaemon } from './running/daemon.ts';
export type { DaemonOptions, DaemonOutcome, RunningDaemon } from './running/daemon-options.ts';
export { runWatch } from './running/watch.ts';
export type { WatchOptions, WatchOutcome, WatchReport } from './running/watch-options.ts';
export { restoreSandbox, snapshotSandbox } from './sandbox-snapshot.ts';
export { definitionSchema, planSchema } from './schemas.ts';
export { type ServeSandboxOptions, serveSandboxUntilStopped } from './serve-sandbox.ts';
export { systemClock } from './system-clock.ts';
export { runUninstall } from './uninstall.ts';
export type { ListenAddress, LogLevel };
