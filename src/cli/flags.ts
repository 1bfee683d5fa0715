// The flags that commands share, in groups. Each may also come from the environment: METACTL_ and its name in capitals
// (METACTL_SANDBOX_DIR); METACTL_FILE and METACTL_ALLOW_HOOK_HOST are comma lists, the other repeatable ones take one value
// there. A flag beats its variable.
// No flag takes an optional value, and one that may be repeated takes one value each time (`-f a -f b`).

import { Flags } from '@oclif/core';
import type { HookOverride, ReadinessModel } from '../app/index.ts';
import { COLOR_CHOICES } from './color.ts';
import { parseFlagDuration, parseProgram, parseTarget, parseUserExtra } from './flag-values.ts';
import { parseHookOverride } from './hook-override.ts';
import { parseOutput } from './output.ts';
import { parseReadiness } from './readiness.ts';

/** Names the variable of each flag of a group. */
export function withVariables<T extends Record<string, object>>(flags: T): T {
  const named = Object.entries(flags).map(([name, flag]) => [
    name,
    { ...flag, env: `METACTL_${name.toUpperCase().replaceAll('-', '_')}` },
  ]);
  return Object.fromEntries(named) as T;
}

/** Every command. */
export const terminalFlags = withVariables({
  color: Flags.option({ options: COLOR_CHOICES, default: 'auto' as const })({
    summary: 'Colour: auto heeds NO_COLOR, FORCE_COLOR and the terminal.',
    helpGroup: 'TERMINAL',
  }),
  ascii: Flags.boolean({ summary: 'ASCII only. Also when the locale is not UTF-8.', helpGroup: 'TERMINAL' }),
  quiet: Flags.boolean({
    char: 'q',
    summary: 'No progress on stderr; warnings and errors stay.',
    helpGroup: 'TERMINAL',
  }),
});

const CONFIGURATION = 'CONFIGURATION';

/** Which configuration files count. */
export const configFlags = withVariables({
  config: Flags.string({
    summary: "This configuration file instead of the project's.",
    helpValue: 'FILE',
    helpGroup: CONFIGURATION,
    exclusive: ['no-config'],
  }),
  'no-config': Flags.boolean({ summary: 'No configuration file at all.', helpGroup: CONFIGURATION }),
  profile: Flags.string({
    summary: 'The settings under profiles.NAME beat the others of the files.',
    helpValue: 'NAME',
    helpGroup: CONFIGURATION,
  }),
  'exec-config': Flags.boolean({
    summary: "Run configuration files that are programs. Without it they run, except in a fork's pull request.",
    allowNo: true,
    helpGroup: CONFIGURATION,
  }),
});

const CLUSTER = 'CLUSTER';

const readiness = Flags.custom<ReadinessModel>({ parse: async (text) => parseReadiness(text) })({
  summary:
    'In the sandbox: when pods become Ready, as [LABEL=VALUE:]MODEL with ready-after=5s, never, fail=REASON or flap=10s,5s. May be repeated.',
  multiple: true,
  multipleNonGreedy: true,
  helpValue: 'MODEL',
  helpGroup: CLUSTER,
});

/** Which cluster. None of them: KUBECONFIG, ~/.kube/config, in-cluster, else the sandbox in memory (an error in CI). */
export const clusterFlags = withVariables({
  kubeconfig: Flags.string({ summary: 'Path of a kubeconfig.', helpValue: 'FILE', helpGroup: CLUSTER }),
  context: Flags.string({ summary: 'Context of the kubeconfig.', helpValue: 'NAME', helpGroup: CLUSTER }),
  as: Flags.string({ summary: 'Act as this user on the cluster.', helpValue: 'USER', helpGroup: CLUSTER }),
  'as-group': Flags.string({
    summary: 'Act as a member of this group. May be repeated.',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'GROUP',
    helpGroup: CLUSTER,
  }),
  'as-uid': Flags.string({ summary: 'Act with this UID.', helpValue: 'UID', helpGroup: CLUSTER }),
  'as-user-extra': Flags.custom<ReturnType<typeof parseUserExtra>>({ parse: async (text) => parseUserExtra(text) })({
    summary: 'Act with this extra attribute. May be repeated, also for one key.',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'KEY=VALUE',
    helpGroup: CLUSTER,
  }),
  namespace: Flags.string({
    char: 'n',
    summary: 'Only parents in this namespace; where inputs without a namespace go.',
    helpValue: 'NAME',
    helpGroup: CLUSTER,
  }),
  sandbox: Flags.boolean({
    summary: 'The API server inside this process, empty and in memory.',
    helpGroup: CLUSTER,
  }),
  'sandbox-dir': Flags.string({
    summary: 'The API server inside this process, with its state kept in DIR.',
    helpValue: 'DIR',
    helpGroup: CLUSTER,
  }),
  readiness,
  concurrency: Flags.integer({
    summary: 'Requests to the API server at a time.',
    default: 16,
    min: 1,
    max: 256,
    helpValue: 'N',
    helpGroup: CLUSTER,
  }),
});

const fileFlag = (summary: string) =>
  Flags.string({ char: 'f', summary, multiple: true, multipleNonGreedy: true, helpValue: 'PATH' });

