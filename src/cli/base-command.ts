// What every command is: oclif's Command with our flags, our streams and our exit codes. `run` returns the exit code;
// main.ts drains the streams and ends the process.

import { Command, type Interfaces } from '@oclif/core';
import { type JsonObject, stringifyJson } from '../kit/json.ts';
import type { EffectiveValue } from './config/effective.ts';
import type { ExitCode } from './exit-codes.ts';
import { terminalFlags } from './flags.ts';
import { inSession, type Session, type SessionWorld, type TerminalFlags } from './session.ts';
import { processStreams } from './streams.ts';

/** A command's flags after the configuration, and where those that can be configured came from. */
export interface Configured<F> {
  readonly flags: F;
  readonly effective: readonly EffectiveValue[];
}

type FlagInput = Interfaces.FlagInput;
type FlagsOf<C> = C extends { flags: infer F } ? Interfaces.InferredFlags<F & typeof terminalFlags> : never;

export abstract class BaseCommand extends Command {
  static override baseFlags = terminalFlags;

  protected readonly streams = processStreams();

  abstract override run(): Promise<ExitCode>;

  /** As `parse`, completed from the configuration files, which are read now. */
  protected async parseConfigured<C extends { flags: FlagInput }>(command: C): Promise<Configured<FlagsOf<C>>> {
    const { completeFlags } = await import('./config/complete-flags.ts');
    // A flag that must be given may be given by a file: whether it was is looked at afterwards.
    const known = { ...terminalFlags, ...command.flags } as FlagInput;
    const lenient = Object.entries(known).map(([name, flag]) => [name, { ...flag, required: false }]);
    const parsed = await this.parse({ flags: Object.fromEntries(lenient) as FlagInput });
    const { files } = (await processWorld()).environment;
    const world = { files, variables: process.env, workingDirectory: process.cwd() };
    const { warnings, ...configured } = await completeFlags(parsed, known, world);
    if (warnings !== '') await this.streams.stderr.write(warnings);
    return configured as Configured<FlagsOf<C>>;
  }

  /** The streams, the signals and the environment of this process around `work`. */
  protected async inSession(flags: TerminalFlags, work: (session: Session) => Promise<ExitCode>): Promise<ExitCode> {
    return inSession(flags, await processWorld(), work);
  }

  protected async printJson(document: JsonObject): Promise<void> {
    await this.streams.stdout.write(`${stringifyJson(document, 2)}\n`);
  }

  /** oclif's own puts its whole configuration, with paths of this machine, into the document. */
  protected override toErrorJson(error: unknown): unknown {
    return { error: { message: error instanceof Error ? error.message : String(error), exit: 1 } };
  }
}

async function processWorld(): Promise<SessionWorld> {
  const { createNodeFiles, systemClock } = await import('../app/index.ts');
  const files = createNodeFiles({ stdin: process.stdin, workingDirectory: process.cwd() });
  return {
    streams: processStreams(),
    signals: process as unknown as SessionWorld['signals'],
    environment: { variables: process.env, clock: systemClock, files },
  };
}
