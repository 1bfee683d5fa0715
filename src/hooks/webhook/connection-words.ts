// "fetch failed: ECONNREFUSED" helps nobody: the usual ways in which no answer comes, in words, each with what to do.

import { HookFailure } from '../failure.ts';

export function connectionFailure(error: unknown, url: URL): HookFailure {
  const { code, message } = rootOf(error);
  const { what, hint } = describe(code, message, url);
  return new HookFailure(
    { code: 'hook-failed', what, why: `${code ? `${code}: ` : ''}${message}`, hint },
    { cause: error },
  );
}

interface Words {
  readonly what: string;
  readonly hint?: string;
}

function describe(code: string, message: string, url: URL): Words {
  const place = hostAndPort(url);
  if (code === 'ECONNREFUSED')
    return {
      what: `nothing listens at ${place}`,
      hint: `start the hook's server${clusterName(url) ? '' : ', or correct the url'}`,
    };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return unresolved(url);
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET')
    return {
      what: `${place} closed the connection before its answer was complete`,
      hint: "look at the hook's own log",
    };
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return { what: `${place} can't be reached from here`, hint: 'check the network between this machine and the hook' };
  if (code.startsWith('HPE_'))
    return { what: `${place} answered something that is not HTTP`, hint: 'is the port right, and is it not https?' };
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return {
      what: `${place} doesn't speak TLS the way we do`,
      hint: 'should the url begin with http:// instead of https://?',
    };
  if (/CERT|SELF_SIGNED|VERIFY|ISSUER/.test(code))
    return {
      what: `the TLS certificate of ${place} is not trusted`,
      hint: 'name the certificate authority in NODE_EXTRA_CA_CERTS, or use http:// on this machine',
    };
  return { what: `no answer from ${place}: ${message}` };
}

function unresolved(url: URL): Words {
  const service = clusterName(url);
  if (service === undefined)
    return { what: `the host name ${url.hostname} does not resolve`, hint: 'check the spelling of the url' };
  return {
    what: `the host name ${url.hostname} does not resolve on this machine`,
    hint:
      `it looks like the Service ${service} inside a cluster, which only resolves there: make it reachable ` +
      '(kubectl port-forward) and use a local url in the definition',
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
function rootOf(error: unknown): { code: string; message: string } {
  const seen: unknown[] = [error];
  for (const candidate of seen) {
    if (!(candidate instanceof Error)) continue;
    const code = (candidate as NodeJS.ErrnoException).code;
    const inner = candidate instanceof AggregateError ? candidate.errors : [candidate.cause];
    const wrapped = inner.some((one) => one instanceof Error && (one as NodeJS.ErrnoException).code);
    if (code && !wrapped) return { code, message: candidate.message };
    // undici's parser gives a code for some of what it can't read, and for some none.
    if (candidate.name === 'HTTPParserError') return { code: 'HPE_INVALID', message: candidate.message };
    seen.push(...inner);
  }
  return { code: '', message: error instanceof Error ? error.message : String(error) };
}
