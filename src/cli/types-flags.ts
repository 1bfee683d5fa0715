import { Flags } from '@oclif/core';
import type { TypesOptions, TypesOutcome } from '../app/index.ts';
import { renderDiagnostics } from '../render/index.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { listOf } from './flag-values.ts';
import { writeFileAtomically } from './output.ts';
import type { Session } from './session.ts';

/** No variables: what they would say is of one controller. */
export const typesFlags = {
  file: Flags.string({
    char: 'f',
    summary: 'CustomResourceDefinitions: a file, a directory, a glob or "-". May be repeated.',
    multiple: true,
    multipleNonGreedy: true,
    required: true,
    helpValue: 'PATH',
  }),
  version: Flags.string({ summary: 'This version alone. Default: all that are served.', helpValue: 'NAME' }),
  output: Flags.string({ char: 'o', summary: 'The file that they go to. Default: stdout.', helpValue: 'FILE' }),
};

interface TypesFlags {
  readonly file: readonly string[] | string;
  readonly version?: string | undefined;
  readonly output?: string | undefined;
}

export function typesOptionsOf({ file, version, output }: TypesFlags): TypesOptions {
  return {
    paths: listOf(file),
    ...(version === undefined ? {} : { version }),
    ...(output === undefined ? {} : { target: output }),
  };
}

export async function showTypes(
  { text, diagnostics }: TypesOutcome,
  path: string | undefined,
  { streams, stderrLook }: Session,
): Promise<ExitCode> {
  if (diagnostics.length > 0) await streams.stderr.write(renderDiagnostics(diagnostics, { color: stderrLook.color }));
  if (text === undefined) return EXIT.error;
  if (path === undefined) await streams.stdout.write(text);
  else await writeFileAtomically(path, text);
  return EXIT.success;
}
