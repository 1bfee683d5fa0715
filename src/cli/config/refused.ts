// What a configuration file may not say: flags that are for one run, and what would let a file that came with the work
// trust itself.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { flagOfKey, REFUSED, variableOf } from './settings.ts';

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

const CREDENTIALS = 'a kubeconfig can name a program that is run for the credentials';

/** Files that a stranger may have written do not choose the kubeconfig. */
export function refusedInFork(key: string, source: Diagnostic['source'], why: string): Diagnostic | undefined {
  if (key !== 'kubeconfig') return undefined;
  return {
    severity: 'error',
    code: 'usage',
    summary: `kubeconfig is not taken from a file here: ${CREDENTIALS}, and this run counts as a fork's pull request`,
    detail: `Counted so as ${why}.`,
    hint: 'Say --kubeconfig or set KUBECONFIG or METACTL_KUBECONFIG.',
    ...(source ? { source } : {}),
  };
}
