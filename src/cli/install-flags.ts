// The flags of `metactl install`, and what they come to.

import { Flags } from '@oclif/core';
import type { InstallOptions } from '../app/index.ts';
import type { GroupResource } from '../model/right.ts';
import { listOf, type PlanFlags, planOptionsOf } from './flag-values.ts';
import { applyFlags, withVariables } from './flags.ts';
import { relatedFlag, rightsFlags } from './rights-flags.ts';
import { shardsFlag } from './shards-flag.ts';

const INSTALLATION = 'INSTALLATION';

export const installFlags = {
  ...withVariables({
    related: relatedFlag,
    'install-namespace': rightsFlags['install-namespace'],
    file: Flags.string({
      char: 'f',
      summary:
        'Definitions of the controllers that there will be: the daemon gets the rights that these need, and no more.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'PATH',
    }),
    image: Flags.string({ summary: 'Image of metactl (see Dockerfile).', helpValue: 'IMAGE', helpGroup: INSTALLATION }),
    replicas: Flags.integer({
      summary: 'Pods of the daemon: one is at work, by its Lease; with --shards all of them.',
      default: 1,
      min: 1,
      max: 100,
      helpValue: 'N',
      helpGroup: INSTALLATION,
    }),
    shards: shardsFlag({
      summary: 'The pods share the parents in so many parts: a few times as many as pods.',
      helpGroup: INSTALLATION,
    }),
    'daemon-arg': Flags.string({
      summary: 'For the daemon: a flag with its value, as --daemon-arg=--workers=10. May be repeated.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FLAG',
      helpGroup: INSTALLATION,
    }),
    yes: applyFlags.yes,
    timeout: applyFlags.timeout,
  }),
  name: Flags.string({
    summary: 'Name of its objects.',
    default: 'metactl',
    helpValue: 'NAME',
    helpGroup: INSTALLATION,
  }),
  'dry-run': Flags.boolean({ summary: 'Print the plan, and write nothing.' }),
};

export interface InstallFlagValues extends PlanFlags {
  readonly related?: readonly GroupResource[] | GroupResource | undefined;
  readonly 'install-namespace': string;
  readonly name: string;
  readonly image?: string | undefined;
  readonly replicas: number;
  readonly shards?: number | undefined;
  readonly 'daemon-arg'?: readonly string[] | string | undefined;
  readonly timeout: number;
}

export function installOptionsOf(
  flags: InstallFlagValues,
  version: string,
): Omit<InstallOptions, 'confirm' | 'onProgress'> {
  const {
    'install-namespace': namespace,
    name,
    replicas,
    shards,
    image = `metactl:${version}`,
    timeout: timeoutMs,
  } = flags;
  const sharing = shards === undefined ? [] : [`--shards=${shards}`];
  const paths = typeof flags.file === 'string' ? flags.file.split(',') : (flags.file ?? []);
  const { fromCluster: _none, ...options } = planOptionsOf({ ...flags, file: paths, 'from-cluster': true });
  return {
    ...{ ...options, paths, timeoutMs, related: listOf(flags.related), shared: shards !== undefined },
    installation: { namespace, name, image, replicas, arguments: [...sharing, ...listOf(flags['daemon-arg'])] },
  };
}
