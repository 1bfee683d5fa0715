import { resolve } from 'node:path';
import { parseDuration } from '../../kit/duration.ts';
import type { Hook, HookBase, HookName } from '../../model/definition.ts';
import type { GivenCall, GivenHook, GivenWebhook } from '../schema/given.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

/** `name` is the default export of a module; `directory` is absolute. */
export function normalizeHook(name: HookName, hook: GivenHook, directory: string): Hook {
  const { webhook, exec, module } = hook;
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
  return { kind: 'webhook', ...baseOf(hook, webhook ?? {}, 'Unknown'), url: urlOf(webhook ?? {}) };
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

function urlOf({ url, service, path }: GivenWebhook): string {
  if (url !== undefined) return url;
  const { protocol = 'http', name, namespace, port = 80 } = service ?? {};
  return `${protocol}://${name}.${namespace}:${port}${path}`;
}
