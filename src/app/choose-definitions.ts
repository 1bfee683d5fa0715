// Which controllers a run is about: those of the files or those of the cluster, all or the named ones, and of the cluster's
// none that would run a program here unasked.

import type { ClusterClient } from '../cluster/index.ts';
import { nearest } from '../kit/suggest.ts';
import { type Definition, definitionId, type Hook } from '../model/definition.ts';
import { type Diagnostic, DiagnosticError } from '../model/diagnostic.ts';
import { type ApplyFlags, withApplySettings } from './apply-settings.ts';
import { type ClusterDefinitions, readClusterDefinitions } from './cluster-definitions.ts';
import { conflictingControllers } from './conflicting-controllers.ts';
import { overrideHooks } from './hook-overrides.ts';
import type { AppEnvironment, PlanOptions } from './options.ts';

interface Places {
  readonly client: ClusterClient;
  readonly files: Pick<AppEnvironment['files'], 'resolve'>;
}

type Choice = Pick<PlanOptions, 'fromCluster' | 'controllers'> & Calling;

export interface Calling extends Pick<PlanOptions, 'hookOverrides' | 'allowLocalHooks'>, ApplyFlags {
  /** In a daemon the definitions of files have no more rights than those of the cluster. */
  readonly daemon?: boolean;
}

/** With the hooks that are called. `ofFiles`: what the files define. Throws DiagnosticError for names of no controller. */
export async function chooseDefinitions(
  ofFiles: readonly Definition[],
  options: Choice,
  places: Places,
): Promise<ClusterDefinitions> {
  const chosen = await fromFilesOrCluster(ofFiles, options, places);
  const called = await asCalled(chosen.definitions, options);
  return {
    definitions: called.definitions,
    setAside: [...chosen.setAside, ...called.setAside],
    warnings: [...chosen.warnings, ...called.warnings],
  };
}

/** With what flags say of how they write and which hooks are called; without those whose hooks may not run here. */
export async function asCalled(definitions: readonly Definition[], options: Calling): Promise<ClusterDefinitions> {
  const written = definitions.map((definition) => withApplySettings(definition, options));
  const { definitions: overridden, notices } = await overrideHooks(written, options.hookOverrides ?? []);
  const warnings = [...notices, ...conflictingControllers(overridden)];
  if (options.allowLocalHooks) return { definitions: overridden, setAside: [], warnings };
  return { ...setAsideLocalHooks(overridden, written, options.daemon ?? false), warnings };
}

async function fromFilesOrCluster(
  ofFiles: readonly Definition[],
  { fromCluster = false, controllers: names }: Choice,
  { client, files }: Places,
): Promise<ClusterDefinitions> {
  if (!fromCluster) return { definitions: named(ofFiles, names), setAside: [], warnings: [] };
  const found = await readClusterDefinitions(client, { names, directory: files.resolve('.') });
  return { ...found, warnings: [...found.warnings, ...ofFiles.map(leftOut)] };
}

function named(definitions: readonly Definition[], names: readonly string[] | undefined): readonly Definition[] {
  if (names === undefined) return definitions;
  const known = definitions.map(({ name }) => name);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length > 0) throw new DiagnosticError(missing.map((name) => noSuchController(name, known)));
  return definitions.filter(({ name }) => names.includes(name));
}

/**
 * Without the definitions of the cluster that have a hook which is a program: whoever may write there would say what runs
 * here. `given`: the same before the user's overrides; a hook that he has named himself may run.
 */
function setAsideLocalHooks(
  definitions: readonly Definition[],
  given: readonly Definition[],
  daemon: boolean,
): Pick<ClusterDefinitions, 'definitions' | 'setAside'> {
  const ofStrangers = given.filter(({ fromCluster }) => daemon || fromCluster);
  const theirs = new Set(ofStrangers.flatMap(({ hooks }) => Object.values(hooks)));
  const refusals = definitions.map((definition) =>
    Object.entries(definition.hooks)
      .filter(([, hook]: [string, Hook]) => hook.kind !== 'webhook' && theirs.has(hook))
      .map(([name, hook]: [string, Hook]) => refusal(definition, name, hook)),
  );
  return { definitions: definitions.filter((_, index) => refusals[index]?.length === 0), setAside: refusals.flat() };
}

function refusal(definition: Definition, name: string, { kind }: Hook): Diagnostic {
  return {
    severity: 'error',
    code: 'hook-refused',
    summary: `${definitionId(definition)}: the ${name} hook (${kind}) would run a program on this machine, and ${definition.fromCluster ? 'the definition comes from the cluster' : 'this is a daemon'}`,
    detail: definition.fromCluster
      ? `Whoever may write ${definition.kind}s there would say which programs run here.`
      : 'It has rights in the cluster that hooks are not to have.',
    hint: 'If you have read what it does: --allow-local-hooks.',
    path: `spec.hooks.${name}.${kind}`,
  };
}

function leftOut(definition: Definition): Diagnostic {
  return {
    severity: 'warning',
    code: 'ineffective',
    summary: `${definitionId(definition)} of the files is left out: --from-cluster takes the definitions of the cluster`,
    ...(definition.source ? { source: definition.source } : {}),
  };
}

function noSuchController(name: string, known: readonly string[]): Diagnostic {
  const meant = nearest(name, known);
  const all = known.length === 0 ? 'They define none.' : `They define: ${known.join(', ')}.`;
  const hint = meant === undefined ? all : `Did you mean ${meant}?`;
  return { severity: 'error', code: 'usage', summary: `the files define no controller called ${name}`, hint };
}
