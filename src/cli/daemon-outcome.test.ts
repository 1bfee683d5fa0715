// How a shadow ends: its report on stdout or in a file, and 1 where there was a miss.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShadowReport } from '../model/shadow.ts';
import { memoryStreams } from '../testing/memory-streams.ts';
import { showDaemonOutcome } from './daemon-outcome.ts';
import type { Output } from './output.ts';
import type { Session } from './session.ts';

const REPORT: ShadowReport = {
  ...{ hits: 3, misses: 0, passing: 1, open: 0, windowSeconds: 30, found: [], leftOut: 0 },
  ...{ since: '2026-01-01T00:00:00Z', until: '2026-01-01T01:00:00Z' },
  controllers: [{ controller: 'CompositeController/things', hits: 3, misses: 0, passing: 1, open: 0 }],
};
const parent = { apiVersion: 'x/v1', kind: 'Thing', namespace: 'n', name: 'one' };
const MISS: ShadowReport = {
  ...REPORT,
  misses: 1,
  found: [
    {
      ...{ kind: 'different', controller: 'CompositeController/things', parent, verb: 'update', manager: 'other' },
      object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a\u001b[31m' },
      time: '2026-01-01T00:10:00Z',
      fields: [
        { path: 'data.text', predicted: '1', seen: '2' },
        { path: 'data.more', seen: true },
      ],
    },
  ],
};

async function shown(shadow: ShadowReport, { outputs = [], code }: { outputs?: Output[]; code?: 143 } = {}) {
  const streams = memoryStreams({ terminal: false });
  const session = {
    ...{ streams, stderrLook: { color: false }, signalled: () => code },
    outputs: outputs.length > 0 ? outputs : [{ format: 'text' as const }],
  } as unknown as Session;
  const exit = await showDaemonOutcome({ status: 'stopped', diagnostics: [], shadow }, session);
  return { exit, text: streams.written.stdout };
}

test('without a miss: 0; with one: 1, and its fields; a signal has its own code', async () => {
  const { exit, text } = await shown(REPORT);
  assert.equal(exit, 0);
  assert.equal(
    text,
    `Shadow: 100.0 % as predicted (3 hits, 0 misses, 1 passing, 0 open)
From 2026-01-01T00:00:00Z to 2026-01-01T01:00:00Z, window 30 s.
  CompositeController/things: 100.0 % as predicted (3 hits, 0 misses, 1 passing, 0 open)
`,
  );
  const missed = await shown(MISS);
  assert.equal(missed.exit, 1);
  const lines = missed.text.split('\n').slice(4);
  assert.match(
    lines[0] ?? '',
    /^2026-01-01T00:10:00Z not as predicted: update ConfigMap n\/a[^\u001b]* \(.*, by other\)$/,
  );
  assert.deepEqual(lines.slice(1), ['  data.text: "1" → "2"', '  data.more: (nothing) → true', '']);
  assert.equal((await shown(MISS, { code: 143 })).exit, 143);
});

test('as JSON', async () => {
  const { text } = await shown(MISS, { outputs: [{ format: 'json' }] });
  const report = JSON.parse(text) as { formatVersion: string; score: number; found: unknown[] };
  assert.deepEqual([report.formatVersion, report.score, report.found], ['1.0', 0.75, MISS.found]);
});
