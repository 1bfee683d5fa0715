// One writer a directory. LOCK names the process that holds it: pid, when that process started (pids are used again) and
// the host. A lock of a process that is gone is taken over; one of another host is never judged from here.
// Invariant: LOCK appears with its whole content (a hard link to a finished file), so no reader sees half of it.

import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonValue, parseJson } from '../../kit/json.ts';
import { DiagnosticError } from '../../model/diagnostic.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** As the system counts it; "" where it does not say. Equal for one process only, together with the pid. */
  readonly started: string;
}

/** Takes the lock or throws a DiagnosticError. The returned function gives it back. */
export function takeLock(directory: string): () => void {
  const lock = join(directory, 'LOCK');
  const mine = `${JSON.stringify({ pid: process.pid, host: hostname(), started: startOf(process.pid) })}\n`;
  const draft = join(directory, `LOCK.${process.pid}`);
  writeFileSync(draft, mine);
  try {
    // Twice: once more after a stale lock has been moved away.
    if (!link(draft, lock)) {
      removeStale(directory, lock);
      if (!link(draft, lock)) throw held(directory, readHolder(lock));
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readText(lock) === mine) rmSync(lock, { force: true });
  };
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead process's lock away; throws when it is alive, or when somebody else was quicker. */
function removeStale(directory: string, lock: string): void {
  const before = readText(lock);
  const holder = parseHolder(before);
  if (before === undefined) return;
  if (holder && isAlive(holder)) throw held(directory, holder);
  const aside = join(directory, `LOCK.stale.${process.pid}`);
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readText(aside);
  if (moved !== before) link(aside, lock);
  rmSync(aside, { force: true });
  if (moved !== before) throw held(directory, parseHolder(moved));
}

function isAlive({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and somebody else's.
    if (codeOf(error) === 'ESRCH') return false;
  }
  const now = startOf(pid);
  if (now === ENDED) return false;
  return started === '' || now === '' || started === now;
}

/** Of a process that has ended and that its parent has not asked after yet: signals still find it. */
const ENDED = 'ended';

/** Boot and clock ticks since then, from /proc; "" on systems without it. */
function startOf(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return '';
  // The second field is the command in parentheses and may hold anything. Field 3 is the state, 22 the start time.
  const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return ENDED;
  const ticks = rest[18] ?? '';
  return `${readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${ticks}`;
}

const readHolder = (lock: string): Holder | undefined => parseHolder(readText(lock));

function parseHolder(text: string | undefined): Holder | undefined {
  const value = text === undefined ? undefined : parseQuietly(text);
  if (!isJsonObject(value)) return undefined;
  const { pid, host, started } = value;
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof started !== 'string') return undefined;
  return { pid, host, started };
}

/** Undefined for text that is not JSON: such a LOCK is nobody's. */
function parseQuietly(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? '';

function held(directory: string, holder: Holder | undefined): DiagnosticError {
  const who = holder
    ? `process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`}`
    : 'another process';
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'conflict',
      summary: `the sandbox directory ${directory} is in use by ${who}`,
      detail: 'A sandbox directory has one writer at a time.',
      hint: `to use one sandbox from several processes, run \`metactl sandbox serve --sandbox-dir ${directory} --write-kubeconfig FILE\` and point the others at that kubeconfig`,
    },
  ]);
}
