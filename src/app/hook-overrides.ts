// Other hooks in the place of those that the definitions name, for who develops a hook or sits outside of the cluster's
// network. From the command line, variables and trusted configuration only: what is called instead is trusted as a flag is.

import { basename, dirname, extname } from 'node:path';
import type { Definition, Hook, HookBase, HookName, WebhookHook } from '../model/definition.ts';
import { definitionId } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { HookOverride } from './options.ts';

export interface Overridden {
  readonly definitions: readonly Definition[];
  /** Which hook is called instead of which: a warning each. */
  readonly notices: readonly Diagnostic[];
}

/** A hook of a controller is named more closely than its Service: the first override that fits, of the closer kind, counts. */
export async function overrideHooks(
  definitions: readonly Definition[],
  overrides: readonly HookOverride[],
): Promise<Overridden> {
  if (overrides.length === 0) return { definitions, notices: [] };
  const { namedService } = await import('../hooks/index.ts');
  const notices: Diagnostic[] = [];
  const find = (definition: Definition, name: HookName, hook: Hook): HookOverride | undefined => {
    const own = overrides.find(({ of }) => of.kind === 'hook' && of.controller === definition.name && of.hook === name);
    const url = hook.kind === 'webhook' ? URL.parse(hook.url) : null;
    const service = hook.kind === 'webhook' && url ? namedService(hook, url)?.service : undefined;
    const isItsService = ({ of }: HookOverride): boolean =>
      of.kind === 'service' && of.namespace === service?.namespace && of.name === service.name;
    return own ?? overrides.find(isItsService);
  };
  const replaced = definitions.map((definition) => {
    const hooks = Object.entries(definition.hooks).map(([name, hook]: [string, Hook]): [string, Hook] => {
      const override = find(definition, name as HookName, hook);
      if (!override) return [name, hook];
      const other = replacement(override, name as HookName, hook);
      notices.push(noticeOf(definition, name, { hook, other }));
      return [name, other];
    });
    return { ...definition, hooks: Object.fromEntries(hooks) } as unknown as Definition;
  });
  return { definitions: replaced, notices };
}

/** Hosts of urls that are called instead: who may say that, has said that they are to be trusted. */
export function hostsOfOverrides(overrides: readonly HookOverride[]): string[] {
  return overrides.flatMap(({ to }) => (to.kind === 'url' ? [new URL(to.url).host] : []));
}

function replacement({ of, to }: HookOverride, name: HookName, hook: Hook): Hook {
  const { version, timeoutMs, strict } = hook;
  const base: HookBase = { version, timeoutMs, strict, sideEffects: 'None' };
  if (to.kind === 'url') return webhookTo(of.kind === 'service' ? withPathOf(to.url, hook) : to.url, hook);
  const { path } = to;
  if (/^\.m?[jt]s$/.test(extname(path))) return { ...base, kind: 'module', path, export: name };
  if (extname(path) === '.jsonnet')
    return { ...base, kind: 'jsonnet', path, directory: dirname(path), importPaths: [] };
  return { ...base, kind: 'exec', command: [path], mode: 'once', env: {}, directory: dirname(path) };
}

/** TLS settings and credentials are for the endpoint that the definition names, and go nowhere else. */
function webhookTo(url: string, hook: Hook): WebhookHook {
  const { version, timeoutMs, strict } = hook;
  const sideEffects = hook.kind === 'webhook' ? hook.sideEffects : 'Unknown';
  const etag = hook.kind === 'webhook' && hook.etag ? { etag: hook.etag } : {};
  return { version, timeoutMs, strict, sideEffects, kind: 'webhook', url, direct: true, ...etag };
}

/** A Service may have several hooks: each keeps its path, below that of the override. */
function withPathOf(base: string, hook: Hook): string {
  const [url, own] = [new URL(base), hook.kind === 'webhook' ? new URL(hook.url) : undefined];
  return url.origin + url.pathname.replace(/\/$/, '') + (own ? own.pathname + own.search : '');
}

function noticeOf(definition: Definition, name: string, { hook, other }: { hook: Hook; other: Hook }): Diagnostic {
  return {
    severity: 'warning',
    code: 'hook-overridden',
    summary: `${definitionId(definition)}: the ${name} hook is ${shown(other)}, not ${shown(hook)}, by hookOverrides`,
    hint: 'Without --hook-override and hookOverrides the hook of the definition is called.',
    ...(definition.source ? { source: definition.source } : {}),
  };
}

function shown(hook: Hook): string {
  if (hook.kind === 'exec') return hook.command.join(' ');
  if (hook.kind !== 'webhook') return basename(hook.path);
  const url = URL.parse(hook.url);
  return url ? `${url.origin}${url.pathname}` : hook.url;
}
