// An HTTP front before any API server that does to chosen requests what networks and servers in trouble do
// (src/sandbox/faults). What is not chosen goes through; what went through and changed something is counted.

import { writeFile } from 'node:fs/promises';
import type { Transport } from '../ports/transport.ts';
import { type FaultPlan, FaultyTransport, kubeconfigFor, serveSandbox } from '../sandbox/index.ts';
import { realClock } from './real-clock.ts';

export interface FaultyFront extends Pick<FaultyTransport, 'writes' | 'log' | 'dropWatches' | 'freeze' | 'thaw'> {
  readonly url: string;
  /** From now on; undefined: everything goes through. */
  setPlan(plan: FaultPlan | undefined): void;
  close(): Promise<void>;
}

export async function faultyFront(transport: Transport, kubeconfigFile?: string): Promise<FaultyFront> {
  const faulty = new FaultyTransport(transport, realClock);
  const served = await serveSandbox({ transport: faulty }, { host: '127.0.0.1', port: 0 });
  if (kubeconfigFile !== undefined) await writeFile(kubeconfigFile, kubeconfigFor(served.url));
  return {
    url: served.url,
    writes: faulty.writes,
    log: faulty.log,
    setPlan: (plan) => {
      faulty.plan = plan;
    },
    dropWatches: () => faulty.dropWatches(),
    freeze: () => faulty.freeze(),
    thaw: () => faulty.thaw(),
    close: async () => {
      await faulty.close();
      await served.close();
    },
  };
}
