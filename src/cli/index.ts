/** The command line's edge: flags, streams, colour, progress, questions and exit codes. Commands import only this and src/app. */
export { BaseCommand } from './base-command.ts';
export { configJsonSchema } from './config/schema.ts';
export { showConfig } from './config/show-config.ts';
export { daemonFlags, daemonOptionsOf } from './daemon-flags.ts';
export { showDaemonOutcome, warnOfIdleFlags } from './daemon-outcome.ts';
export { EXIT, type ExitCode, exitCodeHelp, exitCodeOfApply, exitCodeOfPlan } from './exit-codes.ts';
export { planOptionsOf, serveOptionsOf } from './flag-values.ts';
export {
  applyFlags,
  clusterFlags,
  configFlags,
  directoryFlags,
  fileFlags,
  guardFlags,
  hookFlags,
  inputFlags,
  optional,
  outputFlags,
  restoreFlags,
  serveFlags,
  withVariables,
} from './flags.ts';
export { initArgs, initFlags, initOptionsOf, showInit } from './init-flags.ts';
export { installFlags, installOptionsOf } from './install-flags.ts';
export { openWatchView, showWatchOutcome } from './open-watch-view.ts';
export { rightsFlags, rightsOptionsOf, showRights } from './rights-flags.ts';
export { writeSandboxKubeconfig } from './sandbox-kubeconfig.ts';
export { shadowFlags, shadowOptionsOf } from './shadow-flags.ts';
export { applyView, showPlan } from './show.ts';
export type { Streams, TextSink } from './streams.ts';
export { showTypes, typesFlags, typesOptionsOf } from './types-flags.ts';
export { uninstallFlags, uninstallOptionsOf } from './uninstall-flags.ts';
export { watchFlags, watchOptionsOf } from './watch-flags.ts';
export { writeFlags } from './write-flags.ts';
