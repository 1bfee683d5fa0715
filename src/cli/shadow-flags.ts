// The flags of `metactl daemon --shadow`.

import { Flags } from '@oclif/core';
import type { DaemonOptions } from '../app/index.ts';
import { parseFlagDuration } from './flag-values.ts';
import { outputFlags, withVariables } from './flags.ts';

const helpGroup = 'SHADOW';

/** Those that may be at work: Metacontroller by its program's name, and we. */
const AT_WORK: readonly string[] = ['metacontroller', 'metactl'];

const duration = Flags.custom<number>({ parse: async (text) => parseFlagDuration(text) });

export const shadowFlags = withVariables({
  shadow: Flags.boolean({
    summary: 'Write nothing, and score what would have been written against what somebody else writes.',
    helpGroup,
  }),
  'shadow-of': Flags.string({
    summary: `Field manager of the one at work. May be repeated. Default: ${AT_WORK.join(' and ')}.`,
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
    helpGroup,
  }),
  'shadow-window': duration({
    summary: 'How long the one at work, and the shadow, may take for what the other has done or said.',
    default: async () => parseFlagDuration('30s'),
    defaultHelp: async () => '30s',
    helpValue: 'DURATION',
    helpGroup,
  }),
  'shadow-for': duration({
    summary: 'End by itself after so long: with 1 where there was a miss. Default: goes on until a signal.',
    helpValue: 'DURATION',
    helpGroup,
  }),
  output: outputFlags.output,
});

interface ShadowFlagValues {
  readonly shadow: boolean;
  readonly 'shadow-of'?: readonly string[] | undefined;
  readonly 'shadow-window': number;
  readonly 'shadow-for'?: number | undefined;
}

export function shadowOptionsOf(flags: ShadowFlagValues): Pick<DaemonOptions, 'shadow'> {
  if (!flags.shadow) return {};
  const forMs = flags['shadow-for'];
  const managers = flags['shadow-of'] ?? AT_WORK;
  return { shadow: { windowMs: flags['shadow-window'], managers, ...(forMs === undefined ? {} : { forMs }) } };
}
