// apply in a process of its own, killed (kill -9) at the moment when the server has carried out a certain write, before the
// answer arrives.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Transport } from '../ports/transport.ts';
import { countingFront } from './counting-front.ts';

const PROCESS = join(import.meta.dirname, 'apply-process.ts');

export interface KilledApply {
  /** Writes that the server carried out: "POST /api/v1/…/pods". */
  readonly log: readonly string[];
  /** False: it came to its end before that write. */
  readonly killed: boolean;
}

/** Applies the files in the directory, where a kubeconfig is written too. Without `killAt` it must settle. */
export async function applyUntil(
  transport: Transport,
  directory: string,
  killAt = Number.POSITIVE_INFINITY,
): Promise<KilledApply> {
  const kubeconfig = join(directory, 'kubeconfig');
  let child: ReturnType<typeof spawn> | undefined;
  const front = await countingFront(transport, kubeconfig, async (count) => {
    if (count !== killAt) return;
    const gone = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await gone;
  });
  try {
    child = spawn(process.execPath, [PROCESS, kubeconfig, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    const output: string[] = [];
    child.stdout?.on('data', (chunk) => output.push(String(chunk)));
    const killed = await new Promise<boolean>((resolve) =>
      child?.once('close', (_code, signal) => resolve(signal === 'SIGKILL')),
    );
    if (!killed) assert.match(output.join(''), /"status":"(settled|nothing)"/, `writes: ${front.log.join('\n')}`);
    return { log: front.log, killed };
  } finally {
    await front.close();
  }
}
