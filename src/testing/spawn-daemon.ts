// Starts daemons in processes of their own, and ends them as a test wants: by kill -9, or in good order.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Measured, ProcessOptions, Told } from './daemon-process.ts';

const PROGRAM = join(import.meta.dirname, 'daemon-process.ts');

export interface SpawnedDaemon {
  /** Resolves when it has ended, however. */
  readonly ended: Promise<void>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** What is under way is finished. */
  stop(): Promise<void>;
  measure(): Promise<Measured>;
  setClock(byMs: number): void;
}

export function spawnDaemon(options: ProcessOptions): SpawnedDaemon {
  const child = spawn(process.execPath, ['--expose-gc', PROGRAM, JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const tell = (told: Told): boolean => child.send(told);
  const ended = once(child, 'exit').then(() => undefined);
  return {
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      if (isRunning(child)) tell({ kind: 'stop' });
      await ended;
    },
    measure: async () => {
      const answer = once(child, 'message');
      tell({ kind: 'measure' });
      const [measured] = (await answer) as [Measured];
      return measured;
    },
    setClock: (byMs) => void tell({ kind: 'set-clock', byMs }),
  };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;
