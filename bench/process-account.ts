// What a process has used, by the kernel's account (/proc, Linux).

import { readFileSync } from 'node:fs';

/** In MiB: what is resident now (VmRSS), or the most there ever was (VmHWM). */
export function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1_024;
}

/** User and system, in hundredths of a second as Linux counts them. */
export function cpuSecondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
