// Text of flags → values, and parsed flags → the use cases' options. Errors are for the user: they say what to write.

import { resolve } from 'node:path';
import type {
  ClusterChoice,
  HookOverride,
  Impersonation,
  ParentTarget,
  PlanOptions,
  ReadinessModel,
  ServeSandboxOptions,
} from '../app/index.ts';
import { parseDuration } from '../kit/duration.ts';
import { fieldManagerProblem } from '../model/field-manager.ts';
import { type WriteFlagValues, writeOptionsOf } from './write-options.ts';

/** KIND/NAMESPACE/NAME or KIND/NAME. */
export function parseTarget(text: string): ParentTarget {
  const parts = text.split('/');
  const [kind, second, third] = parts;
  if (parts.length < 2 || parts.length > 3 || parts.includes('') || !kind || !second)
    throw new Error(`"${text}" does not name a parent: write KIND/NAMESPACE/NAME or KIND/NAME, as CatSet/default/web`);
  return third === undefined ? { kind, name: second } : { kind, namespace: second, name: third };
}

/** Milliseconds. */
export function parseFlagDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms < 0) throw new Error(`"${text}" is not a duration: write 90s, 10m or 1h30m`);
  return ms;
}

/** KEY=VALUE of --as-user-extra. */
export function parseUserExtra(text: string): readonly [key: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`"${text}" is no extra attribute: write KEY=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

export function parseFieldManager(text: string): string {
  const problem = fieldManagerProblem(text);
  if (problem !== undefined)
    throw new Error(`the field manager ${JSON.stringify(text)} ${problem}: write a short name`);
  return text;
}

/** A name is looked for on PATH; a path is taken from the working directory, wherever it is used. */
export function parseProgram(text: string): string {
  if (text.trim() === '') throw new Error('an empty text is no command');
  return /[\\/]/.test(text) ? resolve(text) : text;
}

type UserExtra = ReturnType<typeof parseUserExtra>;

/** What oclif parsed for plan and apply. A repeatable flag that came from the environment is one value, not a list. */
export interface PlanFlags extends WriteFlagValues {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly as?: string | undefined;
  readonly 'as-group'?: readonly string[] | string | undefined;
  readonly 'as-uid'?: string | undefined;
  /** From the environment: one pair, not a list of pairs. */
  readonly 'as-user-extra'?: readonly UserExtra[] | UserExtra | undefined;
  readonly namespace?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly 'sandbox-dir'?: string | undefined;
  /** From the environment: one, not a list. */
  readonly readiness?: readonly ReadinessModel[] | ReadinessModel | undefined;
  readonly concurrency: number;
  readonly file?: readonly string[] | string | undefined;
  readonly 'from-cluster'?: boolean | undefined;
  readonly controller?: readonly string[] | string | undefined;
  readonly target?: readonly ParentTarget[] | ParentTarget | undefined;
  readonly 'max-deletes'?: number | undefined;
  readonly 'allow-empty'?: boolean | undefined;
  readonly 'allow-local-hooks'?: boolean | undefined;
  readonly 'allow-hook-host'?: readonly string[] | string | undefined;
  readonly 'ask-finalize-hooks'?: boolean | undefined;
  /** From the environment: one, not a list. */
  readonly 'hook-override'?: readonly HookOverride[] | HookOverride | undefined;
  readonly 'mask-hook-secrets'?: boolean | undefined;
  readonly 'jsonnet-binary'?: string | undefined;
}

export function planOptionsOf(flags: PlanFlags): PlanOptions {
  const targets = listOf(flags.target);
  const controllers = listOf(flags.controller);
  const maxDeletes = flags['max-deletes'];
  return {
    cluster: clusterChoiceOf(flags),
    paths: pathsOf(flags),
    ...(flags['from-cluster'] ? { fromCluster: true } : {}),
    ...(controllers.length === 0 ? {} : { controllers }),
    ...(flags.namespace === undefined ? {} : { namespace: flags.namespace }),
    ...(targets.length === 0 ? {} : { targets }),
    ...(maxDeletes === undefined ? {} : { maxDeletes }),
    ...(flags['allow-empty'] ? { allowEmpty: true } : {}),
    ...hookOptionsOf(flags),
    ...writeOptionsOf(flags),
    concurrency: flags.concurrency,
  };
}

/** METACTL_FILE is a comma list. */
function pathsOf({ file, 'from-cluster': fromCluster }: PlanFlags): readonly string[] {
  if (file === undefined && !fromCluster)
    throw new Error(
      'Missing required flag file: say --file, or set "files" in a configuration file; or say --from-cluster',
    );
  return typeof file === 'string' ? file.split(',') : (file ?? []);
}

type HookOptions = Pick<
  PlanOptions,
  'allowLocalHooks' | 'allowHookHosts' | 'askFinalize' | 'hookOverrides' | 'maskHookSecrets' | 'jsonnetBinary'
>;

/** METACTL_ALLOW_HOOK_HOST is a comma list; no host has a comma in its name. */
function hookOptionsOf(flags: PlanFlags): HookOptions {
  const hosts = listOf(flags['allow-hook-host']).flatMap((text) => text.split(',').map((host) => host.trim()));
  const overrides = listOf(flags['hook-override']);
  return {
    ...(flags['allow-local-hooks'] ? { allowLocalHooks: true } : {}),
    ...(hosts.length === 0 ? {} : { allowHookHosts: hosts }),
    ...(flags['ask-finalize-hooks'] ? { askFinalize: true } : {}),
    ...(overrides.length === 0 ? {} : { hookOverrides: overrides }),
    ...(flags['mask-hook-secrets'] ? { maskHookSecrets: true } : {}),
    ...(flags['jsonnet-binary'] === undefined ? {} : { jsonnetBinary: flags['jsonnet-binary'] }),
  };
}

type ServeFlags = Pick<PlanFlags, 'sandbox-dir' | 'readiness'> & {
  readonly port: number;
  readonly controllers: boolean;
};

export function serveOptionsOf(flags: ServeFlags): Omit<ServeSandboxOptions, 'onListening'> {
  const { port, controllers, 'sandbox-dir': directory } = flags;
  const options = { port, controllers, readiness: listOf(flags.readiness) };
  return directory === undefined ? options : { ...options, directory };
}

export function clusterChoiceOf(flags: PlanFlags): ClusterChoice {
  const { kubeconfig, context, 'sandbox-dir': sandboxDirectory } = flags;
  const sandbox = flags.sandbox === true || sandboxDirectory !== undefined;
  if (sandbox && (kubeconfig !== undefined || context !== undefined))
    throw new Error(
      'both the sandbox and a cluster are named: give --sandbox or --sandbox-dir, or --context and --kubeconfig',
    );
  const impersonation = impersonationOf(flags);
  if (sandbox && impersonation !== undefined)
    throw new Error('the sandbox knows no users: leave out --as, --as-group, --as-uid and --as-user-extra');
  const readiness = listOf(flags.readiness);
  return {
    ...(flags.sandbox ? { sandbox: true } : {}),
    ...(readiness.length === 0 ? {} : { readiness }),
    ...(sandboxDirectory === undefined ? {} : { sandboxDirectory }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    ...(impersonation === undefined ? {} : { impersonation }),
  };
}

function impersonationOf({ as: user, 'as-uid': uid, ...flags }: PlanFlags): Impersonation | undefined {
  const groups = listOf(flags['as-group']);
  const extra: Record<string, string[]> = Object.create(null);
  for (const [key, value] of pairsOf(flags['as-user-extra'])) extra[key] = [...(extra[key] ?? []), value];
  const wanted = {
    ...(user === undefined ? {} : { user }),
    ...(uid === undefined ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra: { ...extra } }),
  };
  return Object.keys(wanted).length === 0 ? undefined : wanted;
}

function pairsOf(given: PlanFlags['as-user-extra']): readonly UserExtra[] {
  if (given === undefined) return [];
  return typeof given[0] === 'string' ? [given as UserExtra] : (given as readonly UserExtra[]);
}

/** oclif gives a repeatable flag as a list, except when it comes from the environment. */
export function listOf<T>(given: readonly T[] | T | undefined): readonly T[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given : [given as T];
}
