// A daemon at work and a shadow of it, each before a front of its own that tells what it writes.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DaemonOptions } from '../app/index.ts';
import type { ShadowReport } from '../model/shadow.ts';
import { countingFront } from './counting-front.ts';
import type { DaemonBed, RunningDaemon } from './daemon-bed.ts';
import type { TestTarget } from './targets.ts';
import { until } from './until.ts';

export interface ShadowPair {
  readonly atWork: RunningDaemon;
  readonly shadow: RunningDaemon;
  /** The shadow's, once all that was written so far is decided. Both are at rest then. */
  decided(): Promise<ShadowReport>;
  /** Once both are at rest and so much is not as foretold: only the window is waited for. */
  undecided(open: number): Promise<ShadowReport>;
  /** Once so many misses were found, and nothing is open. */
  missed(count: number): Promise<ShadowReport>;
  report(): Promise<ShadowReport>;
  /** "POST /api/v1/…", but for Events. */
  writesAtWork(): readonly string[];
  writesOfShadow(): readonly string[];
}

/** `least`: of each object the last write, at least, is a hit; the ones before may have been passing. */
export async function allForetold(pair: ShadowPair, least: number): Promise<void> {
  const report = await pair.decided();
  assert.deepEqual(report.found, []);
  assert.equal(report.misses, 0);
  assert.ok(report.hits >= least, `${report.hits} hits`);
  assert.deepEqual(pair.writesOfShadow(), []);
}

interface PairOptions {
  /** Default: nothing is called a miss in the time of a test. */
  readonly windowMs?: number;
  readonly shadow?: Partial<DaemonOptions>;
  readonly atWork?: Partial<DaemonOptions>;
}

/** Nothing is called a miss in the time of a test. */
const LONG_MS = 600_000;

type StartedDaemon = Parameters<NonNullable<DaemonOptions['onStarted']>>[0];
type Starts = Pick<DaemonBed, 'start'> & { readonly project: { readonly path: string } };

/** Both run when it resolves, the shadow first. */
export async function shadowPair(bed: Starts, target: TestTarget, options: PairOptions = {}): Promise<ShadowPair> {
  const { windowMs = LONG_MS } = options;
  const settings = { windowMs, managers: ['metactl'] };
  const shadow = await startShadow(bed, target, { ...options.shadow, shadow: settings });
  const atWork = await startOne(bed, target, { name: 'at-work', options: options.atWork ?? {} });
  const { report, reported } = shadow;
  // Of a deletion that the shadow sees before its reason it can't tell whose it is.
  const allDecided = ({ hits, misses, passing, open }: ShadowReport): boolean => {
    const sure = atWork.writes().filter((write) => !write.startsWith('DELETE ')).length;
    return open === 0 && atWork.atRest() && shadow.atRest() && hits + misses + passing >= sure;
  };
  return {
    atWork: atWork.daemon,
    shadow: shadow.daemon,
    report,
    decided: () => reported('all writes are decided', allDecided),
    undecided: (count) =>
      reported(`${count} are open`, ({ open }) => open >= count && atWork.atRest() && shadow.atRest()),
    missed: (count) => reported(`${count} misses`, ({ misses, open }) => open === 0 && misses >= count),
    writesAtWork: atWork.writes,
    writesOfShadow: shadow.writes,
  };
}

/** A shadow of whoever writes under one of these names; it runs when it resolves. */
export async function shadowOf(bed: Starts, target: TestTarget, managers: readonly string[]) {
  const { reported, atRest, writes } = await startShadow(bed, target, { shadow: { windowMs: LONG_MS, managers } });
  return {
    /** Once so many writes are decided. */
    decided: (count: number) =>
      reported(
        `${count} writes are decided`,
        ({ hits, misses, passing, open }) => open === 0 && atRest() && hits + misses + passing >= count,
      ),
    writes,
  };
}

async function startShadow(bed: Starts, target: TestTarget, options: Partial<DaemonOptions>) {
  const started = await startOne(bed, target, { name: 'shadow', options });
  const report = async (): Promise<ShadowReport> => {
    const { metrics } = await started.daemon.addresses;
    return (await (await fetch(`http://${metrics}/shadow.json`)).json()) as ShadowReport;
  };
  const reported = async (what: string, isSo: (report: ShadowReport) => boolean): Promise<ShadowReport> => {
    let last: ShadowReport | undefined;
    const look = async (): Promise<boolean> => {
      last = await report();
      return isSo(last);
    };
    await until(what, look).catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(last, undefined, 1)}`);
    });
    return last ?? report();
  };
  return { ...started, report, reported };
}

/** The definition of the bed with another sync hook; to be removed with its directory. */
export async function otherHook({ project }: Pick<Starts, 'project'>, body: string) {
  const path = await mkdtemp(join(tmpdir(), 'metactl-other-hook-'));
  await cp(join(project.path, 'controller.json'), join(path, 'controller.json'));
  await writeFile(join(path, 'hook.mjs'), `export function sync(request) {\n${body}\n}\n`);
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  return { paths: [join(path, 'controller.json')], remove };
}

async function startOne(
  bed: Starts,
  target: TestTarget,
  { name, options }: { readonly name: string; readonly options: Partial<DaemonOptions> },
) {
  const kubeconfig = join(bed.project.path, `kubeconfig-${name}`);
  const front = await countingFront(target.transport, kubeconfig, () => undefined);
  const started = Promise.withResolvers<StartedDaemon>();
  const daemon = bed.start({ cluster: { kubeconfig }, onStarted: started.resolve, ...options });
  void daemon.ended.then(async (outcome) => {
    started.reject(new Error(`it ended: ${JSON.stringify(outcome)}`));
    await front.close();
  });
  const running = await started.promise;
  const atRest = (): boolean => running.idle() && running.caughtUp();
  return { daemon, atRest, writes: () => front.log.filter((write) => !write.endsWith('/events')) };
}
