// What stands for a hook in metrics and traces, which are for everybody.

import type { Hook } from '../model/definition.ts';

/** Local hooks have no url: what is run stands for it, without its arguments, which may be anything. */
export function hookTarget(hook: Hook): string {
  if (hook.kind === 'webhook') return withoutSecrets(hook.url);
  return `${hook.kind}:${hook.kind === 'exec' ? hook.command[0] : hook.path}`;
}

/** A user, a password or a token in a query stand in urls now and then. */
export function withoutSecrets(text: string): string {
  const url = URL.parse(text);
  if (!url || (url.username === '' && url.password === '' && url.search === '' && url.hash === '')) return text;
  return `${url.protocol}//${url.host}${url.pathname}`;
}
