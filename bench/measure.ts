// Whole processes, measured from outside: from start to exit, by the kernel's account (usage.py). Runs of a command and of
// its peer take turns, so that a machine that slows down slows both.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Command {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[] | (() => readonly string[]);
  readonly environment?: Readonly<Record<string, string>>;
  /** Exit codes that count as success. Default: 0. */
  readonly accept?: readonly number[];
  /** Before each run, not measured; arguments given as a function are asked for after it. */
  readonly before?: () => Promise<void>;
}

export interface Usage {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

export interface Measured extends Usage {
  readonly name: string;
  /** How many runs the medians are of. */
  readonly runs: number;
  readonly slowestSeconds: number;
  readonly fastestSeconds: number;
}

export interface MeasureOptions {
  readonly runs: number;
  /** Not counted: compile caches and the server's own caches get warm. Default 1. */
  readonly warmUps?: number;
}

/** Medians of each command, in the order given. Throws when a run ends with another exit code than accepted. */
export async function measure(commands: readonly Command[], options: MeasureOptions): Promise<Measured[]> {
  const { runs, warmUps = 1 } = options;
  const usages = commands.map((): Usage[] => []);
  for (let run = -warmUps; run < runs; run++)
    for (const [index, command] of commands.entries()) {
      const usage = await runOnce(command);
      if (run >= 0) usages[index]?.push(usage);
    }
  return commands.map(({ name }, index) => summarise(name, usages[index] ?? []));
}

/** Runs a command once; what it prints on stdout is returned too. */
export async function runOnce(command: Command): Promise<Usage & { readonly stdout: string }> {
  await command.before?.();
  const directory = mkdtempSync(join(tmpdir(), 'metactl-bench-usage-'));
  try {
    const report = join(directory, 'usage.json');
    const script = join(import.meta.dirname, 'usage.py');
    const given = typeof command.arguments === 'function' ? command.arguments() : command.arguments;
    const child = spawn('python3', [script, report, command.program, ...given], {
      env: { ...process.env, ...command.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === null || !(command.accept ?? [0]).includes(code))
      throw new Error(
        `${command.name} ended with ${code}:\n${output.stderr.slice(-2_000)}${output.stdout.slice(-500)}`,
      );
    return { ...usageOf(readFileSync(report, 'utf8')), stdout: output.stdout };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function usageOf(text: string): Usage {
  const used = JSON.parse(text) as { wall_s: number; user_s: number; system_s: number; peak_kib: number };
  return { wallSeconds: used.wall_s, cpuSeconds: used.user_s + used.system_s, peakMiB: used.peak_kib / 1024 };
}

function summarise(name: string, usages: readonly Usage[]): Measured {
  const walls = usages.map(({ wallSeconds }) => wallSeconds);
  return {
    name,
    runs: usages.length,
    wallSeconds: median(walls),
    cpuSeconds: median(usages.map(({ cpuSeconds }) => cpuSeconds)),
    peakMiB: median(usages.map(({ peakMiB }) => peakMiB)),
    fastestSeconds: Math.min(...walls),
    slowestSeconds: Math.max(...walls),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
