// What plan and apply need around their use case: streams, colour, progress, signals, and all of it put away again on
// every way out.

import type { AppEnvironment } from '../app/index.ts';
import type { Progress } from '../model/progress.ts';
import { type ColorChoice, outputWidth, useAscii, useColor } from './color.ts';
import type { ExitCode } from './exit-codes.ts';
import { listOf } from './flag-values.ts';
import { type Output, resolveOutputs } from './output.ts';
import { openProgress } from './progress.ts';
import type { ProgressView } from './progress-view.ts';
import { type SignalSource, watchSignals } from './signals.ts';
import type { Streams } from './streams.ts';

export interface TerminalFlags {
  readonly color: ColorChoice;
  readonly ascii: boolean;
  readonly quiet: boolean;
  readonly output?: readonly Output[] | Output | undefined;
  readonly 'show-unchanged'?: boolean;
}

/** How text for one stream is to look. */
export interface Look {
  readonly color: boolean;
  readonly ascii: boolean;
  readonly width: number;
}

export interface Session {
  readonly streams: Streams;
  readonly stdoutLook: Look;
  readonly stderrLook: Look;
  readonly outputs: readonly Output[];
  readonly showUnchanged: boolean;
  readonly progress: ProgressView;
  readonly onProgress: (progress: Progress) => void;
  readonly environment: AppEnvironment;
  /** 130 or 143 once a signal has come. */
  readonly signalled: () => ExitCode | undefined;
}

/** The parts of the process; tests give their own. */
export interface SessionWorld {
  readonly streams: Streams;
  readonly signals: SignalSource;
  readonly environment: Omit<AppEnvironment, 'signal'>;
}

/** Runs `work`; an error that comes after a signal counts as the interruption it is. */
export async function inSession(
  flags: TerminalFlags,
  world: SessionWorld,
  work: (session: Session) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { streams, environment } = world;
  const { variables, clock } = environment;
  const outputs = resolveOutputs(listOf(flags.output));
  const stdoutLook = lookOf(flags, variables, streams.stdout);
  const stderrLook = lookOf(flags, variables, streams.stderr);
  const progress = await openProgress({ ...stderrLook, quiet: flags.quiet, clock, streams, variables });
  const interruption = watchSignals(world.signals, () => {
    // The daemon, which is quiet, has a log for it.
    if (!flags.quiet)
      void streams.stderr.write('\ninterrupted: what is in flight is finished, nothing else is started\n');
  });
  try {
    return await work({
      streams,
      stdoutLook,
      stderrLook,
      outputs,
      showUnchanged: flags['show-unchanged'] ?? false,
      progress,
      onProgress: (event) => progress.take(event),
      environment: { ...environment, signal: interruption.signal },
      signalled: interruption.code,
    });
  } catch (error) {
    const code = interruption.code();
    if (code === undefined || error !== interruption.signal.reason) throw error;
    return code;
  } finally {
    await progress.end();
    interruption.stop();
  }
}

function lookOf(flags: TerminalFlags, variables: AppEnvironment['variables'], sink: Streams['stdout']): Look {
  return {
    color: useColor(flags.color, variables, sink.isTTY),
    ascii: useAscii(flags.ascii, variables),
    width: outputWidth(sink),
  };
}
