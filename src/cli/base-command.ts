// What every command is: oclif's Command with our flags, our streams and our exit codes. `run` returns the exit code;
// main.ts drains the streams and ends the process.

import { Command } from '@oclif/core';
import { type JsonObject, stringifyJson } from '../kit/json.ts';
import type { ExitCode } from './exit-codes.ts';
import { terminalFlags } from './flags.ts';
import { inSession, type Session, type SessionWorld, type TerminalFlags } from './session.ts';
import { processStreams } from './streams.ts';

export abstract class BaseCommand extends Command {
  static override baseFlags = terminalFlags;

  protected readonly streams = processStreams();

  abstract override run(): Promise<ExitCode>;

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
