// The hooks of one run, behind everything that stands between other people's code and ours: what may be called at all,
// which values it is shown, and what of its words comes out.

import { randomBytes } from 'node:crypto';
import type { HookPolicy } from '../hooks/index.ts';
import type { HookCaller, WebhookWire } from '../ports/hook.ts';
import type { Confidential } from './confidential.ts';
import { detectFork, type ForkVerdict } from './fork.ts';
import { hostsOfOverrides } from './hook-overrides.ts';
import { maskSecrets } from './mask-secrets.ts';
import type { World } from './open.ts';
import type { AppEnvironment, PlanOptions } from './options.ts';

export interface HookAccess {
  /** undefined: every hook of the definitions may be called. */
  readonly policy: HookPolicy | undefined;
  readonly maskSecrets: boolean;
}

/** The rule of a fork's pull request, in one place. What allows more comes from flags and variables only. */
export function hookAccess(options: PlanOptions, { fork, why }: ForkVerdict): HookAccess {
  const { allowLocalHooks = false, maskHookSecrets = false, hookOverrides = [] } = options;
  const allowHookHosts = [...(options.allowHookHosts ?? []), ...hostsOfOverrides(hookOverrides)];
  const policy = fork ? { localHooks: allowLocalHooks, hosts: allowHookHosts, why } : undefined;
  return { policy, maskSecrets: maskHookSecrets || (fork && !allowLocalHooks) };
}

/** Of the run that the hooks belong to. */
export interface HookSurroundings {
  readonly confidential: Confidential;
  readonly world: Pick<World, 'client' | 'services'>;
  readonly wire?: WebhookWire | undefined;
}

export async function openHooks(
  options: PlanOptions,
  environment: AppEnvironment,
  { confidential, world, wire }: HookSurroundings,
): Promise<HookCaller> {
  const { variables, clock, files } = environment;
  const access = hookAccess(options, await detectFork(variables, files));
  const [{ createHookCaller, restrictHooks }, { environmentProxy }] = await Promise.all([
    import('../hooks/index.ts'),
    import('../cluster/index.ts'),
  ]);
  const caller = createHookCaller({
    environment: variables,
    clock,
    limits: { inFlight: options.concurrency },
    onOutput: confidential.output,
    jsonnetBinary: options.jsonnetBinary,
    cluster: {
      reader: world.client,
      onSecret: (secret) => confidential.learn(secret),
      ...(world.services ? { outside: world.services } : {}),
    },
    proxyOf: (url) => environmentProxy(url, variables),
    wire,
  });
  const shown = access.maskSecrets ? maskSecrets(caller, randomBytes(32).toString('hex')) : caller;
  const allowed = access.policy ? restrictHooks(shown, access.policy) : shown;
  return confidential.overhear(allowed);
}

/** For a plan that is made once: a hook that is busy is waited for, and it is told that it is. */
export async function patientHooksFor(
  { hooks, confidential }: { readonly hooks: HookCaller; readonly confidential: Confidential },
  { hookPatienceMs, onProgress }: PlanOptions,
  { clock }: AppEnvironment,
): Promise<HookCaller> {
  const { patientHooks } = await import('../hooks/index.ts');
  return patientHooks(hooks, {
    clock,
    totalMs: hookPatienceMs,
    onWait: ({ parent, hookName }, { ms, waitedMs }) => {
      const reason = `the ${hookName} hook is busy: it is asked again in ${Math.ceil(ms / 1_000)} s`;
      const on = [{ ref: parent, reason }].map(confidential.waitingOn);
      onProgress?.({ kind: 'waiting', on, elapsedMs: waitedMs });
    },
  });
}
