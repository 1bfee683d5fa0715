// From the user's choice to a transport: --kubeconfig, KUBECONFIG (several files), ~/.kube/config, the service account
// of a pod, in this order. Nothing is contacted here; the first request does that.

import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Clock } from '../../kit/clock.ts';
import type { Transport } from '../../ports/transport.ts';
import type { Tunnels } from '../../ports/tunnel.ts';
import { createHttpTransports } from '../transport/index.ts';
import type { PluginEnvironment } from './exec-plugin.ts';
import { createIdentity } from './identity.ts';
import type { Impersonation } from './impersonation.ts';
import { type Kubeconfig, mergeKubeconfigs, readKubeconfig } from './kubeconfig-file.ts';
import { kubeconfigProblem } from './problems.ts';
import { proxyOf } from './proxy.ts';
import { type ConnectionTarget, targetOf } from './target.ts';

export interface ConnectOptions {
  /** A file; it must be there. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Environment variables: KUBECONFIG, HOME, KUBERNETES_SERVICE_HOST … */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Says when credentials on disk are looked at again. */
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  readonly userAgent?: string;
  /** Longest wait for a connection, for the first byte of an answer, and inside one. Default: 10, 65 and 30 s. */
  readonly requestTimeoutMs?: number;
  /** Laid over what the kubeconfig says. */
  readonly impersonation?: Impersonation;
  /** How credential plugins are run; default: on this process's terminal, if it is one. */
  readonly plugins?: Partial<Omit<PluginEnvironment, 'variables'>>;
  /** Where a pod finds its service account; tests name another directory. */
  readonly serviceAccountDirectory?: string;
}

export interface Connection {
  readonly transport: Transport;
  readonly tunnels: Tunnels;
  /** Names of Services can be called as they are. */
  readonly inCluster: boolean;
  /** "in-cluster" for a pod's service account. */
  readonly contextName: string;
  readonly clusterName: string;
  /** The context's namespace, else "default". */
  readonly namespace: string;
  /** Address without credentials. */
  readonly server: string;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const IN_CLUSTER = 'in-cluster';

/**
 * undefined: no cluster is configured anywhere. Throws DiagnosticError (kubeconfig-invalid, unsupported) when one is,
 * but can't be used.
 */
export async function connect(options: ConnectOptions): Promise<Connection | undefined> {
  const fromFiles = await targetFromFiles(options);
  const target = fromFiles ?? (await targetInCluster(options));
  if (target === undefined) return undefined;
  const { contextName, clusterName, namespace, server } = target;
  const proxy = proxyOf(target.cluster, server, options.variables);
  const { transport, tunnels } = createHttpTransports({
    server,
    credentials: createIdentity(target, {
      clock: options.clock,
      impersonation: options.impersonation ?? {},
      plugin: {
        interactive: process.stdin.isTTY === true,
        stderr: 'inherit',
        ...options.plugins,
        variables: options.variables,
      },
    }),
    ...(proxy === undefined ? {} : { proxy }),
    compress: proxy !== undefined || !isLoopback(server),
    ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
    ...timeoutsOf(options),
  });
  return { transport, tunnels, inCluster: fromFiles === undefined, contextName, clusterName, namespace, server };
}

function timeoutsOf({ requestTimeoutMs: ms }: ConnectOptions) {
  return ms === undefined ? {} : { connectTimeoutMs: ms, headersTimeoutMs: ms, bodyTimeoutMs: ms };
}

async function targetFromFiles(options: ConnectOptions): Promise<ConnectionTarget | undefined> {
  const { files, mustExist } = filesOf(options);
  const configs = await Promise.all(files.map(readKubeconfig));
  const found = configs.filter((config) => config !== undefined);
  const origin = files.length === 1 ? `kubeconfig ${files[0]}` : `the kubeconfig of ${files.join(', ')}`;
  if (found.length === 0 && mustExist) {
    throw kubeconfigProblem(`${origin} does not exist`, { hint: 'check --kubeconfig and the variable KUBECONFIG' });
  }
  const config = mergeKubeconfigs(found);
  if (!isEmpty(config) || options.kubeconfig !== undefined) return targetOf(config, options.context, origin);
  if (options.context === undefined) return undefined;
  throw kubeconfigProblem(`the context "${options.context}" was asked for, but there is no kubeconfig that has it`);
}

function filesOf({ kubeconfig, variables }: ConnectOptions): { files: string[]; mustExist: boolean } {
  if (kubeconfig !== undefined) return { files: [kubeconfig], mustExist: true };
  const listed = (variables['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  // kubectl passes over listed files that are missing. All of them missing is a mistake in the variable.
  if (listed.length > 0) return { files: [...new Set(listed)], mustExist: true };
  const home = variables['HOME'] ?? variables['USERPROFILE'];
  return { files: home ? [join(home, '.kube', 'config')] : [], mustExist: false };
}

/** Such as /dev/null, or what `kubectl config` leaves when all is unset: no configuration. */
function isEmpty(config: Kubeconfig): boolean {
  return config.contexts.size === 0 && config.clusters.size === 0 && config.currentContext === undefined;
}

async function targetInCluster(options: ConnectOptions): Promise<ConnectionTarget | undefined> {
  const { variables, serviceAccountDirectory: directory = SERVICE_ACCOUNT } = options;
  const host = variables['KUBERNETES_SERVICE_HOST'];
  const port = variables['KUBERNETES_SERVICE_PORT'];
  const tokenFile = join(directory, 'token');
  if (!host || !port || (await textIfThere(tokenFile)) === undefined) return undefined;
  const namespace = (await textIfThere(join(directory, 'namespace')))?.trim();
  return {
    contextName: IN_CLUSTER,
    clusterName: IN_CLUSTER,
    namespace: namespace || 'default',
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    cluster: { 'certificate-authority': join(directory, 'ca.crt') },
    user: { tokenFile },
  };
}

async function textIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw kubeconfigProblem(`the service account's file ${file} can't be read: ${String(code)}`);
  }
}

function isLoopback(server: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/.test(server);
}
