import { isDnsLabel } from '../../model/names.ts';
import type { Problem } from '../problem.ts';
import type { HookRule } from './rule.ts';

export const webhookHasTarget: HookRule = function* ({ webhook }, path): Generator<Problem> {
  if (!webhook || webhook.url !== undefined) return;
  if (webhook.service && webhook.path !== undefined) return;
  const missing = webhook.service ? 'path' : webhook.path === undefined ? 'url' : 'service';
  yield {
    code: 'missing-field',
    path: [...path, 'webhook'],
    part: 'key',
    summary: `The webhook has no ${missing}`,
    detail: 'A webhook needs a url, or a service and a path.',
    hint: HINTS[missing],
  };
};

const HINTS = {
  url: 'Add "url: http://my-hook.my-namespace/sync".',
  path: 'Add "path: /sync" beside the service.',
  service: 'Add "service: {name: my-hook, namespace: my-namespace}", or a url instead of the path.',
} as const;

export const urlHasNoRival: HookRule = function* ({ webhook }, path): Generator<Problem> {
  if (webhook?.url === undefined) return;
  for (const rival of ['service', 'path'] as const) {
    if (webhook[rival] === undefined) continue;
    yield {
      severity: 'warning',
      code: 'ineffective',
      path: [...path, 'webhook', rival],
      part: 'key',
      summary: `webhook.${rival} has no effect: the url wins`,
      hint: `Remove ${rival}, or remove url.`,
    };
  }
};

export const urlIsAbsoluteHttp: HookRule = function* ({ webhook }, path): Generator<Problem> {
  const url = webhook?.url;
  if (url === undefined || isHttpUrl(url)) return;
  yield {
    code: 'invalid-value',
    path: [...path, 'webhook', 'url'],
    summary: `"${url}" is not an absolute http or https URL`,
    hint: /^[a-z][a-z0-9+.-]*:\/\//i.test(url)
      ? 'Only http:// and https:// can be called.'
      : `Write "http://${url.replace(/^\/+/, '')}".`,
  };
};

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:\/\/[^/]/i.test(text) && url.hostname !== '';
}

export const pathIsAbsolute: HookRule = function* ({ webhook }, path): Generator<Problem> {
  if (webhook?.path === undefined || webhook.path.startsWith('/')) return;
  yield {
    code: 'invalid-value',
    path: [...path, 'webhook', 'path'],
    summary: `The path "${webhook.path}" does not start with "/"`,
    hint: `Write "/${webhook.path}".`,
  };
};

export const serviceNamesAreDnsLabels: HookRule = function* ({ webhook }, path): Generator<Problem> {
  for (const field of ['name', 'namespace'] as const) {
    const value = webhook?.service?.[field];
    if (value === undefined || isDnsLabel(value)) continue;
    yield {
      code: 'invalid-value',
      path: [...path, 'webhook', 'service', field],
      summary: `"${value}" can not be the ${field} of a Service`,
      hint: 'Lower case letters, digits and "-", at most 63 characters; it starts and ends with a letter or digit.',
    };
  }
};

export const etagIsEnabled: HookRule = function* ({ webhook }, path): Generator<Problem> {
  if (!webhook?.etag || webhook.etag.enabled === true) return;
  yield {
    severity: 'warning',
    code: 'ineffective',
    path: [...path, 'webhook', 'etag'],
    part: 'key',
    summary: 'webhook.etag has no effect: it is not enabled',
    hint: 'Add "enabled: true", or remove it.',
  };
};
