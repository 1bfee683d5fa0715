import { Args, Flags } from '@oclif/core';
import type { InitOptions, InitOutcome } from '../app/index.ts';
import { renderDiagnostics } from '../render/index.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Session } from './session.ts';
import { quoteForShell } from './shell.ts';

const KINDS = ['composite', 'decorator', 'map'] as const;
const LANGUAGES = ['ts', 'js', 'python', 'jsonnet'] as const;

export const initArgs = {
  kind: Args.option({ options: KINDS })({ description: 'What kind of controller.', required: true }),
  name: Args.string({ description: 'Its name: small letters, digits and "-".', required: true }),
};

/** No variables: what they would say is of one controller. */
export const initFlags = {
  lang: Flags.option({ options: LANGUAGES, default: 'ts' as const })({ summary: 'Language of the hook.' }),
  group: Flags.string({
    summary: 'API group of its kind, or of its annotations.',
    default: 'example.com',
    helpValue: 'DOMAIN',
  }),
  dir: Flags.string({ summary: 'The directory to make. Default: the name.', helpValue: 'DIR' }),
};

interface InitArgs {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
}

interface InitFlags {
  readonly lang: (typeof LANGUAGES)[number];
  readonly group: string;
  readonly dir?: string | undefined;
}

export function initOptionsOf({ kind, name }: InitArgs, { lang, group, dir }: InitFlags): InitOptions {
  return { kind, name, language: lang, group, directory: dir ?? name };
}

/** The files on stdout, what to do with them on stderr. */
export async function showInit(
  { files, diagnostics }: InitOutcome,
  { directory }: InitOptions,
  { streams, stderrLook }: Session,
): Promise<ExitCode> {
  if (diagnostics.length > 0) await streams.stderr.write(renderDiagnostics(diagnostics, { color: stderrLook.color }));
  if (files === undefined) return EXIT.error;
  await streams.stdout.write(files.map((file) => `${directory}/${file}\n`).join(''));
  const place = quoteForShell(directory);
  await streams.stderr.write(
    `Next: cd ${place} && metactl plan -f . --sandbox-dir .sandbox   (${directory}/README.md says more)\n`,
  );
  return EXIT.success;
}
