// One control plane for the length of this process: in a temporary directory of its own, gone when the process ends, however
// it ends. A process that was killed (SIGKILL, power) can't clean up; the next run does it.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { killProcesses } from './processes.ts';

const PREFIX = 'metactl-kube-run-';

/** Starts it and registers its end with the process. Throws as startControlPlane does. */
export async function controlPlaneForThisRun(binaries: Binaries): Promise<ControlPlane> {
  return startControlPlane(binaries, directoryForThisRun());
}

/** A directory that goes with this process, and the processes that were started in it. */
export function directoryForThisRun(): string {
  removeAbandoned();
  const directory = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(join(directory, 'owner'), String(process.pid));
  process.once('exit', () => remove(directory));
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const) {
    process.once(signal, () => process.exit(128 + number)); // runs the exit handler, which a signal alone would not
  }
  return directory;
}

function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const directory = join(tmpdir(), name);
    if (name.startsWith(PREFIX) && !ownerLives(directory)) remove(directory);
  }
}

function ownerLives(directory: string): boolean {
  try {
    process.kill(Number(readFileSync(join(directory, 'owner'), 'utf8')), 0);
    return true;
  } catch (error) {
    // EPERM: it lives and is somebody else's. ENOENT: being made or removed at this moment, by its owner.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function remove(directory: string): void {
  killProcesses(directory);
  // Killed processes may still be writing for a moment: rm meets new files and tries again.
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
}
