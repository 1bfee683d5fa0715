// What a configuration file may not say: flags that are for one run, and what would let a file that came with the work
// trust itself.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { flagOfKey, REFUSED, SETTINGS, variableOf } from './settings.ts';

/** "Unknown field yes" is true and of no help: say why there is no such field. */
export function explainRefused(problem: Diagnostic): Diagnostic {
  const key = writtenKey(problem);
  if (problem.code !== 'unknown-field' || !Object.hasOwn(REFUSED, key)) return problem;
  const { path: _path, ...rest } = problem;
  const flag = flagOfKey(key);
  return {
    ...rest,
    code: 'usage',
    summary: `"${key}" can not be set in a file: ${REFUSED[key]}`,
    hint: `Say --${flag} or set ${variableOf(flag)}.`,
  };
}

/** In camel case. From the text where there is one: in kubectl's dialect `yes` is a boolean, and as a key "true". */
function writtenKey({ source, path = '' }: Diagnostic): string {
  const { lineText, column = 1, endColumn } = source ?? {};
  const written = lineText?.slice(column - 1, endColumn && endColumn - 1) ?? path.split('.').at(-1) ?? '';
  return written.replaceAll(/["'[\]]/g, '').replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** What a file that a stranger may have written does not choose, and why. */
const NAMES_PROGRAMS: Readonly<Record<string, string>> = {
  kubeconfig: 'a kubeconfig can name a program that is run for the credentials',
  jsonnetBinary: 'it is a program that is run',
  hookOverrides: 'it names what is called instead of the hooks',
};

export function refusedInFork(key: string, source: Diagnostic['source'], why: string): Diagnostic | undefined {
  const reason = Object.hasOwn(NAMES_PROGRAMS, key) ? NAMES_PROGRAMS[key] : undefined;
  if (reason === undefined) return undefined;
  const flag = SETTINGS.find((setting) => setting.key === key)?.flag ?? flagOfKey(key);
  return {
    severity: 'error',
    code: 'usage',
    summary: `${key} is not taken from a file here: ${reason}, and this run counts as a fork's pull request`,
    detail: `Counted so as ${why}.`,
    hint: `Say --${flag} or set ${key === 'kubeconfig' ? 'KUBECONFIG or ' : ''}${variableOf(flag)}.`,
    ...(source ? { source } : {}),
  };
}
