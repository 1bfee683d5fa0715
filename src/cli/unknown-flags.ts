// A flag that there is none of, with the one that was meant, if there is one near it.

import type { Config } from '@oclif/core/config';
import { nearest } from '../kit/suggest.ts';

/** In the place of an error of oclif's about such flags; another error comes back as it is. */
export function suggestingFlags(error: unknown, argv: readonly string[], config: Config): unknown {
  const unknown = unknownFlags(error);
  const command = commandOf(argv, config);
  if (unknown.length === 0 || !command) return error;
  const known = Object.entries(command.flags).flatMap(([name, { type, ...flag }]) =>
    type === 'boolean' && 'allowNo' in flag && flag.allowNo === true ? [name, `no-${name}`] : [name],
  );
  const told = unknown.map((flag) => {
    const meant = nearest(flag.replace(/^-+/, ''), known);
    return `there is no flag ${flag}${meant ? `: did you mean --${meant}?` : ''}`;
  });
  const where = `see metactl ${command.id.replaceAll(':', ' ')} --help`;
  return new Error(`${told.join('\n')}\n${where}`, { cause: error });
}

/** Without their values, which may be anything. */
function unknownFlags(error: unknown): readonly string[] {
  // oclif has no code for it; this field is of NonExistentFlagsError alone.
  if (!(error instanceof Error) || !('flags' in error)) return [];
  const { flags } = error;
  return Array.isArray(flags)
    ? flags.flatMap((flag) => (typeof flag === 'string' ? [flag.replace(/=.*/s, '')] : []))
    : [];
}

function commandOf(argv: readonly string[], config: Config) {
  const flagAt = argv.findIndex((word) => word.startsWith('-'));
  const words = flagAt < 0 ? argv : argv.slice(0, flagAt);
  for (let count = words.length; count > 0; count--) {
    const found = config.findCommand(words.slice(0, count).join(':'));
    if (found) return found;
  }
  return undefined;
}
