// From the command line to the exit code. oclif finds and runs the command; its way of ending the process is not used: it
// would turn a typo into exit code 2 and could cut a long plan that is still on its way into a pipe.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticError } from '../model/diagnostic.ts';
import { EXIT } from './exit-codes.ts';
import { processStreams } from './streams.ts';

/** `root`: the directory of package.json. Ends the process. */
export async function main(argv: readonly string[], root: string): Promise<never> {
  const { stdout, stderr } = processStreams();
  let code: number;
  try {
    if (argv.length === 1 && argv[0] === '--version') {
      await stdout.write(versionLine(root));
      code = EXIT.success;
    } else {
      const { runCommand } = await import('./run-command.ts');
      code = await runCommand([...argv], root);
    }
  } catch (error) {
    code = exitCodeOf(error);
    if (code !== EXIT.success) await tell(await describe(error));
  }
  for (const sink of [stdout, stderr])
    await sink.flush().catch(async (error: unknown) => {
      code = EXIT.error;
      await tell(await describe(error));
    });
  process.exit(code);

  // Where standard error itself can't be written to, the exit code is all that is left to say.
  async function tell(text: string): Promise<void> {
    await stderr.write(text).catch(() => undefined);
  }
}

/** What oclif's config.userAgent says, without loading oclif for it: that takes longer than Node's own start. */
function versionLine(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return `metactl/${version} ${process.platform}-${process.arch} node-${process.version}\n`;
}

/** Whatever oclif thinks of it, an error is 1. Only an exit that was asked for (`--help` inside a command) keeps its code. */
function exitCodeOf(error: unknown): number {
  const { code, oclif } = error as { code?: unknown; oclif?: { exit?: unknown } };
  return code === 'EEXIT' && oclif?.exit === 0 ? EXIT.success : EXIT.error;
}

/** One line for what the user did; the stack for what we did. */
async function describe(error: unknown): Promise<string> {
  if (error instanceof DiagnosticError) {
    const { renderDiagnostics } = await import('../render/index.ts');
    return renderDiagnostics(error.diagnostics, { color: false });
  }
  if (!(error instanceof Error)) return `error: ${String(error)}\n`;
  const expected = 'oclif' in error || (error.cause !== undefined && 'oclif' in (error.cause as object));
  const isSystemError = typeof (error as NodeJS.ErrnoException).syscall === 'string';
  if (expected || isSystemError || error.name === 'Error') return `error: ${error.message}\n`;
  return `internal error, a defect of metactl: ${error.stack}\n`;
}
