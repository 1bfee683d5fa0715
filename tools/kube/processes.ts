// Processes that outlive the command that started them: started detached, remembered by pid files in `run/`, stopped by
// these files only. A pid is never trusted alone: a file may be stale and its number belong to somebody else by now, so
// the process's command line must also name the program and the directory's own pid file must say the same program path.

import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from './programs.ts';

/** Starts a program in `directory`, its output going to log/<name>.log there. Resolves when the process exists. */
export function startProcess(directory: string, invocation: Invocation): Promise<void> {
  mkdirSync(join(directory, 'run'), { recursive: true });
  mkdirSync(join(directory, 'log'), { recursive: true });
  const log = openSync(join(directory, 'log', `${invocation.name}.log`), 'a');
  const child = spawn(invocation.program, invocation.arguments, {
    cwd: directory,
    detached: true, // its own process group: Ctrl-C in a terminal reaches us, and we end it
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      writeFileSync(pidFile(directory, invocation.name), `${child.pid}\n${invocation.program}\n`);
      child.unref();
      resolve();
    });
  });
}

export function isRunning(directory: string, name: string): boolean {
  return runningPid(directory, name) !== undefined;
}

/**
 * Ends every process started in `directory`, with SIGKILL: the data are meant to be thrown away, and the API server
 * would take up to 10 s to drain its watches. Synchronous, so that it also works in an exit handler.
 */
export function killProcesses(directory: string): void {
  for (const name of startedNames(directory)) {
    const pid = runningPid(directory, name);
    if (pid !== undefined) kill(pid);
    rmSync(pidFile(directory, name), { force: true });
  }
}

/** To one of them, if it runs: SIGKILL, SIGSTOP, SIGCONT. */
export function signalProcess(directory: string, name: string, signal: NodeJS.Signals): void {
  const pid = runningPid(directory, name);
  if (pid !== undefined) process.kill(pid, signal);
}

export function logTail(directory: string, name: string, lines: number): string {
  return readFileSync(join(directory, 'log', `${name}.log`), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .join('\n');
}

function startedNames(directory: string): string[] {
  try {
    return readdirSync(join(directory, 'run')).flatMap((file) => (file.endsWith('.pid') ? [file.slice(0, -4)] : []));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []; // nothing was ever started here
    throw error;
  }
}

function runningPid(directory: string, name: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(pidFile(directory, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [pid, program] = text.split('\n');
  return program && commandLine(Number(pid)).startsWith(program) ? Number(pid) : undefined;
}

/** Empty when there is no such process (or it is a zombie). */
function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return ''; // both ways fail exactly when the process is gone
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ended by itself in between
  }
}

const pidFile = (directory: string, name: string): string => join(directory, 'run', `${name}.pid`);
