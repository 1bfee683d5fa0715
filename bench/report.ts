// Results as Markdown: one section a topic, which takes its place in docs/benchmarks.md.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Measured } from './measure.ts';

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Section {
  readonly title: string;
  /** Before the tables: what is measured, beside what, with which seed. */
  readonly text: string;
  readonly tables: readonly Table[];
  /** After them: expectations, and whether they were met. */
  readonly verdicts?: readonly string[];
}

const FILE = join(import.meta.dirname, '..', 'docs', 'benchmarks.md');
const HEAD = `# Benchmarks

\`npm run bench\` measures and writes this file; \`npm run bench -- NAME\` one topic. Figures are medians of whole processes,
from start to exit, by the kernel's account, after one run that does not count; a command and what it is compared with take
turns. Figures of different machines can't be compared, those of one table can.
`;

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${memory} GiB, Node ${process.versions.node}, ${process.platform}; load average at the end ${(loadavg()[0] ?? 0).toFixed(1)}`;
}

export function sectionText({ title, text, tables, verdicts = [] }: Section): string {
  const parts = [`## ${title}`, `Machine: ${machine()}.`, text, ...tables.map(tableText)];
  if (verdicts.length > 0) parts.push(verdicts.map((verdict) => `- ${verdict}`).join('\n'));
  return parts.join('\n\n');
}

function tableText({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Puts the section into the file in the place of the topic's earlier one. */
export function writeSection(topic: string, text: string): void {
  const [begin, end] = [`<!-- ${topic} -->`, `<!-- /${topic} -->`];
  const file = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD;
  const [from, to] = [file.indexOf(begin), file.indexOf(end)];
  const section = `${begin}\n${text}\n${end}`;
  const whole =
    from < 0 || to < 0
      ? `${file.trimEnd()}\n\n${section}\n`
      : file.slice(0, from) + section + file.slice(to + end.length);
  writeFileSync(FILE, whole);
}

export const USAGE_COLUMNS = ['wall', 'fastest–slowest', 'CPU', 'peak RSS', 'runs'] as const;

export function usageCells(measured: Measured): string[] {
  const { wallSeconds, fastestSeconds, slowestSeconds, cpuSeconds, peakMiB, runs } = measured;
  return [
    seconds(wallSeconds),
    `${seconds(fastestSeconds)}–${seconds(slowestSeconds)}`,
    seconds(cpuSeconds),
    `${peakMiB.toFixed(0)} MiB`,
    String(runs),
  ];
}

export function seconds(value: number): string {
  return value < 1 ? `${(value * 1000).toFixed(0)} ms` : `${value.toFixed(2)} s`;
}

/** "expected … : met (…)" */
export function verdict(what: string, met: boolean, found: string): string {
  return `${what}: **${met ? 'met' : 'missed'}**, ${found}`;
}
