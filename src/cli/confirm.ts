// The question before anything is written. It is asked on the terminal only; where nobody can answer, it is "impossible"
// at once, and the two commands that work are printed.

import { changesOf, type Plan } from '../model/plan.ts';
import { formatRef, type Ref } from '../model/ref.ts';
import { quoteForShell } from './shell.ts';
import type { Streams } from './streams.ts';

/** Kinds whose deletion takes more with it than the object, or data that does not come back. */
const NAME_MUST_BE_TYPED: readonly string[] = [
  'Namespace',
  'CustomResourceDefinition',
  'PersistentVolumeClaim',
  'StatefulSet',
];

export interface ConfirmOptions {
  readonly yes: boolean;
  readonly streams: Streams;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The command line as it was given, without the names of program and command. */
  readonly argv: readonly string[];
  readonly command: 'apply' | 'install' | 'uninstall';
}

/** --yes answers for the names too: it is given for a pipeline, where the guards are what protects. */
export async function confirmPlan(plan: Plan, options: ConfirmOptions): Promise<'yes' | 'no' | 'impossible'> {
  if (options.yes) return 'yes';
  const { streams } = options;
  if (!canAsk(options)) {
    await streams.stderr.write(howWithoutQuestions(options));
    return 'impossible';
  }
  for (const ref of namesToType(plan)) {
    const typed = await streams.ask(`This deletes ${formatRef(ref)}. Type its name to go on: `);
    if (typed?.trim() !== ref.name) return 'no';
  }
  return (await streams.ask('Only "yes" applies this plan: '))?.trim() === 'yes' ? 'yes' : 'no';
}

function canAsk({ streams, variables }: ConfirmOptions): boolean {
  const ci = variables['CI'];
  const inPipeline = ci !== undefined && ci !== '' && ci !== 'false' && ci !== '0';
  return streams.stdinIsTTY && streams.stderr.isTTY && !inPipeline;
}

function namesToType(plan: Plan): Ref[] {
  return changesOf(plan)
    .filter((change) => change.verb === 'delete' && NAME_MUST_BE_TYPED.includes(change.object.kind))
    .map((change) => change.object);
}

function howWithoutQuestions({ argv, command }: ConfirmOptions): string {
  const commandLine = (...words: readonly string[]): string => `  metactl ${words.map(quoteForShell).join(' ')}`;
  return [
    'Nothing was written: there is no terminal to confirm this plan on. What works:',
    ...(command === 'apply' ? [commandLine('plan', ...withoutApplyFlags(argv))] : []),
    ...(command === 'install' ? [commandLine('install', ...argv, '--dry-run')] : []),
    commandLine(command, ...argv, '--yes'),
    '',
  ].join('\n');
}

/** What `plan` does not have: it would refuse them. */
function withoutApplyFlags(argv: readonly string[]): string[] {
  return argv.filter(
    (word, index) =>
      !/^(--timeout(=.*)?|--wait|--no-wait|--yes|-y)$/.test(word) && (index === 0 || argv[index - 1] !== '--timeout'),
  );
}
