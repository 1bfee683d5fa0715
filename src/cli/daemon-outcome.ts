// How a daemon ended, on stderr and as an exit code; and flags that it was given and that mean nothing here.

import type { DaemonOutcome } from '../app/index.ts';
import { renderDiagnostics } from '../render/index.ts';
import { type DaemonFlagValues, idleDaemonFlags } from './daemon-flags.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Session } from './session.ts';

export async function showDaemonOutcome(outcome: DaemonOutcome, session: Session): Promise<ExitCode> {
  const { streams, stderrLook } = session;
  const { status, diagnostics } = outcome;
  if (diagnostics.length > 0) await streams.stderr.write(renderDiagnostics(diagnostics, { color: stderrLook.color }));
  return status === 'stopped' ? (session.signalled() ?? EXIT.success) : EXIT.error;
}

export async function warnOfIdleFlags(flags: DaemonFlagValues, { streams }: Session): Promise<void> {
  for (const name of idleDaemonFlags(flags)) await streams.stderr.write(`warning: ${name} does nothing in metactl\n`);
}
