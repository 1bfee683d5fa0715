// The `exec` entry of a kubeconfig user, checked when the configuration is read: a mistake in it is told before anything runs.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { textOf } from './kubeconfig-file.ts';
import { kubeconfigProblem } from './problems.ts';

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const MODES = ['Never', 'IfAvailable', 'Always'] as const;

export type InteractiveMode = (typeof MODES)[number];

export interface ExecConfig {
  readonly apiVersion: string;
  /** Absolute, or a bare name that is looked up in PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: InteractiveMode;
}

/** undefined: this user has no plugin. `origin`: where the entry stands. Throws DiagnosticError. */
export function execConfigOf(user: JsonObject, origin: string): ExecConfig | undefined {
  const exec = user['exec'] ?? null;
  if (exec === null) return undefined;
  const wrong = (what: string, hint?: string): never => {
    throw kubeconfigProblem(`${origin}: its credential plugin (exec) ${what}`, hint === undefined ? {} : { hint });
  };
  if (!isJsonObject(exec)) return wrong('is not a map');
  const apiVersion = textOf(exec, 'apiVersion') ?? '';
  if (!VERSIONS.includes(apiVersion)) {
    const given = apiVersion === '' ? 'has no apiVersion' : `has the apiVersion "${apiVersion}"`;
    return wrong(given, `one of ${VERSIONS.join(', ')}; a newer version of the plugin writes it`);
  }
  const command = textOf(exec, 'command') ?? wrong('has no command');
  const args = exec['args'] ?? [];
  if (!isJsonArray(args) || !args.every((arg) => typeof arg === 'string')) return wrong('has args that are not texts');
  const mode = textOf(exec, 'interactiveMode') ?? (apiVersion === VERSIONS[1] ? 'IfAvailable' : '');
  const interactiveMode = MODES.find((known) => known === mode);
  if (interactiveMode === undefined) {
    return wrong(
      mode === '' ? 'has no interactiveMode' : 'has an unknown interactiveMode',
      `one of ${MODES.join(', ')}`,
    );
  }
  return {
    apiVersion,
    command,
    args: args as readonly string[],
    env: environmentOf(exec['env'] ?? []) ?? wrong('has an env that is not a list of name and value'),
    installHint: textOf(exec, 'installHint'),
    provideClusterInfo: exec['provideClusterInfo'] === true,
    interactiveMode,
  };
}

function environmentOf(list: JsonValue): Record<string, string> | undefined {
  if (!isJsonArray(list)) return undefined;
  const environment: Record<string, string> = Object.create(null);
  for (const item of list) {
    if (!isJsonObject(item)) return undefined;
    const { name, value } = item;
    if (typeof name !== 'string' || name === '' || typeof value !== 'string') return undefined;
    environment[name] = value;
  }
  return environment;
}
