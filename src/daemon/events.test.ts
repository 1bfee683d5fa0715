import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../model/ref.ts';
import type { EventRecord, EventWriter, WrittenEvent } from '../ports/events.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeLog } from '../testing/fake-log.ts';
import { Events } from './events.ts';

const WEB: Ref = { apiVersion: 'v1', kind: 'Widget', namespace: 'default', name: 'web', uid: 'u' };

class FakeWriter implements EventWriter {
  readonly written: string[] = [];
  gone = false;
  fails = false;

  async createEvent({ about, reason, message, count }: EventRecord, name: string): Promise<WrittenEvent> {
    if (this.fails) throw new Error('no');
    this.written.push(`create ${about.name} ${reason} ${message} ${count}`);
    return { name, namespace: about.namespace ?? 'default' };
  }

  async countEvent(_written: WrittenEvent, { message, count }: EventRecord): Promise<boolean> {
    if (this.gone) return false;
    this.written.push(`count ${message} ${count}`);
    return true;
  }
}

function bench(burst = 25) {
  const clock = new FakeClock();
  const writer = new FakeWriter();
  const log = new FakeLog();
  const fates: string[] = [];
  const onFate = (fate: string): void => void fates.push(fate);
  const events = new Events({ writer, clock, log, burst, perSecond: 1 / 300, salt: 's', onFate });
  const note = (message: string, about = WEB): void =>
    events.note(about, { type: 'Warning', reason: 'SyncError', message });
  return { clock, writer, log, events, note, fates };
}

test('an equal note is the same Event, counted up', async () => {
  const { writer, events, note } = bench();
  note('x');
  await events.flush();
  note('x');
  note('x');
  await events.flush();
  assert.deepEqual(writer.written, ['create web SyncError x 1', 'count x 3']);
});

test('an Event that has expired is written anew', async () => {
  const { writer, events, note } = bench();
  note('x');
  await events.flush();
  writer.gone = true;
  note('x');
  await events.flush();
  assert.deepEqual(writer.written, ['create web SyncError x 1', 'create web SyncError x 2']);
});

test('one object can not flood the cluster: a burst, then one in five minutes; others have their own', async () => {
  const { clock, writer, events, note, fates } = bench(3);
  for (let index = 0; index < 8; index++) note(`m${index}`);
  note('other', { ...WEB, name: 'db', uid: 'v' });
  await events.flush();
  assert.equal(writer.written.length, 4);
  clock.advance(300_000);
  note('later');
  note('too much');
  await events.flush();
  assert.deepEqual(writer.written.slice(4), ['create web SyncError later 1']);
  const told = fates.filter((fate) => fate !== 'created');
  assert.deepEqual(told, Array(6).fill('limited'));
});

test('a loop that says the same for hours is a handful of writes, and the last one says how often it was', async () => {
  const { clock, writer, events, note } = bench();
  for (let second = 0; second < 4 * 3_600; second++) {
    note('always the same');
    await events.flush();
    clock.advance(1_000);
  }
  // A burst of 25, and then one in five minutes.
  assert.equal(writer.written.length, 25 + 47);
  const last = Number(writer.written.at(-1)?.split(' ').at(-1));
  assert.ok(last > 4 * 3_600 - 300, String(last));
});

test('messages that are always new are gathered once there are many', async () => {
  const { writer, events, note } = bench(100);
  for (let index = 0; index < 12; index++) note(`m${index}`);
  await events.flush();
  assert.match(writer.written[10] ?? '', /create .*combined from similar events\): m11 2$/);
  assert.equal(writer.written.length, 11);
});

test('one that can not be written is dropped, and told to the log', async () => {
  const { writer, log, events, note } = bench();
  writer.fails = true;
  note('x');
  await events.flush();
  assert.deepEqual([writer.written, log.lines], [[], ['warn Event not written']]);
});
