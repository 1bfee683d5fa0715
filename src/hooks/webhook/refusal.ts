// An answer that is not 200, in words: what was said, by whom, and what to do.

import { backoffDelay } from '../../kit/backoff.ts';
import { isJsonObject, parseJson } from '../../kit/json.ts';
import type { WebhookHook } from '../../model/definition.ts';
import { type FailureFacts, HookFailure } from '../failure.ts';
import { excerptStart } from '../foreign-text.ts';
import { referencesOf } from './identity.ts';
import type { Reply } from './reach.ts';
import { parseRetryAfter } from './retry-after.ts';

/** The hook asks to be left alone for a while. */
export const isBusy = (status: number): boolean => status === 429 || status === 503;

const BUSY = { base: 1_000, cap: 30_000 };

export interface Refused {
  readonly hook: WebhookHook;
  readonly url: URL;
  readonly reply: Reply;
  /** The beginning of the body. */
  readonly bytes: Uint8Array;
  /** Texts that must not be repeated. */
  readonly hidden: readonly string[];
  /** How often in a row it was busy before. */
  readonly busyBefore: number;
  /** Epoch time. */
  readonly now: number;
}

export function refusal(refused: Refused): HookFailure {
  const { hook, url, reply, bytes, hidden } = refused;
  const text = new TextDecoder().decode(bytes);
  const byServer = reply.byService && statusMessage(text);
  if (byServer !== undefined) return new HookFailure(proxyRefusal(refused, byServer));
  const said = excerptStart(without(hidden, text));
  const { status, statusText } = reply;
  return new HookFailure({
    code: 'hook-failed',
    what: `${url.origin}${url.pathname} answered ${status}${statusText ? ` ${statusText}` : ''}`,
    why: said === '' ? 'The response has no body.' : `The response body: ${said}`,
    hint: hintFor(status, reply.header('location'), hook),
    statusCode: status,
    ...(isBusy(status) ? { retryAfterSeconds: pause(refused) } : {}),
  });
}

/** What the hook says, but never less than a backoff of our own: "in 0 seconds", said again and again, is no answer. */
function pause({ reply, busyBefore, now }: Refused): number {
  const own = backoffDelay(BUSY, busyBefore) / 1_000;
  return Math.max(own, parseRetryAfter(reply.header('retry-after'), now) ?? 0);
}

/** Echoed credentials: longer ones first, as one may be part of another. Of one or two letters no text would be left. */
function without(hidden: readonly string[], text: string): string {
  const values = hidden.filter(({ length }) => length > 2).sort((a, b) => b.length - a.length);
  return values.reduce((rest, value) => rest.replaceAll(value, '(Secret value)'), text);
}

/** The message of a Status, which is how an API server itself refuses. */
function statusMessage(text: string): string | undefined {
  try {
    const status = parseJson(text);
    const isStatus = isJsonObject(status) && status['kind'] === 'Status' && status['apiVersion'] === 'v1';
    return isStatus && typeof status['message'] === 'string' ? excerptStart(status['message']) : undefined;
  } catch {
    return undefined; // not JSON: the hook's own words
  }
}

function proxyRefusal({ reply, url }: Refused, message: string): FailureFacts {
  const { namespace, name } = reply.byService ?? { namespace: '', name: '' };
  return {
    code: reply.status === 403 ? 'forbidden' : 'hook-failed',
    what: `the API server's proxy to the Service ${namespace}/${name} answered ${reply.status}: ${message}`,
    why: `From outside of the cluster ${url.host} is reached through the API server.`,
    hint: PROXY_HINTS[reply.status] ?? 'hookOverrides in the configuration can name another way to the hook',
  };
}

const PROXY_HINTS: Readonly<Record<number, string>> = {
  403: 'a Role needs the rule {apiGroups: [""], resources: ["services/proxy"], verbs: ["create"]}; or name another way in hookOverrides',
  404: 'check name, namespace and port of the Service, and the context',
  503: "the Service has no pod that is ready: look at the pods of the hook's Deployment",
};

function hintFor(status: number, location: string | undefined, hook: WebhookHook): string {
  if (status >= 300 && status < 400)
    return `redirects are not followed${location ? `: write ${excerptStart(location)} in the definition if that is the hook` : ''}`;
  if (status === 401 || status === 403) return credentialsHint(hook);
  if (status === 404) return 'check the path of the url';
  if (status === 405) return 'the hook must accept POST';
  if (isBusy(status)) return 'the hook is busy: it is asked again later';
  return "only 200 is success: look at the hook's own log";
}

function credentialsHint(hook: WebhookHook): string {
  const secrets = referencesOf(hook).flatMap(({ kind, namespace, name }) =>
    kind === 'Secret' ? [`${namespace}/${name}`] : [],
  );
  if (secrets.length === 0)
    return 'the hook asks for credentials: give it authorization, basicAuth or clientTLS in the definition';
  return `the hook did not take the credentials in the Secret ${[...new Set(secrets)].join(', ')}, which was read again: put it right there`;
}
