// What was said on the command line and in variables, completed from the configuration; and where each value came from.

import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { type Diagnostic, DiagnosticError, type SourceRange } from '../../model/diagnostic.ts';
import type { Configuration } from './load.ts';
import { SETTINGS, type Setting, variableOf } from './settings.ts';

/** As oclif parsed them, before the configuration. */
export interface GivenFlags {
  readonly flags: Readonly<Record<string, unknown>>;
  /** Names of the flags that stand on the command line. */
  readonly onCommandLine: ReadonlySet<string>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The flags that the command has, and the variable of each. */
  readonly known: Readonly<Record<string, { readonly env?: string | undefined }>>;
}

export interface EffectiveValue {
  readonly setting: Setting;
  /** As the flag's own parser would have made it. */
  readonly value: unknown;
  /** "--context", "METACTL_CONTEXT", ".metactlrc:3:10 (project)", "default". */
  readonly origin: string;
  /** The smaller beats the larger. */
  readonly rank: number;
}

const RANK = { flag: 0, variable: 1, firstLayer: 2, default: 1000 } as const;

/** The value of every setting that has one. Throws DiagnosticError for values that the flag's parser does not take. */
export function effectiveValues(given: GivenFlags, configuration: Configuration): EffectiveValue[] {
  const problems: Diagnostic[] = [];
  const found = SETTINGS.flatMap((setting) => effectiveValue(setting, given, { configuration, problems }) ?? []);
  if (problems.length > 0) throw new DiagnosticError(problems);
  return withoutOutranked(found);
}

function effectiveValue(
  setting: Setting,
  given: GivenFlags,
  { configuration, problems }: { configuration: Configuration; problems: Diagnostic[] },
): EffectiveValue | undefined {
  const { flag = '', key } = setting;
  const variable = variableOf(flag);
  // A command may have another flag of this name (-o of `config`): that one does not listen to the variable.
  const meant = isMeant(setting, given);
  const value = meant ? given.flags[flag] : undefined;
  if (meant && given.onCommandLine.has(flag)) return { setting, value, origin: `--${flag}`, rank: RANK.flag };
  const text = flag === '' ? undefined : given.variables[variable];
  if (text) {
    const taken = meant ? value : (setting.toFlag?.(text, '') ?? text);
    return { setting, value: taken, origin: variable, rank: RANK.variable };
  }
  for (const [index, { name, values }] of configuration.layers.entries()) {
    const located = values.get(key);
    if (!located) continue;
    try {
      const taken = setting.toFlag ? setting.toFlag(located.value, located.source.file) : located.value;
      return { setting, value: taken, origin: `${place(located.source)} (${name})`, rank: RANK.firstLayer + index };
    } catch (error) {
      const summary = `${key}: ${(error as Error).message}`;
      problems.push({ severity: 'error', code: 'invalid-value', summary, source: located.source });
      return undefined;
    }
  }
  return value === undefined || value === false ? undefined : { setting, value, origin: 'default', rank: RANK.default };
}

function isMeant({ flag }: Setting, { known }: GivenFlags): boolean {
  return flag !== undefined && known[flag]?.env === variableOf(flag);
}

function place({ file, line, column }: SourceRange): string {
  return `${file}:${line}:${column}`;
}

const SANDBOX = ['sandbox', 'sandboxDir'];
const CLUSTER = ['kubeconfig', 'context', 'as', 'asGroup', 'asUid', 'asUserExtra'];

/**
 * The sandbox and a cluster exclude each other: `--sandbox` beats a context of the configuration, `--context` a sandbox of
 * it. Of equal rank both stay, and the command refuses them.
 */
function withoutOutranked(values: EffectiveValue[]): EffectiveValue[] {
  const best = (keys: readonly string[]): number =>
    Math.min(
      ...values.filter(({ setting, value }) => keys.includes(setting.key) && value !== false).map(({ rank }) => rank),
    );
  const [sandbox, cluster] = [best(SANDBOX), best(CLUSTER)];
  if (sandbox === cluster) return values;
  const beaten = sandbox < cluster ? CLUSTER : SANDBOX;
  const limit = Math.min(sandbox, cluster);
  return values.filter(({ setting, rank }) => !(beaten.includes(setting.key) && rank > limit));
}

/** The flags of the command, with what the configuration adds and without what it was beaten by. */
export function flagsWith(given: GivenFlags, effective: readonly EffectiveValue[]): Record<string, unknown> {
  const flags: Record<string, unknown> = { ...given.flags };
  for (const setting of SETTINGS) if (isMeant(setting, given)) delete flags[setting.flag ?? ''];
  for (const { setting, value } of effective) if (isMeant(setting, given)) flags[setting.flag ?? ''] = value;
  for (const [name, value] of Object.entries(given.flags)) if (value === false) flags[name] ??= false;
  return flags;
}

/** For `metactl config`: key → value, or key → {value, from}. */
export function describeEffective(effective: readonly EffectiveValue[], showOrigin: boolean): JsonObject {
  return Object.fromEntries(
    effective.map(({ setting, value, origin }): [string, JsonValue] => {
      const shown = setting.show ? setting.show(value) : (value as JsonValue);
      return [setting.key, showOrigin ? { value: shown, from: origin } : shown];
    }),
  );
}
