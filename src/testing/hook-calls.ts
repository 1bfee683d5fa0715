import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import type { ExecHook, Hook, JsonnetHook, ModuleHook, WebhookHook } from '../model/definition.ts';
import type { HookCall } from '../model/need.ts';

const BASE = { version: 'v1', timeoutMs: 10_000, strict: false, sideEffects: 'None' } as const;

/** A call of the sync hook of CompositeController/catset for CatSet default/web. */
export function hookCall(hook: Hook, more: Partial<HookCall> = {}): HookCall {
  return {
    kind: 'hook',
    id: 'call-1',
    controller: 'CompositeController/catset',
    hookName: 'sync',
    hook,
    parent: { apiVersion: 'ctl.enisoc.com/v1', kind: 'CatSet', namespace: 'default', name: 'web' },
    request: syncRequest(),
    dryRun: false,
    ...more,
  };
}

/** A composite sync request, v1, of a parent without children. */
export function syncRequest(parent: JsonObject = { metadata: { name: 'web' } }, children: JsonObject = {}): JsonObject {
  return { controller: {}, parent, children, related: {}, finalizing: false };
}

export function webhookHook(url: string, more: Partial<WebhookHook> = {}): WebhookHook {
  return { ...BASE, kind: 'webhook', url, ...more };
}

/** `script` is a file of Node's in `directory`. */
export function nodeHook(directory: string, script: string, more: Partial<ExecHook> = {}): ExecHook {
  return { ...BASE, kind: 'exec', command: [process.execPath, script], mode: 'once', env: {}, directory, ...more };
}

export function moduleHook(path: string, more: Partial<ModuleHook> = {}): ModuleHook {
  return { ...BASE, kind: 'module', path, export: 'sync', ...more };
}

/** A program beside its definition. */
export function jsonnetHook(path: string, more: Partial<JsonnetHook> = {}): JsonnetHook {
  return { ...BASE, kind: 'jsonnet', path, directory: dirname(path), importPaths: [], ...more };
}

/** A directory of the test's own, removed after it, with these files. */
export function directoryWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'metactl-hooks-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}
