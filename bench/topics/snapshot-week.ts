// The example snapshot-schedule through a week of virtual time: a daemon, its hook and the sandbox in this process, on a clock that
// stands still but for what is due next.

import { SnapshotWeek } from '../../src/testing/snapshot-week.ts';
import { median } from '../measure.ts';
import { type Section, seconds, verdict } from '../report.ts';

const RUNS = 5;
const DAYS = 7;
const CLAIM_GOES_AFTER_DAYS = 5;

interface Week {
  readonly startSeconds: number;
  readonly weekSeconds: number;
  readonly cpuSeconds: number;
  readonly due: number;
  readonly hookCalls: Readonly<Record<string, number>>;
}

export async function snapshotWeekTopic(): Promise<Section> {
  await oneWeek();
  const weeks: Week[] = [];
  for (let run = 0; run < RUNS; run++) weeks.push(await oneWeek());
  const wall = median(weeks.map(({ weekSeconds }) => weekSeconds));
  const fastest = Math.min(...weeks.map(({ weekSeconds }) => weekSeconds));
  const slowest = Math.max(...weeks.map(({ weekSeconds }) => weekSeconds));
  const { due = 0, hookCalls = {} } = weeks[0] ?? {};
  const row = [
    String(DAYS),
    String(due),
    Object.entries(hookCalls)
      .map(([hook, calls]) => `${calls} × ${hook}`)
      .join(', '),
    seconds(wall),
    `${seconds(fastest)}–${seconds(slowest)}`,
    seconds(median(weeks.map(({ cpuSeconds }) => cpuSeconds))),
    seconds(median(weeks.map(({ startSeconds }) => startSeconds))),
  ];
  return {
    title: 'A week of snapshots in virtual time',
    text: `The example snapshot-schedule, a snapshot every six hours, each kept for fifty; its claim goes after ${CLAIM_GOES_AFTER_DAYS} days. One daemon, its TypeScript hook in a worker, and the sandbox over HTTP, all by one clock that is moved on to what is due next as soon as nothing is left to do. The start is not part of the week: \`apply\` of the files to the end, and the daemon until its first round is over. Medians of ${RUNS}.`,
    tables: [
      { columns: ['virtual days', 'due', 'hook calls', 'wall', 'fastest–slowest', 'CPU', 'start'], rows: [row] },
    ],
    verdicts: [verdict('a week in under a second', wall < 1, seconds(wall))],
  };
}

async function oneWeek(): Promise<Week> {
  const begin = performance.now();
  const week = await SnapshotWeek.start();
  try {
    const started = performance.now();
    const cpu = process.cpuUsage();
    let due = 0;
    for (const { hour } of week.due(CLAIM_GOES_AFTER_DAYS * 24)) {
      await week.moveTo(hour);
      due++;
    }
    await week.deleteClaim();
    for (const { hour } of week.due(DAYS * 24)) {
      await week.moveTo(hour);
      due++;
    }
    const { user, system } = process.cpuUsage(cpu);
    return {
      startSeconds: (started - begin) / 1_000,
      weekSeconds: (performance.now() - started) / 1_000,
      cpuSeconds: (user + system) / 1e6,
      due,
      hookCalls: await week.hookCalls(),
    };
  } finally {
    await week.close();
  }
}
