// All configuration files of a run, in layers: what a flag or a variable does not say is taken from the first layer that
// says it.

import { resolve } from 'node:path';
import { type AppEnvironment, detectFork } from '../../app/index.ts';
import { nearest } from '../../kit/suggest.ts';
import { type Diagnostic, DiagnosticError, hasErrors } from '../../model/diagnostic.ts';

import { type FoundFile, findProjectFile, findUserFile, type Places } from './find-files.ts';
import {
  type FileSettings,
  type ReadContext,
  readConfigFile,
  shownPath,
  unreadable,
  type Values,
} from './read-file.ts';
import { refusedInFork } from './refused.ts';

export interface ConfigChoice {
  /** Instead of looking for the project's file. */
  readonly config?: string | undefined;
  /** No file at all. */
  readonly noConfig: boolean;
  readonly profile?: string | undefined;
  /** Absent: files that are programs run, except in a fork's pull request. */
  readonly execConfig?: boolean | undefined;
}

export interface ConfigWorld {
  readonly files: Pick<AppEnvironment['files'], 'readText'>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
}

export interface Layer {
  /** "profile staging of project", "project", "user". */
  readonly name: string;
  readonly values: Values;
}

export interface Configuration {
  /** The first one that has a setting wins. */
  readonly layers: readonly Layer[];
  readonly warnings: readonly Diagnostic[];
}

const MAX_BYTES = 1024 * 1024;

/** Throws DiagnosticError with everything that is wrong in all files. */
export async function loadConfiguration(choice: ConfigChoice, world: ConfigWorld): Promise<Configuration> {
  const problems: Diagnostic[] = [];
  const forkWhy = async (): Promise<string | undefined> => {
    const { fork, why } = await detectFork(world.variables, world.files);
    return fork ? why : undefined;
  };
  const mayRun = async (path: string): Promise<Diagnostic | undefined> => whyNotRun(path, choice, await forkWhy());
  const context: ReadContext = { files: world.files, mayRun, problems };
  const [project, user] = choice.noConfig ? [] : await filesOf(choice, world, problems);
  const projectSettings = project && (await readConfigFile(project, context));
  const userSettings = user && (await readConfigFile(user, context));
  if (projectSettings) problems.push(...(await refusals(projectSettings, forkWhy)));
  const layers = layersOf(projectSettings, userSettings, choice.profile);
  const known = [...(projectSettings?.profiles.keys() ?? []), ...(userSettings?.profiles.keys() ?? [])];
  if (choice.profile !== undefined && !known.includes(choice.profile))
    problems.push(noSuchProfile(choice.profile, known));
  if (hasErrors(problems)) throw new DiagnosticError(problems);
  return { layers, warnings: problems };
}

async function filesOf(
  choice: ConfigChoice,
  world: ConfigWorld,
  problems: Diagnostic[],
): Promise<[project: FoundFile | undefined, user: FoundFile | undefined]> {
  const places: Places = { ...world, executable: choice.execConfig !== false };
  const user = await findUserFile(places);
  if (choice.config === undefined) return [await findProjectFile(places), user];
  const path = resolve(world.workingDirectory, choice.config);
  try {
    return [{ path, text: await world.files.readText(path, MAX_BYTES) }, user];
  } catch (error) {
    problems.push(unreadable(path, error));
    return [undefined, user];
  }
}

function whyNotRun(path: string, choice: ConfigChoice, forkWhy: string | undefined): Diagnostic | undefined {
  if (choice.execConfig === true || (choice.execConfig === undefined && forkWhy === undefined)) return undefined;
  return {
    severity: 'error',
    code: 'usage',
    summary: `The configuration ${shownPath(path)} is a program and is not run${choice.execConfig === false ? ' (--no-exec-config)' : ''}`,
    ...(forkWhy === undefined || choice.execConfig === false
      ? {}
      : { detail: `This run counts as a fork's pull request, as ${forkWhy}.` }),
    hint: 'Write it as YAML. To leave it out: --no-exec-config. To run it all the same: --exec-config.',
  };
}

/** Only files of a project can come with a pull request; the user's are his. */
async function refusals(
  { values, profiles }: FileSettings,
  forkWhy: () => Promise<string | undefined>,
): Promise<Diagnostic[]> {
  const all = [values, ...profiles.values()].flatMap((layer) => [...layer]);
  if (!all.some(([key]) => refusedInFork(key, undefined, '') !== undefined)) return [];
  const why = await forkWhy();
  return why === undefined ? [] : all.flatMap(([key, { source }]) => refusedInFork(key, source, why) ?? []);
}

function layersOf(
  project: FileSettings | undefined,
  user: FileSettings | undefined,
  profile: string | undefined,
): Layer[] {
  const named = [
    { name: 'project', settings: project },
    { name: 'user', settings: user },
  ];
  const ofProfile = named.flatMap(({ name, settings }) => {
    const values = profile === undefined ? undefined : settings?.profiles.get(profile);
    return values ? [{ name: `profile ${profile} of ${name}`, values }] : [];
  });
  const rest = named.flatMap(({ name, settings }) => (settings ? [{ name, values: settings.values }] : []));
  return [...ofProfile, ...rest];
}

function noSuchProfile(typed: string, known: readonly string[]): Diagnostic {
  const meant = nearest(typed, known);
  const hint =
    known.length === 0
      ? 'No configuration file has profiles; see metactl config --show-origin.'
      : meant
        ? `Did you mean "${meant}"?`
        : `Known: ${[...new Set(known)].join(', ')}.`;
  return { severity: 'error', code: 'usage', summary: `There is no profile "${typed}"`, hint };
}
