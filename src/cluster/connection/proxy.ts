// Which proxy leads to a server, by kubectl's rules: the cluster's proxy-url, else HTTPS_PROXY or HTTP_PROXY with the
// exceptions of NO_PROXY as Go reads them. A proxy's address may hold a password: no message quotes more than its host.

import { BlockList, isIP } from 'node:net';
import type { JsonObject } from '../../kit/json.ts';
import { textOf } from './kubeconfig-file.ts';
import { kubeconfigProblem, unsupportedProblem } from './problems.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** undefined: straight to the server. Throws DiagnosticError for an address that can't be used. */
export function proxyOf(cluster: JsonObject, server: string, variables: Variables): string | undefined {
  const configured = textOf(cluster, 'proxy-url');
  // As in kubectl, proxy-url counts even for a server on loopback and whatever NO_PROXY says.
  if (configured !== undefined) return proxyAddress(configured, "the cluster's proxy-url");
  return environmentProxy(new URL(server), variables);
}

/** By HTTPS_PROXY, HTTP_PROXY and NO_PROXY alone, as Go's clients do it. Throws DiagnosticError as above. */
export function environmentProxy(url: URL, variables: Variables): string | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const wanted = variables[name] || variables[name.toLowerCase()];
  if (!wanted || isDirect(url, variables['NO_PROXY'] || variables['no_proxy'] || '')) return undefined;
  return proxyAddress(wanted, `the variable ${name}`);
}

function proxyAddress(text: string, where: string): string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full)) throw kubeconfigProblem(`${where} is not the address of a proxy`);
  const { protocol } = new URL(full);
  if (protocol === 'http:' || protocol === 'https:') return full;
  throw unsupportedProblem(
    `${where} names a proxy of the type ${protocol.slice(0, -1)}, which this version can't use`,
    'use an http or https proxy, or a tunnel: ssh -L, and the context with that address',
  );
}

/** Is this server reached without the proxy? `exceptions`: the text of NO_PROXY. */
export function isDirect(server: URL, exceptions: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  if (host === 'localhost' || isInRange(host, '127.0.0.0/8') || host === '::1') return true;
  const entries = exceptions.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => entry === '*' || (entry !== '' && isException(entry, host, port)));
}

/** An address, a range of addresses, or a domain; the first and the last also with a port. */
function isException(entry: string, host: string, port: string): boolean {
  if (entry.includes('/')) return isInRange(host, entry);
  const [, bracketed, plain, entryPort] = /^(?:\[(.*)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? '';
  if (name === '' || (entryPort !== undefined && entryPort !== port)) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host;
  // "a.example" covers itself and what is below, ".a.example" and "*.a.example" only what is below.
  const below = name.replace(/^\*(?=\.)/, '');
  return below.startsWith('.') ? host.endsWith(below) : host === below || host.endsWith(`.${below}`);
}

function isInRange(host: string, range: string): boolean {
  const [net = '', bits] = range.split('/');
  const family = isIP(net);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits ?? '')) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(net, Number(bits), type);
  return list.check(host, type);
}
