// The two servers that are compared: the sandbox as an API server alone with the controllers of Kubernetes, its scheduler
// and KWOK, all as they are; and the real server of the test run, which has the same.

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { findBinaries } from '../../../tools/kube/binaries.ts';
import { fakeNode, startControllersOn } from '../../../tools/kube/control-plane.ts';
import { directoryForThisRun } from '../../../tools/kube/for-a-run.ts';
import { killProcesses } from '../../../tools/kube/processes.ts';
import { connect } from '../../cluster/index.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { type FaultyFront, faultyFront } from '../faulty-front.ts';
import { realClock } from '../real-clock.ts';
import type { RealServer } from '../real-server.ts';
import { ask, type Side } from './side.ts';

export interface BothServers {
  readonly sides: readonly [sandbox: Side, real: Side];
  readonly sandbox: Sandbox;
  /** Between the sandbox and its controllers; what tests do goes past it. */
  readonly front: FaultyFront;
  close(): Promise<void>;
}

export async function startBothServers(server: RealServer & { readonly available: true }): Promise<BothServers> {
  const binaries = findBinaries(process.env);
  if ('missing' in binaries) throw new Error(binaries.missing);
  const sandbox = createSandbox({ clock: realClock, controllers: false });
  const front = await faultyFront(sandbox.transport);
  const directory = directoryForThisRun();
  mkdirSync(directory, { recursive: true });
  const namespace = `controllers-${randomBytes(4).toString('hex')}`;
  const ours: Side = { name: 'sandbox', transport: sandbox.transport, namespace };
  const connection = await connect({ kubeconfig: server.kubeconfig, variables: {}, clock: realClock });
  if (!connection) throw new Error(`${server.kubeconfig} leads nowhere`);
  const real: Side = { name: 'real server', transport: connection.transport, namespace };
  await ask(ours, 'POST', '/api/v1/nodes', { body: fakeNode() as never });
  await startControllersOn(front.url, binaries, directory);
  for (const side of [ours, real]) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await ask(side, 'POST', '/api/v1/namespaces', { body });
  }
  return {
    sides: [ours, real],
    sandbox,
    front,
    close: async () => {
      killProcesses(directory);
      await front.close();
      await sandbox.close();
      await connection.transport.close();
    },
  };
}
