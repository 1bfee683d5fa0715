import { resolve } from 'node:path';
import { parseDuration } from '../../kit/duration.ts';
import type { Hook, HookBase, HookName, WebhookHook } from '../../model/definition.ts';
import { webhookUrl } from '../endpoint-host.ts';
import { indexed } from '../rules/rule.ts';
import type { GivenCall, GivenEndpointConfig, GivenHook, GivenWebhook, Items } from '../schema/given.ts';
import { etagOf, securityOf } from './security.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

export interface HookContext {
  /** Absolute. */
  readonly directory: string;
  readonly endpointConfigs: Items<GivenEndpointConfig> | undefined;
}

/** `name` is the default export of a module. */
export function normalizeHook(name: HookName, hook: GivenHook, context: HookContext): Hook {
  const { directory } = context;
  const { webhook, exec, module, jsonnet } = hook;
  if (exec) {
    return {
      kind: 'exec',
      ...baseOf(hook, exec, 'None'),
      command: (exec.command ?? []).map((word) => word ?? ''),
      mode: exec.mode ?? 'once',
      env: (exec.env ?? {}) as Readonly<Record<string, string>>,
      directory,
    };
  }
  if (module) {
    return {
      kind: 'module',
      ...baseOf(hook, module, 'None'),
      path: resolve(directory, module.path ?? ''),
      export: module.export ?? name,
    };
  }
  if (jsonnet) {
    return {
      kind: 'jsonnet',
      ...baseOf(hook, jsonnet, 'None'),
      path: resolve(directory, jsonnet.path ?? ''),
      directory,
      importPaths: indexed(jsonnet.importPaths).map(([, path]) => resolve(directory, path)),
    };
  }
  return normalizeWebhook(hook, webhook ?? {}, context);
}

function normalizeWebhook(hook: GivenHook, webhook: GivenWebhook, { endpointConfigs }: HookContext): WebhookHook {
  const etag = etagOf(webhook);
  const { name, namespace } = webhook.service ?? {};
  return {
    kind: 'webhook',
    ...baseOf(hook, webhook, 'Unknown'),
    url: webhookUrl(webhook),
    ...(webhook.url === undefined && name !== undefined && namespace !== undefined
      ? { service: { namespace, name } }
      : {}),
    ...(etag ? { etag } : {}),
    ...securityOf(webhook, endpointConfigs),
  };
}

function baseOf(hook: GivenHook, call: GivenCall, sideEffects: HookBase['sideEffects']): HookBase {
  const version = hook.version ?? 'v1';
  const timeout = call.timeout === undefined ? undefined : parseDuration(call.timeout);
  const mode = call.responseUnMarshallMode ?? (version === 'v2' ? 'strict' : 'loose');
  return {
    version,
    timeoutMs: timeout !== undefined && timeout > 0 ? timeout : DEFAULT_TIMEOUT_MS,
    strict: mode === 'strict',
    sideEffects: hook.sideEffects ?? sideEffects,
  };
}
