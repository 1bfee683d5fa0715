// "fetch failed: ECONNREFUSED" helps nobody: the usual ways in which no answer comes, in words, each with what to do.

import type { WebhookHook } from '../../model/definition.ts';
import { DiagnosticError } from '../../model/diagnostic.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import { missingPermission } from '../../ports/permission.ts';
import { HookFailure } from '../failure.ts';
import { isTlsCode, tlsWords, type Words } from './tls-words.ts';

/** TLS did not come about; or the server closed the connection on our certificate, as some do without a word. */
export function isTlsFailure(error: unknown, hook: WebhookHook): boolean {
  if (error instanceof HookFailure) return false;
  const { code } = rootOf(error);
  return isTlsCode(code) || (hook.clientTls !== undefined && CLOSED.includes(code));
}

const CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

export function connectionFailure(error: unknown, url: URL, hook: WebhookHook): HookFailure {
  if (error instanceof ApiError || error instanceof ConnectionError) return serverFailure(error, url);
  if (error instanceof DiagnosticError) return configurationFailure(error);
  const { code, message, names } = rootOf(error);
  const { what, hint } = isTlsCode(code) ? tlsWords(code, message, { url, hook, names }) : describe(code, message, url);
  return new HookFailure(
    { code: 'hook-failed', what, why: `${code ? `${code}: ` : ''}${message}`, hint },
    { cause: error },
  );
}

function describe(code: string, message: string, url: URL): Words {
  const place = hostAndPort(url);
  if (code === 'ECONNREFUSED')
    return {
      what: `nothing listens at ${place}`,
      hint: `start the hook's server${clusterName(url) ? '' : ', or correct the url'}`,
    };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return unresolved(url);
  if (CLOSED.includes(code))
    return {
      what: `${place} closed the connection before its answer was complete`,
      hint: `look at the hook's own log${url.protocol === 'https:' ? '; it may want another client certificate (webhook.clientTLS)' : ''}`,
    };
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return { what: `${place} can't be reached from here`, hint: 'check the network between this machine and the hook' };
  if (code.startsWith('HPE_'))
    return { what: `${place} answered something that is not HTTP`, hint: 'is the port right, and is it not https?' };
  const proxy = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(message)?.[1];
  if (proxy)
    return {
      what: `the proxy on the way to ${place} refused (${proxy})`,
      hint: 'check HTTP_PROXY and HTTPS_PROXY, or name the host in NO_PROXY',
    };
  return { what: `no answer from ${place}: ${message}` };
}

/** A proxy of the environment that can't be used. */
function configurationFailure({ diagnostics: [first], message }: DiagnosticError): HookFailure {
  return new HookFailure({
    code: 'hook-failed',
    what: first?.summary ?? message,
    why: first?.detail,
    hint: first?.hint,
  });
}

/** On the way through the API server, or while it was asked for the way. */
function serverFailure(error: ApiError | ConnectionError, url: URL): HookFailure {
  const denied = missingPermission(error);
  return new HookFailure(
    {
      code: denied ? 'forbidden' : 'hook-failed',
      what: `${url.host} can't be reached through the API server: ${denied?.summary ?? error.message}`,
      why: denied?.detail,
      hint: denied?.hint ?? 'hookOverrides in the configuration can name another way to the hook',
    },
    { cause: error },
  );
}

function unresolved(url: URL): Words {
  const service = clusterName(url);
  if (service === undefined)
    return { what: `the host name ${url.hostname} does not resolve`, hint: 'check the spelling of the url' };
  return {
    what: `the host name ${url.hostname} does not resolve on this machine`,
    hint:
      `it looks like the Service ${service} inside a cluster, which only resolves there: choose that cluster's context, ` +
      'or make it reachable (kubectl port-forward) and name the local url in hookOverrides',
  };
}

/** "namespace/name" when the host has the form that Services have: name.namespace, with .svc and what follows it. */
function clusterName(url: URL): string | undefined {
  const match = /^([a-z0-9-]+)\.([a-z0-9-]+)(\.svc(\..+)?)?$/.exec(url.hostname);
  return match ? `${match[2]}/${match[1]}` : undefined;
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

/** undici wraps, and "happy eyeballs" gives one error per address: the first that has a code says it best. */
function rootOf(error: unknown): { code: string; message: string; names?: string | undefined } {
  const seen: unknown[] = [error];
  for (const candidate of seen) {
    if (!(candidate instanceof Error)) continue;
    const code = (candidate as NodeJS.ErrnoException).code;
    const inner = candidate instanceof AggregateError ? candidate.errors : [candidate.cause];
    const wrapped = inner.some((one) => one instanceof Error && (one as NodeJS.ErrnoException).code);
    if (code && !wrapped) return { code, message: candidate.message, names: namesOf(candidate) };
    // undici's parser gives a code for some of what it can't read, and for some none.
    if (candidate.name === 'HTTPParserError') return { code: 'HPE_INVALID', message: candidate.message };
    seen.push(...inner);
  }
  return { code: '', message: error instanceof Error ? error.message : String(error) };
}

/** Node keeps the certificate that is for another name with its error. */
function namesOf(error: Error & { readonly cert?: { readonly subjectaltname?: string } }): string | undefined {
  return error.cert?.subjectaltname;
}
