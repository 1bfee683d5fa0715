// Text of flags → values, and parsed flags → the use cases' options. Errors are for the user: they say what to write.

import type { ClusterChoice, Impersonation, ParentTarget, PlanOptions } from '../app/index.ts';
import { parseDuration } from '../kit/duration.ts';

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

type UserExtra = ReturnType<typeof parseUserExtra>;

/** What oclif parsed for plan and apply. A repeatable flag that came from the environment is one value, not a list. */
export interface PlanFlags {
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
  readonly concurrency: number;
  readonly file: readonly string[] | string;
  readonly target?: readonly ParentTarget[] | ParentTarget | undefined;
  readonly 'max-deletes'?: number | undefined;
  readonly 'allow-empty'?: boolean | undefined;
  readonly 'allow-local-hooks'?: boolean | undefined;
  readonly 'allow-hook-host'?: readonly string[] | string | undefined;
  readonly 'ask-finalize-hooks'?: boolean | undefined;
  readonly 'mask-hook-secrets'?: boolean | undefined;
}

export function planOptionsOf(flags: PlanFlags): PlanOptions {
  const targets = listOf(flags.target);
  const maxDeletes = flags['max-deletes'];
  return {
    cluster: clusterChoiceOf(flags),
    paths: typeof flags.file === 'string' ? flags.file.split(',') : flags.file,
    ...(flags.namespace === undefined ? {} : { namespace: flags.namespace }),
    ...(targets.length === 0 ? {} : { targets }),
    ...(maxDeletes === undefined ? {} : { maxDeletes }),
    ...(flags['allow-empty'] ? { allowEmpty: true } : {}),
    ...hookOptionsOf(flags),
    concurrency: flags.concurrency,
  };
}

type HookOptions = Pick<PlanOptions, 'allowLocalHooks' | 'allowHookHosts' | 'askFinalize' | 'maskHookSecrets'>;

/** METACTL_ALLOW_HOOK_HOST is a comma list; no host has a comma in its name. */
function hookOptionsOf(flags: PlanFlags): HookOptions {
  const hosts = listOf(flags['allow-hook-host']).flatMap((text) => text.split(',').map((host) => host.trim()));
  return {
    ...(flags['allow-local-hooks'] ? { allowLocalHooks: true } : {}),
    ...(hosts.length === 0 ? {} : { allowHookHosts: hosts }),
    ...(flags['ask-finalize-hooks'] ? { askFinalize: true } : {}),
    ...(flags['mask-hook-secrets'] ? { maskHookSecrets: true } : {}),
  };
}

function clusterChoiceOf(flags: PlanFlags): ClusterChoice {
  const { kubeconfig, context, 'sandbox-dir': sandboxDirectory } = flags;
  const sandbox = flags.sandbox === true || sandboxDirectory !== undefined;
  if (sandbox && (kubeconfig !== undefined || context !== undefined))
    throw new Error(
      'both the sandbox and a cluster are named: give --sandbox or --sandbox-dir, or --context and --kubeconfig',
    );
  const impersonation = impersonationOf(flags);
  if (sandbox && impersonation !== undefined)
    throw new Error('the sandbox knows no users: leave out --as, --as-group, --as-uid and --as-user-extra');
  return {
    ...(flags.sandbox ? { sandbox: true } : {}),
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
