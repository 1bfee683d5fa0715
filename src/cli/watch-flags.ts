// The flags of `metactl watch`, and what the use case takes of them.

import { Flags } from '@oclif/core';
import type { PlanOptions } from '../app/index.ts';
import { listOf, type PlanFlags, planOptionsOf } from './flag-values.ts';
import { withVariables } from './flags.ts';

export const watchFlags = withVariables({
  apply: Flags.boolean({
    summary: 'Carry each plan out, without asking: on the sandbox, local clusters, and contexts that are allowed.',
  }),
  'allow-context': Flags.string({
    summary: 'A context that --apply may write to although it is not local. May be repeated.',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
  }),
});

export interface WatchFlagValues extends PlanFlags {
  readonly apply?: boolean | undefined;
  readonly 'allow-context'?: readonly string[] | string | undefined;
}

export function watchOptionsOf(flags: WatchFlagValues): PlanOptions & {
  readonly apply: boolean;
  readonly allowContexts: readonly string[];
} {
  return { ...planOptionsOf(flags), apply: flags.apply === true, allowContexts: listOf(flags['allow-context']) };
}
