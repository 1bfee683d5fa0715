// The part of the command line's edge that needs oclif: it finds the command, and a near miss gets a suggestion.

import { Config } from '@oclif/core/config';
import { run } from '@oclif/core/run';
import { nearest } from '../kit/suggest.ts';
import { EXIT } from './exit-codes.ts';
import { suggestingFlags } from './unknown-flags.ts';

/** Command lines that were written for Metacontroller have flags in Go's form. */
async function daemonArgv(argv: string[]): Promise<string[]> {
  const { fromGoFlags } = await import('./go-flags.ts');
  return fromGoFlags(argv, ['leader-election', 'zap-devel']);
}

/** `root`: the directory of package.json. Resolves with the exit code; throws what the command throws. */
export async function runCommand(argv: string[], root: string): Promise<number> {
  const config = await Config.load({ root });
  try {
    const code: unknown = await run(argv[0] === 'daemon' ? await daemonArgv(argv) : argv, config);
    return typeof code === 'number' ? code : EXIT.success;
  } catch (error) {
    const typed = /^command (.+) not found$/.exec((error as Error).message)?.[1]?.replaceAll(':', ' ');
    if (typed === undefined) throw suggestingFlags(error, argv, config);
    const known = config.commandIDs.map((id) => id.replaceAll(':', ' '));
    const meant = nearest(typed, known);
    throw new Error(`there is no command "${typed}"${meant ? `: did you mean "${meant}"?` : '; see metactl --help'}`, {
      cause: error,
    });
  }
}
