// The addresses that a daemon listens on, each with its flag and its pages. One that can't be had ends it, and says which.

import { type PageMaker, profilePages, type ServedPages, servePages } from '../../daemon/index.ts';
import { DiagnosticError } from '../../model/diagnostic.ts';
import type { DaemonOptions } from './daemon-options.ts';

type Pages = Readonly<Record<string, PageMaker>>;

export async function serveDaemon(
  options: Pick<DaemonOptions, 'healthAddress' | 'metricsAddress' | 'pprofAddress' | 'onListening'>,
  pages: { readonly health: Pages; readonly metrics: Pages },
): Promise<ServedPages[]> {
  const wanted = [
    ['health', '--health-probe-bind-address', options.healthAddress, pages.health],
    ['metrics', '--metrics-address', options.metricsAddress, pages.metrics],
    ['pprof', '--pprof-address', options.pprofAddress, options.pprofAddress ? profilePages() : {}],
  ] as const;
  const served: ServedPages[] = [];
  const addresses: Record<string, string> = {};
  try {
    for (const [name, flag, address, its] of wanted) {
      if (!address) continue;
      const listening = await listen(flag, () => servePages(address, its));
      served.push(listening);
      addresses[name] = listening.address;
    }
  } catch (error) {
    await Promise.all(served.map((listening) => listening.close()));
    throw error;
  }
  options.onListening?.(addresses);
  return served;
}

async function listen(flag: string, start: () => Promise<ServedPages>): Promise<ServedPages> {
  try {
    return await start();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? `another process listens there already (${message})` : message;
    const hint = `Another address: ${flag}; or none: ${flag}=0.`;
    throw new DiagnosticError([{ severity: 'error', code: 'usage', summary: `${flag}: ${why}`, hint }], {
      cause: error,
    });
  }
}

export const pageOf = (problem: string | undefined) =>
  problem === undefined ? ({ status: 200, body: 'ok\n' } as const) : ({ status: 503, body: `${problem}\n` } as const);
