// Every fault, as a client sees it, and what the server has carried out. Seconds pass on the clock that is passed in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest, ApiResponse } from '../../ports/transport.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { createSandbox } from '../index.ts';
import { type Fault, FaultyTransport, faultOn } from './index.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const CREATE: ApiRequest = {
  method: 'POST',
  path: MAPS,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
};
const WATCH: ApiRequest = { method: 'GET', path: `${MAPS}?watch=true&resourceVersion=1`, longLived: true };

function stage() {
  const clock = new FakeClock();
  const sandbox = createSandbox({ clock, seed: 1 });
  const faulty = new FaultyTransport(sandbox.transport, clock);
  return { clock, sandbox, faulty };
}

const outcomeOf = async (response: ApiResponse): Promise<string> => {
  try {
    const text = await response.text();
    return text.endsWith('}') || text.endsWith('}\n') ? 'whole' : text;
  } catch {
    return 'broken';
  }
};

const CASES: readonly (readonly [fault: Fault, status: number, body: string | RegExp, carriedOut: boolean])[] = [
  [{ kind: 'status', code: 409 }, 409, 'whole', false],
  [{ kind: 'status', code: 410 }, 410, 'whole', false],
  [{ kind: 'status', code: 429, retryAfter: 3 }, 429, 'whole', false],
  [{ kind: 'status', code: 500 }, 500, 'whole', false],
  [{ kind: 'status', code: 503, text: 'upstream' }, 503, 'upstream', false],
  [{ kind: 'reset' }, 200, 'broken', false],
  [{ kind: 'lost' }, 201, 'broken', true],
  [{ kind: 'cut' }, 201, 'broken', true],
  [{ kind: 'half' }, 201, /^\{"apiVersion":"v1","kind":"ConfigMap".*[^}]$/, true],
];
for (const [fault, status, body, carriedOut] of CASES) {
  test(`a create that meets ${JSON.stringify(fault)}`, async () => {
    const { faulty } = stage();
    faulty.plan = faultOn(({ method }) => method === 'POST', fault, 1);
    const response = await faulty.request(CREATE);
    assert.equal(response.status, status);
    const outcome = await outcomeOf(response);
    if (typeof body === 'string') assert.equal(outcome, body);
    else assert.match(outcome, body);
    assert.deepEqual(faulty.writes, carriedOut ? [`POST ${MAPS}`] : []);
    const found = await faulty.request({ method: 'GET', path: `${MAPS}/a` });
    assert.equal(found.status, carriedOut ? 200 : 404);
  });
}

test('a refusal is a Status with its reason, and says when to come back', async () => {
  const { faulty } = stage();
  faulty.plan = () => ({ kind: 'status', code: 429, retryAfter: 3 });
  const response = await faulty.request(CREATE);
  const { kind, reason, code } = JSON.parse(await response.text());
  assert.deepEqual([kind, reason, code, response.headers['retry-after']], ['Status', 'TooManyRequests', 429, '3']);
});

test('a delay passes on the clock', async () => {
  const { faulty, clock } = stage();
  faulty.plan = faultOn(() => true, { kind: 'delay', ms: 5_000 });
  let answered = false;
  const answer = faulty.request(CREATE).then(() => {
    answered = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([answered, faulty.writes.length], [false, 0]);
  clock.advance(5_000);
  await answer;
  assert.equal(faulty.writes.length, 1);
});

test('what hangs ends with its request', async () => {
  const { faulty } = stage();
  faulty.plan = () => ({ kind: 'hang' });
  const leaving = new AbortController();
  const answer = faulty.request({ ...CREATE, signal: leaving.signal });
  leaving.abort();
  await assert.rejects(answer);
  assert.deepEqual(faulty.writes, []);
});

async function nextEvent(events: AsyncIterator<Uint8Array>): Promise<string> {
  const { value, done } = await events.next();
  return done ? 'end' : Buffer.from(value).toString();
}

test('watches: dropped, cut within a line, silent, frozen', async () => {
  const { faulty } = stage();
  const open = async (fault?: Fault) => {
    faulty.plan = fault && faultOn(({ longLived }) => longLived === true, fault, 1);
    return (await faulty.request(WATCH)).body[Symbol.asyncIterator]();
  };
  const [dropped, cut, silent, frozen] = [
    await open(),
    await open({ kind: 'cut' }),
    await open({ kind: 'silent' }),
    await open(),
  ];
  const nothing = silent.next();
  await faulty.request(CREATE);
  assert.match(await nextEvent(dropped), /^\{"type":"ADDED".*\}\n$/);
  const waiting = dropped.next();
  assert.match(await nextEvent(cut), /^\{"type":"ADDED".*[^\n]$/);
  await assert.rejects(cut.next(), /cut/);
  faulty.freeze();
  const later = nextEvent(frozen);
  faulty.thaw();
  assert.match(await later, /ADDED/);
  faulty.dropWatches();
  await assert.rejects(waiting, /dropped/);
  await assert.rejects(nothing, /dropped/);
});
