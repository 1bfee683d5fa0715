// Between oclif's parser and a command: reads the configuration that the flags ask for and completes the flags from it.

import { type EffectiveValue, effectiveValues, flagsWith, type GivenFlags } from './effective.ts';
import { type ConfigWorld, loadConfiguration } from './load.ts';
import { SETTINGS } from './settings.ts';

/** The part of oclif's result that is needed. */
export interface ParsedCommand {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly raw: readonly { readonly type: string; readonly flag?: string }[];
}

type KnownFlags = Readonly<Record<string, { readonly env?: string | undefined; readonly required?: boolean }>>;

export interface CompletedFlags {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly effective: readonly EffectiveValue[];
  /** For stderr; "" when there are none. */
  readonly warnings: string;
}

/** Throws DiagnosticError for what is wrong in a file, an Error for a flag that nobody gave. */
export async function completeFlags(
  parsed: ParsedCommand,
  known: KnownFlags,
  world: ConfigWorld,
): Promise<CompletedFlags> {
  const { flags, raw } = parsed;
  const onCommandLine = new Set(raw.flatMap(({ type, flag }) => (type === 'flag' && flag !== undefined ? [flag] : [])));
  const given: GivenFlags = { flags, onCommandLine, variables: world.variables, known };
  const configuration = await loadConfiguration(
    {
      config: flags['config'] as string | undefined,
      noConfig: flags['no-config'] === true,
      profile: flags['profile'] as string | undefined,
      execConfig: flags['exec-config'] as boolean | undefined,
    },
    world,
  );
  const effective = effectiveValues(given, configuration);
  const completed = flagsWith(given, effective);
  for (const [name, { required }] of Object.entries(known))
    if (required && completed[name] === undefined) throw new Error(missing(name));
  return { flags: completed, effective, warnings: await render(configuration.warnings) };
}

function missing(flag: string): string {
  const key = SETTINGS.find((setting) => setting.flag === flag)?.key;
  return `Missing required flag ${flag}: say --${flag}${key ? `, or set "${key}" in a configuration file` : ''}`;
}

async function render(warnings: Awaited<ReturnType<typeof loadConfiguration>>['warnings']): Promise<string> {
  if (warnings.length === 0) return '';
  const { renderDiagnostics } = await import('../../render/index.ts');
  return renderDiagnostics(warnings, { color: false });
}
