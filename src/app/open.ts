// Which cluster, and how to reach it: a real one or the sandbox, behind the same client. Rooms are imported when they are
// needed, so that a command loads what it uses.

import type { ClusterClient } from '../cluster/index.ts';
import type { ServiceReach } from '../hooks/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { DiagnosticError } from '../model/diagnostic.ts';
import type { Target } from '../model/plan.ts';
import type { Transport } from '../ports/transport.ts';
import type { AppEnvironment, ClusterChoice } from './options.ts';

export interface World {
  readonly client: ClusterClient;
  readonly target: Target;
  /** How Services are reached from here; absent in the cluster itself (by their names) and for the sandbox. */
  readonly services?: ServiceReach;
  /** Where namespaced objects without a namespace go, unless -n says otherwise. */
  readonly namespace: string;
  readonly notices: readonly Diagnostic[];
  close(): Promise<void>;
}

interface Reached {
  readonly transport: Transport;
  /** "10.0.0.1:6443"; of the sandbox in the process its name. */
  readonly host: string;
  readonly services?: ServiceReach;
  readonly target: Target;
  readonly namespace: string;
  readonly notices: readonly Diagnostic[];
  readonly close: () => Promise<void>;
}

// 3 s in all: a server that restarts is waited for, a run that can't succeed still ends soon.
const READ_RETRIES = 4;

/** Throws DiagnosticError when the choice can't be honoured. `around`: put around every request, to count or to slow them. */
export async function openWorld(
  choice: ClusterChoice,
  environment: AppEnvironment,
  around: (transport: Transport, host: string) => Transport = (transport) => transport,
): Promise<World> {
  const reached = await reach(choice, environment);
  const { createClient } = await import('../cluster/index.ts');
  const { target, namespace, notices, services } = reached;
  const transport = around(reached.transport, reached.host);
  return {
    ...(services ? { services } : {}),
    client: createClient(transport, { clock: environment.clock, readRetries: READ_RETRIES }),
    target,
    namespace,
    notices,
    close: async () => {
      await transport.close();
      await reached.close();
    },
  };
}

async function reach(choice: ClusterChoice, environment: AppEnvironment): Promise<Reached> {
  if (choice.sandboxDirectory !== undefined) return reachDirectory(choice.sandboxDirectory, choice, environment);
  if (choice.sandbox === true) return reachMemory(choice, environment, []);
  const { connect } = await import('../cluster/index.ts');
  const connection = await connect({
    ...(choice.kubeconfig === undefined ? {} : { kubeconfig: choice.kubeconfig }),
    ...(choice.context === undefined ? {} : { context: choice.context }),
    ...(choice.impersonation === undefined ? {} : { impersonation: choice.impersonation }),
    ...(choice.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: choice.requestTimeoutMs }),
    variables: environment.variables,
    clock: environment.clock,
  });
  if (connection) {
    const { transport, tunnels, inCluster, contextName, namespace, server } = connection;
    const target = { kind: 'cluster', name: contextName } as const;
    const services = inCluster ? {} : { services: { transport, tunnels } };
    const { host } = new URL(server);
    return { transport, host, ...services, target, namespace, notices: [], close: async () => {} };
  }
  // Whoever asks for fewer rights means a cluster; the sandbox knows no users.
  if (choice.impersonation !== undefined) throw new DiagnosticError([NO_CLUSTER_TO_IMPERSONATE_ON]);
  const ci = environment.variables['CI'];
  if (ci !== undefined && ci !== '' && ci !== 'false' && ci !== '0') throw new DiagnosticError([NO_CLUSTER_IN_CI]);
  return reachMemory(choice, environment, [SANDBOX_NOTICE]);
}

const NO_CLUSTER_IN_CI: Diagnostic = {
  severity: 'error',
  code: 'kubeconfig-invalid',
  summary:
    'no cluster is configured: there is no --kubeconfig, no KUBECONFIG, no ~/.kube/config and no service account',
  detail: 'Under CI=true the sandbox is not used unasked, so that a pipeline never plans against nothing by mistake.',
  hint: 'Set KUBECONFIG, or say --sandbox.',
};

const NO_CLUSTER_TO_IMPERSONATE_ON: Diagnostic = {
  severity: 'error',
  code: 'kubeconfig-invalid',
  summary: 'a user is to be impersonated, but no cluster is configured',
  hint: 'Set KUBECONFIG or --kubeconfig, or leave out --as, --as-group, --as-uid and --as-user-extra.',
};

const SANDBOX_NOTICE: Diagnostic = {
  severity: 'warning',
  code: 'ineffective',
  summary: 'no cluster is configured: using the sandbox in memory, an API server inside this process that ends with it',
  hint: 'For a cluster: --context or --kubeconfig. To keep the state: --sandbox-dir DIR. To say so and silence this: --sandbox.',
};

const SANDBOX_HOST = 'sandbox';

async function reachMemory(
  { readiness: models = [] }: ClusterChoice,
  { clock }: AppEnvironment,
  notices: readonly Diagnostic[],
): Promise<Reached> {
  const { createSandbox } = await import('../sandbox/index.ts');
  const sandbox = createSandbox({ clock, models });
  const reached = { transport: sandbox.transport, host: SANDBOX_HOST, close: () => sandbox.close() };
  return { ...reached, target: { kind: 'sandbox' }, namespace: 'default', notices };
}

async function reachDirectory(
  directory: string,
  { readiness: models = [] }: ClusterChoice,
  { clock }: AppEnvironment,
): Promise<Reached> {
  const { openSandboxDirectory } = await import('../sandbox/index.ts');
  const sandbox = await openSandboxDirectory(directory, { clock, models });
  const reached = { transport: sandbox.transport, host: SANDBOX_HOST, close: () => sandbox.close() };
  return { ...reached, target: { kind: 'sandbox', name: directory }, namespace: 'default', notices: [] };
}
