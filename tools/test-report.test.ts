// The totals must be true: what counts as passed, failed and skipped, and what is printed where.

import assert from 'node:assert/strict';
import type { run } from 'node:test';
import { describe, it } from 'node:test';
import { reportTests, type TestTotals } from './test-report.ts';

type Events = Parameters<typeof reportTests>[0];
type Event = ReturnType<typeof run> extends AsyncIterable<infer E> ? E : never;

/** Events as node sends them, as far as the report reads them. */
async function* stream(...events: readonly object[]): AsyncGenerator<Event> {
  for (const event of events) yield event as Event;
}

const start = (name: string, nesting = 0) => ({ type: 'test:start', data: { name, nesting, file: 'a.test.ts' } });
const pass = (name: string, more: object = {}, nesting = 0) => ({
  type: 'test:pass',
  data: { name, nesting, file: 'a.test.ts', details: { type: 'test' }, ...more },
});
const fail = (name: string, error: object, more: object = {}, nesting = 0) => ({
  type: 'test:fail',
  data: { name, nesting, file: 'a.test.ts', line: 3, details: { type: 'test', error }, ...more },
});

async function totalsOf(events: Events, requireRealServer = false): Promise<TestTotals & { readonly output: string }> {
  let output = '';
  const print = (text: string): void => {
    output += text;
  };
  const totals = await reportTests(events, { requireRealServer, print });
  return { ...totals, output };
}

const REAL = 'needs the real API server: none here';

describe('test report', () => {
  it('counts tests, not suites', async () => {
    const suite = pass('suite', { details: { type: 'suite' } });
    const { passed, failed, skipped } = await totalsOf(
      stream(start('suite'), pass('a', {}, 1), pass('b', {}, 1), suite),
    );
    assert.deepEqual({ passed, failed, skipped }, { passed: 2, failed: 0, skipped: 0 });
  });

  it('shows a failure with its suite, place and cause, once', async () => {
    const child = fail('child', { cause: new Error('what went wrong') }, {}, 1);
    const parent = fail('suite', { failureType: 'subtestsFailed' });
    const { failed, output } = await totalsOf(stream(start('suite'), start('child', 1), child, parent));
    assert.equal(failed, 1);
    assert.match(output, /FAILED suite > child\n {2}a\.test\.ts:3\n {2}Error: what went wrong/);
    assert.match(output, /failed:\n {2}a\.test\.ts: suite > child\n$/);
  });

  it('counts what was cancelled as failed', async () => {
    const cancelled = fail('never', { failureType: 'cancelledByParent', cause: 'did not finish' });
    assert.equal((await totalsOf(stream(cancelled))).failed, 1);
  });

  it('groups skipped tests by reason', async () => {
    const events = stream(
      pass('a', { skip: 'no python' }),
      pass('b', { skip: true }),
      pass('c', { skip: 'no python' }),
    );
    const { skipped, passed, output } = await totalsOf(events);
    assert.deepEqual({ skipped, passed }, { skipped: 3, passed: 0 });
    assert.match(output, /skipped: no python\n {2}a\.test\.ts: 2\n\nskipped: no reason given\n {2}a\.test\.ts: 1\n/);
  });

  it('counts what is to be done as skipped, also when it fails', async () => {
    const { skipped, failed } = await totalsOf(stream(pass('a', { todo: true }), fail('b', {}, { todo: 'later' })));
    assert.deepEqual({ skipped, failed }, { skipped: 2, failed: 0 });
  });

  it('tells how many were skipped for want of the real server', async () => {
    const events = stream(pass('a', { skip: REAL }), pass('b', { skip: 'no python' }), pass('c'));
    const { passed, skipped, skippedForRealServer } = await totalsOf(events);
    assert.deepEqual({ passed, skipped, skippedForRealServer }, { passed: 1, skipped: 2, skippedForRealServer: 1 });
  });

  it('calls these failures where the real server is required', async () => {
    const events = stream(pass('a', { skip: REAL }), pass('b', { skip: 'no python' }));
    const { failed, skipped, skippedForRealServer, output } = await totalsOf(events, true);
    assert.deepEqual({ failed, skipped, skippedForRealServer }, { failed: 1, skipped: 1, skippedForRealServer: 0 });
    assert.match(output, /a\.test\.ts: a \(skipped: needs the real API server: none here\)/);
  });

  it('passes on what tests print', async () => {
    const { output } = await totalsOf(stream({ type: 'test:stdout', data: { message: 'seed 7\n' } }, pass('a')));
    assert.match(output, /^seed 7\n/);
  });
});
