// The command line of each program of the control plane, and why each unusual flag is there.
// Everything listens on loopback. One user (`admin`, a token) may do everything; a second one (`viewer`) is there for tests
// that need somebody else.

import type { Binaries } from './binaries.ts';

export interface Ports {
  readonly apiServer: number;
  readonly etcdClient: number;
  readonly etcdPeer: number;
}

/** A program, its arguments, and the name of its log and pid file. Relative paths are below the control plane's directory. */
export interface Invocation {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
}

export function etcd(binaries: Binaries, ports: Ports): Invocation {
  const client = `http://127.0.0.1:${ports.etcdClient}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  const options = {
    name: 'etcd',
    'data-dir': 'etcd',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd=${peer}`,
    'log-level': 'warn',
    'unsafe-no-fsync': true, // the data are thrown away; only a crash of the machine could hurt them
  };
  return { name: 'etcd', program: binaries.etcd, arguments: flags(options) };
}

export function apiServer(binaries: Binaries, ports: Ports): Invocation {
  const options = {
    'etcd-servers': `http://127.0.0.1:${ports.etcdClient}`,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': ports.apiServer,
    // The other reconcilers want to write an Endpoints object for 127.0.0.1, which validation refuses.
    'endpoint-reconciler-type': 'none',
    // Without --tls-cert-file the server makes its own certificate here; its CA goes into the kubeconfig.
    'cert-dir': 'certificates',
    'token-auth-file': 'tokens.csv',
    // `admin` is in system:masters and may do everything; others get what a test binds to them.
    'authorization-mode': 'RBAC',
    'anonymous-auth': false,
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': 'service-account.pub',
    'service-account-signing-key-file': 'service-account.key',
    'service-cluster-ip-range': '10.0.0.0/16',
    // ServiceAccount makes pods wait for a token controller. TaintNodesByCondition taints new nodes, and only the node
    // lifecycle controller, which does not run here, would take the taint off.
    'disable-admission-plugins': 'ServiceAccount,TaintNodesByCondition',
    'allow-privileged': true,
    'enable-priority-and-fairness': false,
    'max-requests-inflight': 800,
    'max-mutating-requests-inflight': 400,
    profiling: false,
    v: 1,
  };
  return { name: 'kube-apiserver', program: binaries.apiServer, arguments: flags(options) };
}

/** Those that tests rely on; each further one costs start-up time and memory. All names end in -controller. */
const CONTROLLERS = [
  'garbage-collector',
  'namespace',
  'deployment',
  'replicaset',
  'replicationcontroller',
  'statefulset',
  'daemonset',
  'job',
  'cronjob',
  'endpoints',
  'endpointslice',
  'serviceaccount',
  'ttl-after-finished',
  'disruption',
  'horizontal-pod-autoscaler',
  'resourcequota',
];

/** `ownAuthority`: the server has a certificate, signed by ca.crt. */
export function controllerManager(program: string, { ownAuthority }: { readonly ownAuthority: boolean }): Invocation {
  const options = {
    kubeconfig: 'kubeconfig',
    'secure-port': 0, // nobody scrapes it
    'leader-elect': false,
    'use-service-account-credentials': false,
    'kube-api-qps': 500,
    'kube-api-burst': 1000,
    'controller-start-interval': '0s',
    'service-account-private-key-file': 'service-account.key',
    ...(ownAuthority ? { 'root-ca-file': 'ca.crt' } : {}),
    controllers: CONTROLLERS.map((name) => `${name}-controller`).join(','),
    v: 1,
  };
  return { name: 'kube-controller-manager', program, arguments: flags(options) };
}

export function scheduler(program: string): Invocation {
  const options = {
    kubeconfig: 'kubeconfig',
    'secure-port': 0,
    'leader-elect': false,
    'kube-api-qps': 500,
    'kube-api-burst': 1000,
    v: 1,
  };
  return { name: 'kube-scheduler', program, arguments: flags(options) };
}

export function kwok(program: string, stages: string): Invocation {
  const options = {
    kubeconfig: 'kubeconfig',
    config: stages,
    'manage-all-nodes': true,
    'node-lease-duration-seconds': 0, // nobody watches node leases here
    cidr: '10.1.0.0/16',
    'node-ip': '127.0.0.1',
  };
  return { name: 'kwok', program, arguments: flags(options) };
}

function flags(options: Readonly<Record<string, string | number | boolean>>): string[] {
  return Object.entries(options).map(([name, value]) => `--${name}=${value}`);
}
