// Which hooks may be called at all, where the files that name them are a stranger's. The rule is a pure function; the
// caller's decorator asks it before each call, so there is no way around it.

import type { Hook, WebhookHook } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { HookCall } from '../model/need.ts';
import { formatRef } from '../model/ref.ts';
import type { HookCaller } from '../ports/hook.ts';

export interface HookPolicy {
  /** exec, module, jsonnet: programs that run here, with the rights of this process. */
  readonly localHooks: boolean;
  /** Hosts ("hooks.example.com", "10.0.0.7:8443") that webhooks may be called on, from a trusted place only. */
  readonly hosts: readonly string[];
  /** Why there is a policy: "GitHub Actions says that the pull request comes from x/y". */
  readonly why: string;
}

/** Calls only what the policy allows; everything else is answered with `hook-refused`. */
export function restrictHooks(caller: HookCaller, policy: HookPolicy): HookCaller {
  return {
    call: async (call, signal) => {
      const refused = refusalOf(call.hook, policy);
      if (refused === undefined) return caller.call(call, signal);
      return { kind: 'hook', id: call.id, ok: false, diagnostic: refusalDiagnostic(call, refused, policy) };
    },
    close: () => caller.close(),
  };
}

export interface Refusal {
  readonly what: string;
  /** The flag that would allow it. */
  readonly flag: string;
}

/** undefined: the hook may be called. */
export function refusalOf(hook: Hook, policy: HookPolicy): Refusal | undefined {
  if (hook.kind !== 'webhook') {
    if (policy.localHooks) return undefined;
    return { what: `it would run ${programOf(hook)} on this machine`, flag: '--allow-local-hooks' };
  }
  const url = URL.canParse(hook.url) ? new URL(hook.url) : undefined;
  if (url && policy.hosts.some((host) => isSameHost(host, url))) return refusalOfSecrets(hook, url, policy);
  const host = url ? url.host : 'a host that can not be read from its url';
  return { what: `it would send cluster data to ${host}`, flag: `--allow-hook-host ${url?.host ?? 'HOST'}` };
}

function programOf(hook: Exclude<Hook, WebhookHook>): string {
  if (hook.kind === 'exec') return `the command ${hook.command.join(' ')}`;
  return hook.kind === 'module' ? `the module ${hook.path}` : `the Jsonnet program ${hook.path}`;
}

/** The host may be trusted with the cluster's data; with any Secret that a stranger names it is not. */
function refusalOfSecrets(hook: WebhookHook, url: URL, { localHooks }: HookPolicy): Refusal | undefined {
  const secret = hook.credentials?.secret ?? hook.clientTls?.secret;
  if (secret === undefined || localHooks) return undefined;
  const { namespace, name } = secret;
  return { what: `it would use the Secret ${namespace}/${name} to call ${url.host}`, flag: '--allow-local-hooks' };
}

/** Without a port, any port of the host; never a suffix or a pattern. */
function isSameHost(allowed: string, url: URL): boolean {
  const text = `${url.protocol}//${allowed}`;
  if (allowed === '' || /[/@?#\\\s]/.test(allowed) || !URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  if (hostname === '' || hostname !== url.hostname) return false;
  const port = /:(\d+)$/.exec(allowed)?.[1];
  return port === undefined || Number(port) === portOf(url);
}

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

function refusalDiagnostic(call: HookCall, { what, flag }: Refusal, policy: HookPolicy): Diagnostic {
  return {
    severity: 'error',
    code: 'hook-refused',
    summary: `${call.controller}: ${call.hookName} hook refused for ${formatRef(call.parent)}: ${what}, and this run counts as a fork's pull request`,
    detail: `${policy.why}. The definition may be anybody's, so it may not say which programs run here or where data goes.`,
    hint: `If you have read what it does: ${flag} (or its variable), from the pipeline's own configuration.`,
    subject: call.parent,
  };
}
