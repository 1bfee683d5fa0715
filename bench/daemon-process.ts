// A daemon and its webhook as processes of their own, and what they have done and used: by the kernel's account of the process
// (/proc), the daemon's own /metrics, and the webhook's count.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HookCount } from './hook-process.ts';
import { metactl } from './metactl.ts';
import { cpuSecondsOf, memoryOf } from './process-account.ts';

export interface HookProcess {
  readonly url: string;
  count(): Promise<HookCount>;
  stop(): Promise<void>;
}

export async function startHook(): Promise<HookProcess> {
  const script = join(import.meta.dirname, 'hook-process.ts');
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const url = `http://127.0.0.1:${port.trim()}/sync`;
  return { url, count: async () => (await (await fetched(url)).json()) as HookCount, stop: () => stop(child) };
}

/** Asked once more where the connection of the last time has been closed meanwhile. */
const fetched = (url: string): Promise<Response> => fetch(url).catch(() => fetch(url));

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Since the daemon was started. */
export interface Done {
  readonly cpuSeconds: number;
  readonly hookCalls: number;
  /** By Kubernetes' verb: create, watch. */
  readonly apiCalls: ReadonlyMap<string, number>;
}

export interface DaemonProcess {
  /** Milliseconds of the epoch. */
  readonly startedAt: number;
  /** Of the hook, when it was started. */
  readonly callsBefore: number;
  done(): Promise<Done>;
  /** Of all time, or since forgetPeak(). */
  peakMiB(): number;
  forgetPeak(): void;
  /** Of now. */
  restMiB(): number;
  /** The page of /metrics. */
  metrics(): Promise<string>;
  /** As kill -9 does. */
  kill(): void;
  stop(): Promise<void>;
}

export interface DaemonOptions {
  readonly kubeconfig: string;
  readonly definition: string;
  readonly hook: HookProcess;
  readonly flags: readonly string[];
}

export async function startDaemon({ kubeconfig, definition, hook, flags }: DaemonOptions): Promise<DaemonProcess> {
  const metrics = `127.0.0.1:${await freePort()}`;
  const addresses = ['--metrics-address', metrics, '--health-probe-bind-address', '0'];
  const command = metactl('daemon', ['daemon', '-f', definition, ...addresses, ...flags], { kubeconfig });
  const before = (await hook.count()).calls;
  const startedAt = Date.now();
  const daemon = spawn(command.program, command.arguments as string[], { stdio: ['ignore', 'ignore', 'ignore'] });
  return {
    startedAt,
    callsBefore: before,
    done: async () => ({
      cpuSeconds: cpuSecondsOf(daemon.pid),
      hookCalls: (await hook.count()).calls - before,
      apiCalls: apiCallsIn(await (await fetched(`http://${metrics}/metrics`)).text()),
    }),
    peakMiB: () => memoryOf(daemon.pid, 'VmHWM'),
    restMiB: () => memoryOf(daemon.pid, 'VmRSS'),
    metrics: async () => (await fetched(`http://${metrics}/metrics`)).text(),
    kill: () => void daemon.kill('SIGKILL'),
    forgetPeak: () => writeFileSync(`/proc/${daemon.pid}/clear_refs`, '5'),
    stop: () => stop(daemon),
  };
}

function apiCallsIn(metrics: string): ReadonlyMap<string, number> {
  const calls = new Map<string, number>();
  for (const [, labels = '', count] of metrics.matchAll(/^metactl_api_requests_total\{([^}]*)\} (\d+)$/gm)) {
    const verb = /verb="([^"]*)"/.exec(labels)?.[1] ?? '';
    calls.set(verb, (calls.get(verb) ?? 0) + Number(count));
  }
  return calls;
}

/** Free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves with the time in milliseconds of the epoch at which it was seen to be so. */
export async function seen(what: string, isSo: () => Promise<boolean>, longestMs = 600_000): Promise<number> {
  for (const begin = Date.now(); ; await sleep(100)) {
    if (await isSo()) return Date.now();
    if (Date.now() - begin > longestMs) throw new Error(`${what}: not so after ${longestMs / 1_000} s`);
  }
}

/** Nothing more is done for two seconds: whatever is counted up to then belongs to the step. */
export async function quiet(daemon: DaemonProcess): Promise<Done> {
  for (let before = await daemon.done(); ; ) {
    await sleep(2_000);
    const now = await daemon.done();
    if (workIn(now) === workIn(before)) return now;
    before = now;
  }
}

const workIn = ({ hookCalls, apiCalls }: Done): string =>
  JSON.stringify([hookCalls, [...apiCalls].filter(([verb]) => verb !== 'watch')]);