/** Definitions alone: where inputs are not applied. */
export const fileFlags = withVariables({
  file: fileFlag('Definitions: a file, a directory, a glob or "-". May be repeated.'),
});

/** What is planned or applied. Without --from-cluster a file is needed (planOptionsOf). */
export const inputFlags = withVariables({
  file: fileFlag('Definitions and inputs: a file, a directory, a glob or "-". May be repeated.'),
  'from-cluster': Flags.boolean({
    summary: "The cluster's CompositeControllers, and no definitions of files; inputs of files are taken all the same.",
  }),
  controller: Flags.string({
    summary: 'Only the controller of this name. May be repeated.',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
  }),
  target: Flags.custom<ReturnType<typeof parseTarget>>({ parse: async (text) => parseTarget(text) })({
    summary: 'Only this parent: KIND/NAMESPACE/NAME or KIND/NAME. May be repeated.',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'PARENT',
  }),
});

export const outputFlags = withVariables({
  output: Flags.custom<ReturnType<typeof parseOutput>>({ parse: async (text) => parseOutput(text) })({
    char: 'o',
    summary: 'text or json, on stdout or into a file (json=PATH). May be repeated.',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'FORMAT[=PATH]',
  }),
  'show-unchanged': Flags.boolean({ summary: 'Show the fields that stay as they are, too.' }),
});

/** What stops a plan that deletes much; --yes does not override it. */
export const guardFlags = withVariables({
  'max-deletes': Flags.integer({
    summary:
      'Deletes allowed for one parent. Without it, more than 10 that are more than 25 % of its children are not.',
    min: 0,
    helpValue: 'N',
    helpGroup: 'GUARD',
  }),
  'allow-empty': Flags.boolean({
    summary: 'Allow a hook to go from several children to none.',
    helpGroup: 'GUARD',
  }),
});

/**
 * What hooks may do where their definitions may be a stranger's. The first two are for the command line and the
 * environment only: a file of the repository must never set them.
 */
export const hookFlags = withVariables({
  'allow-local-hooks': Flags.boolean({
    summary:
      "Let exec, module and jsonnet hooks run, and see Secrets, on a fork's pull request and from a cluster too.",
    helpGroup: 'HOOKS',
  }),
  'allow-hook-host': Flags.string({
    summary: "A host (HOST or HOST:PORT) that webhooks may be on, on a fork's pull request. May be repeated.",
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'HOST',
    helpGroup: 'HOOKS',
  }),
  'ask-finalize-hooks': Flags.boolean({
    summary: 'A plan asks finalize hooks too, even those that may act outside of the cluster.',
    helpGroup: 'HOOKS',
  }),
  'jsonnet-binary': Flags.custom<string>({ parse: async (text) => parseProgram(text) })({
    summary: 'Evaluate jsonnet hooks by this command, instead of the engine in metactl.',
    helpValue: 'COMMAND',
    helpGroup: 'HOOKS',
  }),
  'hook-override': Flags.custom<HookOverride>({ parse: async (text) => parseHookOverride(text) })({
    summary:
      'Call a url or a file instead of a hook: CONTROLLER/HOOK=TARGET or service/NAMESPACE/NAME=URL. May be repeated.',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'HOOK=TARGET',
    helpGroup: 'HOOKS',
  }),
  'mask-hook-secrets': Flags.boolean({
    summary: 'Show hooks placeholders instead of Secret values; what depends on them is unknown.',
    helpGroup: 'HOOKS',
  }),
});

export const applyFlags = withVariables({
  yes: Flags.boolean({ char: 'y', summary: 'Apply without asking.' }),
  timeout: Flags.custom<number>({ parse: async (text) => parseFlagDuration(text) })({
    summary: 'How long to work and wait until everything has settled, as 90s, 10m or 1h30m.',
    default: async () => parseFlagDuration('10m'),
    defaultHelp: async () => '10m',
    helpValue: 'DURATION',
  }),
  wait: Flags.boolean({
    summary: 'Wait until everything is healthy; --no-wait ends after the writes.',
    default: true,
    allowNo: true,
  }),
});

/** For a command that shows the value and needs none. */
export function optional<T extends object>(flag: T): T {
  return { ...flag, required: false };
}

/** `sandbox serve` */
export const serveFlags = withVariables({
  'sandbox-dir': Flags.string({ summary: 'Keep the state in DIR; else it is gone at the end.', helpValue: 'DIR' }),
  port: Flags.integer({ summary: 'Port; 0 takes a free one.', default: 0, min: 0, max: 65_535, helpValue: 'N' }),
  'write-kubeconfig': Flags.string({ summary: 'Write a kubeconfig for it.', helpValue: 'FILE' }),
  readiness,
  controllers: Flags.boolean({
    summary: 'Play the controllers of Kubernetes; --no-controllers serves an API server alone, for the real ones.',
    default: true,
    allowNo: true,
  }),
});

/** `sandbox snapshot` */
export const directoryFlags = withVariables({
  'sandbox-dir': Flags.string({ summary: 'Directory of the sandbox.', required: true, helpValue: 'DIR' }),
});

/** `sandbox restore` */
export const restoreFlags = withVariables({
  ...directoryFlags,
  snapshot: Flags.string({
    summary: 'What `sandbox snapshot` printed; "-" is stdin.',
    required: true,
    helpValue: 'FILE',
  }),
});
