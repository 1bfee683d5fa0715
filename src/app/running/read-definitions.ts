// The definitions of a daemon: from objects of the cluster, or from files; with what the flags say, and without those whose
// hooks would run programs here.

import type { JsonObject } from '../../kit/json.ts';
import type { Definition } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { asCalled, type Calling } from '../choose-definitions.ts';
import type { AppEnvironment, PlanOptions } from '../options.ts';

export interface ReadDefinitions {
  readonly definitions: readonly Definition[];
  readonly problems: readonly Diagnostic[];
}

export async function readDefinition(
  object: KubeObject,
  options: Calling,
  { files }: Pick<AppEnvironment, 'files'>,
): Promise<{ readonly definition?: Definition; readonly problems: readonly Diagnostic[] }> {
  const { definitionFromObject } = await import('../../definitions/index.ts');
  const context = { directory: files.resolve('.'), fromCluster: true };
  const { definition, diagnostics } = definitionFromObject(object as unknown as JsonObject, context);
  if (!definition) return { problems: diagnostics };
  const called = await asCalled([definition], { ...options, daemon: true });
  const [usable] = called.definitions;
  return { problems: [...diagnostics, ...called.setAside], ...(usable ? { definition: usable } : {}) };
}

/** Whatever is wrong with a file is an error of the whole: nobody watches the files of a daemon. */
export async function definitionsOfFiles(
  options: Calling & Pick<PlanOptions, 'paths'>,
  { files }: Pick<AppEnvironment, 'files'>,
): Promise<ReadDefinitions> {
  const { loadInputs } = await import('../../definitions/index.ts');
  const { definitions, inputs, diagnostics } = await loadInputs({ paths: options.paths, files });
  const called = await asCalled(definitions, { ...options, daemon: true });
  const left: readonly Diagnostic[] = inputs.length === 0 ? [] : [inputsLeft(inputs.length)];
  return {
    definitions: called.definitions,
    problems: [...diagnostics, ...left, ...called.warnings, ...called.setAside],
  };
}

const inputsLeft = (count: number): Diagnostic => ({
  severity: 'warning',
  code: 'ineffective',
  summary: `${count} objects of the files are no definitions of controllers, and are left alone: a daemon applies no inputs`,
  hint: 'metactl apply writes them.',
});
