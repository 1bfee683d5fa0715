// The view of a watch for this terminal, and how its end is told.

import type { WatchOutcome } from '../app/index.ts';
import { renderDiagnostics } from '../render/index.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { canRedraw } from './progress.ts';
import type { Session } from './session.ts';
import { WatchView } from './watch-view.ts';

export async function openWatchView(session: Session, quiet: boolean): Promise<WatchView> {
  const { streams, environment, stderrLook } = session;
  const { clock, variables } = environment;
  const redraws = !quiet && canRedraw({ streams, variables, ascii: stderrLook.ascii });
  const live = redraws ? new (await import('./live-lines.ts')).LiveLines(stderrLook.color) : undefined;
  return new WatchView({ session, clock, live, quiet });
}

export async function showWatchOutcome(
  { status, diagnostics }: WatchOutcome,
  view: WatchView,
  { streams, stderrLook, signalled }: Session,
): Promise<ExitCode> {
  await view.end();
  if (diagnostics.length > 0) await streams.stderr.write(renderDiagnostics(diagnostics, { color: stderrLook.color }));
  return status === 'failed' ? EXIT.error : (signalled() ?? EXIT.success);
}
