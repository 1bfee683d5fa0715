import { Flags } from '@oclif/core';
import type { UninstallOptions } from '../app/index.ts';
import { clusterChoiceOf, listOf, type PlanFlags } from './flag-values.ts';
import { withVariables } from './flags.ts';

export const uninstallFlags = withVariables({
  file: Flags.string({
    char: 'f',
    summary: 'The definitions of the controllers: a file, a directory, a glob or "-". May be repeated.',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'PATH',
  }),
  controller: Flags.string({
    summary: 'The controller of this name: of the files, or without files of the cluster. May be repeated.',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
  }),
  yes: Flags.boolean({ char: 'y', summary: 'Take the finalizers off without asking.' }),
});

type Given = Omit<UninstallOptions, 'confirm' | 'onProgress'>;

/** Throws where no controller is named. */
export function uninstallOptionsOf(flags: PlanFlags): Given {
  const { namespace, concurrency } = flags;
  const paths = typeof flags.file === 'string' ? flags.file.split(',') : (flags.file ?? []);
  const names = listOf(flags.controller);
  if (paths.length === 0 && names.length === 0)
    throw new Error(
      'no controller is named: pass its definition (-f FILE), or its name in the cluster (--controller NAME)',
    );
  const cluster = clusterChoiceOf(flags);
  return { cluster, paths, names, concurrency, ...(namespace === undefined ? {} : { namespace }) };
}
