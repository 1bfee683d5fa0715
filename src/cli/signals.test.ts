import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { type SignalSource, watchSignals } from './signals.ts';

class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

test('the first signal aborts, the second ends the process', () => {
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const source = new FakeProcess();
    let told = 0;
    const interruption = watchSignals(source as unknown as SignalSource, () => told++);
    assert.deepEqual([interruption.signal.aborted, interruption.code()], [false, undefined]);
    source.emit(name, name);
    assert.deepEqual([interruption.signal.aborted, interruption.code(), told, source.exits], [true, code, 1, []]);
    source.emit('SIGTERM', 'SIGTERM');
    assert.deepEqual([interruption.code(), told, source.exits], [code, 1, [143]]);
    interruption.stop();
    assert.equal(source.listenerCount('SIGINT') + source.listenerCount('SIGTERM'), 0);
  }
});
