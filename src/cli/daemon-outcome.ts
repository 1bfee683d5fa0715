// How a daemon ended, on stderr and as an exit code; and flags that it was given and that mean nothing here.

import type { DaemonOutcome } from '../app/index.ts';
import { stringifyJson } from '../kit/json.ts';
import type { ShadowReport } from '../model/shadow.ts';
import { renderDiagnostics, renderShadowText, shadowToJson } from '../render/index.ts';
import { type DaemonFlagValues, idleDaemonFlags } from './daemon-flags.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { writeOutputs } from './output.ts';
import type { Session } from './session.ts';

export async function showDaemonOutcome(outcome: DaemonOutcome, session: Session): Promise<ExitCode> {
  const { streams, stderrLook } = session;
  const { status, diagnostics } = outcome;
  if (diagnostics.length > 0) await streams.stderr.write(renderDiagnostics(diagnostics, { color: stderrLook.color }));
  if (outcome.shadow) await showShadow(outcome.shadow, session);
  if (status !== 'stopped') return EXIT.error;
  const ofItself = outcome.shadow && outcome.shadow.misses > 0 ? EXIT.error : EXIT.success;
  return session.signalled() ?? ofItself;
}

async function showShadow(report: ShadowReport, { outputs, streams }: Session): Promise<void> {
  const rendering = {
    text: () => renderShadowText(report),
    json: () => `${stringifyJson(shadowToJson(report), 2)}\n`,
  };
  await writeOutputs(outputs, rendering, streams.stdout);
}

export async function warnOfIdleFlags(flags: DaemonFlagValues, { streams }: Session): Promise<void> {
  for (const name of idleDaemonFlags(flags)) await streams.stderr.write(`warning: ${name} does nothing in metactl\n`);
}
