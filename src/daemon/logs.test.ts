import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../testing/fake-clock.ts';
import { createLogger, type LogEncoder, type LogLevel } from './logs.ts';

async function lines(encoder: LogEncoder, level: LogLevel): Promise<string[]> {
  const written: string[] = [];
  const log = await createLogger({ level, encoder, clock: new FakeClock(), write: (line) => written.push(line) });
  log.debug('Hidden', { a: 1 });
  log.info('Wrote', { object: 'Pod default/a', count: 2, absent: undefined });
  log.error('Sync error', { error: 'it is "so"\nand so' });
  return written;
}

test('JSON, as zap writes it', async () => {
  const written = (await lines('json', 'info')).map((line) => JSON.parse(line) as object);
  assert.deepEqual(written, [
    { level: 'info', ts: 1767225600, object: 'Pod default/a', count: 2, msg: 'Wrote' },
    { level: 'error', ts: 1767225600, error: 'it is "so"\nand so', msg: 'Sync error' },
  ]);
});

test('lines for people: one each, whatever is in them', async () => {
  assert.deepEqual(await lines('console', 'info'), [
    '2026-01-01T00:00:00.000Z  INFO   Wrote  object="Pod default/a"  count=2\n',
    '2026-01-01T00:00:00.000Z  ERROR  Sync error  error="it is \\"so\\"\\nand so"\n',
  ]);
});

for (const encoder of ['json', 'console'] as const)
  test(`levels, ${encoder}`, async () => {
    assert.equal((await lines(encoder, 'debug')).length, 3);
    assert.equal((await lines(encoder, 'error')).length, 1);
  });
