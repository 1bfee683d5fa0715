// A control plane in a directory: etcd and kube-apiserver, with what else the binaries allow (controllers; pods that become
// Ready). Started in about 2.5 s on an empty directory, on ports that are free now, and thrown away with it.
// Invariants: everything listens on loopback; every process is in the directory's run/ before the next one is started, so
// killProcesses(directory) always ends all of them.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { isRunning, killProcesses, logTail, startProcess } from './processes.ts';
import { apiServer, controllerManager, etcd, kwok, type Ports, scheduler } from './programs.ts';

export type Feature = 'controllers' | 'pods';

export interface ControlPlane {
  readonly kubeconfig: string;
  readonly kubectl: string;
  /** controllers: garbage collection and workloads. pods: scheduled, and Ready at once. */
  readonly features: readonly Feature[];
  readonly ports: Ports;
}

const ATTEMPTS = 3;
const READY_WITHIN_MS = 60_000;
const STAGES = join(import.meta.dirname, 'kwok-stages.yaml');

/** Starts a control plane in a new or empty directory. Throws with the end of the log when a program does not come up. */
export async function startControlPlane(binaries: Binaries, directory: string): Promise<ControlPlane> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const token = writeCredentials(directory);
  for (let attempt = 1; ; attempt++) {
    const ports = await freePorts();
    try {
      await startServer(binaries, directory, { ports, token });
      const server = `https://127.0.0.1:${ports.apiServer}`;
      return { ...(await startControllers(binaries, directory, { server, token })), ports };
    } catch (error) {
      killProcesses(directory);
      // Between our choice of a free port and its use somebody else may have taken it.
      if (attempt === ATTEMPTS || !String(error).includes('address already in use')) throw error;
    }
  }
}

/**
 * Starts the controllers, the scheduler and KWOK on another API server, which needs no credentials, in a new or empty
 * directory. The one node is for the caller to create.
 */
export async function startControllersOn(url: string, binaries: Binaries, directory: string): Promise<void> {
  const { controllerManager: program, pods } = binaries;
  if (!program || !pods) throw new Error('kube-controller-manager, kube-scheduler and kwok are needed');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeCredentials(directory);
  const cluster = { name: 'test', cluster: { server: url } };
  const context = { name: 'test', context: { cluster: 'test', user: 'test' } };
  const users = [{ name: 'test', user: {} }];
  const config = { apiVersion: 'v1', kind: 'Config', clusters: [cluster], users, contexts: [context] };
  writeFileSync(join(directory, 'kubeconfig'), JSON.stringify({ ...config, 'current-context': 'test' }));
  await startProcess(directory, controllerManager(program, { ownAuthority: false }));
  await startProcess(directory, scheduler(pods.scheduler));
  await startProcess(directory, kwok(pods.kwok, STAGES));
}

/** The token of `admin`; `viewer` has the same with "-viewer" behind it. */
function writeCredentials(directory: string): string {
  const token = randomBytes(16).toString('hex');
  const file = (name: string, text: string): void => writeFileSync(join(directory, name), text, { mode: 0o600 });
  file('tokens.csv', `${token},admin,admin,"system:masters"\n${token}-viewer,viewer,viewer,"viewers"\n`);
  const keys = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
  });
  file('service-account.key', keys.privateKey);
  file('service-account.pub', keys.publicKey);
  return token;
}

async function startServer(
  binaries: Binaries,
  directory: string,
  { ports, token }: { readonly ports: Ports; readonly token: string },
): Promise<void> {
  await startProcess(directory, etcd(binaries, ports));
  await startProcess(directory, apiServer(binaries, ports));
  const server = `https://127.0.0.1:${ports.apiServer}`;
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    for (const name of ['etcd', 'kube-apiserver']) {
      if (!isRunning(directory, name)) throw new Error(`${name} ended:\n${logTail(directory, name, 8)}`);
    }
    const ca = certificateAuthority(directory);
    if (ca && (await call({ server, token, ca }, 'GET', '/readyz')) === 200) {
      writeFileSync(join(directory, 'ca.crt'), ca);
      writeFileSync(join(directory, 'kubeconfig'), kubeconfig({ server, token, ca }), { mode: 0o600 });
      return;
    }
    if (performance.now() > deadline) {
      throw new Error(`kube-apiserver is not ready after a minute:\n${logTail(directory, 'kube-apiserver', 8)}`);
    }
    await sleep(50);
  }
}

async function startControllers(
  binaries: Binaries,
  directory: string,
  access: { readonly server: string; readonly token: string },
): Promise<Omit<ControlPlane, 'ports'>> {
  const features: Feature[] = [];
  if (binaries.controllerManager) {
    await startProcess(directory, controllerManager(binaries.controllerManager, { ownAuthority: true }));
    features.push('controllers');
  }
  if (binaries.controllerManager && binaries.pods) {
    await startProcess(directory, scheduler(binaries.pods.scheduler));
    await startProcess(directory, kwok(binaries.pods.kwok, STAGES));
    await createNode({ ...access, ca: readFileSync(join(directory, 'ca.crt'), 'utf8') });
    features.push('pods');
  }
  return { kubeconfig: join(directory, 'kubeconfig'), kubectl: binaries.kubectl, features };
}

interface Access {
  readonly server: string;
  readonly token: string;
  /** PEM. */
  readonly ca: string;
}

/** One node, Ready for good and with room for everything. */
export function fakeNode(): object {
  const room = { cpu: '1k', memory: '1Ti', pods: '100k' };
  const now = new Date().toISOString();
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'kwok-0', labels: { 'kubernetes.io/hostname': 'kwok-0' } },
    status: {
      allocatable: room,
      capacity: room,
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      conditions: [
        { type: 'Ready', status: 'True', reason: 'FakeNode', lastHeartbeatTime: now, lastTransitionTime: now },
      ],
    },
  };
}

async function createNode(access: Access): Promise<void> {
  const status = await call(access, 'POST', '/api/v1/nodes', JSON.stringify(fakeNode()));
  if (status !== 201) throw new Error(`the node could not be created: HTTP status ${status}`);
}

/** The certificate file holds the server's own certificate, then that of the CA which signed it. */
function certificateAuthority(directory: string): string | undefined {
  let chain: string;
  try {
    chain = readFileSync(join(directory, 'certificates', 'apiserver.crt'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // not made yet
    throw error;
  }
  return chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g)?.[1];
}

function kubeconfig({ server, token, ca }: Access): string {
  const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'test', cluster }],
      users: [
        { name: 'admin', user: { token } },
        { name: 'viewer', user: { token: `${token}-viewer` } },
      ],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin', namespace: 'default' } }],
    },
    undefined,
    2,
  );
}

/** The HTTP status, or undefined when nobody answers yet. */
function call({ server, token, ca }: Access, method: string, path: string, body?: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const outgoing = request(`${server}${path}`, { method, headers, ca, agent: false, timeout: 5000 }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => resolve(undefined)); // refused or reset while the server starts: the caller asks again
    outgoing.end(body);
  });
}

/** Ports that are free at this moment, all held at once so that they differ. */
async function freePorts(): Promise<Ports> {
  const servers = [createServer(), createServer(), createServer()];
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))));
  const [apiServer = 0, etcdClient = 0, etcdPeer = 0] = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return { apiServer, etcdClient, etcdPeer };
}
