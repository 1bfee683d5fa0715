// Profiles of this process, for whoever looks into a slow or growing daemon: under Go's paths, in the formats of V8, which
// Chrome's developer tools read (.cpuprofile, .heapprofile, .heapsnapshot). One is made at a time. A heap snapshot holds all
// that is in memory, values of Secrets too, and stops the process while it is made: the address is for those who may.

import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSnapshot } from 'node:v8';
import type { Page, PageMaker } from './probes.ts';

const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 300;
const INDEX = `profiles of this process
/debug/pprof/profile?seconds=30   CPU (.cpuprofile)
/debug/pprof/allocs?seconds=30    who allocates how much (.heapprofile)
/debug/pprof/heap                 all that is in memory, Secrets too (.heapsnapshot); the process stands still meanwhile
`;

export function profilePages(): Readonly<Record<string, PageMaker>> {
  let underWay = false;
  const alone =
    (make: PageMaker): PageMaker =>
    async (query, gone) => {
      if (underWay) return { status: 429, body: 'another profile is being made\n' };
      underWay = true;
      try {
        return await make(query, gone);
      } finally {
        underWay = false;
      }
    };
  return {
    '/debug/pprof': () => ({ status: 200, body: INDEX }),
    '/debug/pprof/': () => ({ status: 200, body: INDEX }),
    '/debug/pprof/profile': alone((query, gone) => sampled(query, gone, cpuProfile)),
    '/debug/pprof/allocs': alone((query, gone) => sampled(query, gone, allocationProfile)),
    '/debug/pprof/heap': alone(() => file('heap.heapsnapshot', getHeapSnapshot())),
  };
}

/** Samples for as long as the query says and `wait` takes. */
type Sampling = (session: Session, wait: () => Promise<void>) => Promise<object>;

const cpuProfile: Sampling = async (session, wait) => {
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await wait();
  return (await session.post('Profiler.stop')).profile;
};

const allocationProfile: Sampling = async (session, wait) => {
  await session.post('HeapProfiler.startSampling');
  await wait();
  return (await session.post('HeapProfiler.stopSampling')).profile;
};

async function sampled(query: URLSearchParams, gone: AbortSignal, sampling: Sampling): Promise<Page> {
  const seconds = Number(query.get('seconds') ?? DEFAULT_SECONDS);
  if (!(seconds > 0 && seconds <= MOST_SECONDS))
    return { status: 400, body: `seconds must be more than 0 and at most ${MOST_SECONDS}\n` };
  const session = new Session();
  session.connect();
  try {
    const wait = (): Promise<void> => sleep(seconds * 1_000, undefined, { signal: gone }).catch(() => undefined);
    const profile = await sampling(session, wait);
    const name = sampling === cpuProfile ? 'cpu.cpuprofile' : 'allocs.heapprofile';
    return file(name, JSON.stringify(profile));
  } finally {
    session.disconnect();
  }
}

const file = (name: string, body: Page['body']): Page => ({
  ...{ status: 200, contentType: 'application/json', body },
  headers: { 'content-disposition': `attachment; filename="${name}"` },
});
