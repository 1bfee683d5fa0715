// --hook-override and hookOverrides: what is called instead of a hook, as text.

import { isAbsolute, relative, resolve } from 'node:path';
import type { HookOverride } from '../app/index.ts';

const HOOKS = ['sync', 'finalize', 'customize'] as const;

/** CONTROLLER/HOOK=TARGET or service/NAMESPACE/NAME=URL. Files are relative to the working directory. */
export function parseHookOverride(text: string): HookOverride {
  const [key, target] = splitOverride(text);
  const of = subjectOf(key);
  if (of === undefined)
    throw new Error(
      `"${key}" names no hook: write CONTROLLER/HOOK (${HOOKS.join(', ')}) or service/NAMESPACE/NAME, as in catset/sync=http://127.0.0.1:8080/sync`,
    );
  if (target === '') throw new Error(`"${text}" does not say what is called instead: write ${key}=URL or ${key}=FILE`);
  if (isUrl(target)) {
    const url = URL.parse(target);
    if (!url?.hostname) throw new Error(`"${target}" is not a url that can be called`);
    return { of, to: { kind: 'url', url: target } };
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) throw new Error(`"${target}": only http and https urls can be called`);
  if (of.kind === 'service')
    throw new Error(`"${text}": a Service is overridden by a url; name CONTROLLER/HOOK for a file`);
  return { of, to: { kind: 'file', path: resolve(target) } };
}

function subjectOf(key: string): HookOverride['of'] | undefined {
  const parts = key.split('/');
  const [first = '', second = '', third = ''] = parts;
  if (parts.includes('')) return undefined;
  if (parts.length === 3 && first === 'service') return { kind: 'service', namespace: second, name: third };
  const hook = HOOKS.find((name) => name === second);
  return parts.length === 2 && hook ? { kind: 'hook', controller: first, hook } : undefined;
}

/** The inverse, with files as one would name them from here. */
export function showHookOverride({ of, to }: HookOverride): string {
  const key = of.kind === 'hook' ? `${of.controller}/${of.hook}` : `service/${of.namespace}/${of.name}`;
  return `${key}=${to.kind === 'url' ? withoutPassword(to.url) : shownPath(to.path)}`;
}

export function splitOverride(text: string): [key: string, target: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password === '') return text;
  url.password = '***';
  return url.href;
}

function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || isAbsolute(near) || near.length >= path.length ? path : near;
}
