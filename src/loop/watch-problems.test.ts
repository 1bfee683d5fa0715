import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { CacheScope } from '../ports/cache.ts';
import { ApiError, ConnectionError } from '../ports/errors.ts';
import { CONFIG_MAPS, PODS } from '../testing/objects.ts';
import { WatchProblems } from './watch-problems.ts';

function problems() {
  let tell: (error: Error, scope: CacheScope) => void = () => undefined;
  const refused: Diagnostic[] = [];
  const onError = (listener: typeof tell): (() => void) => {
    tell = listener;
    return () => undefined;
  };
  const watches = new WatchProblems({ onError }, (diagnostic) => refused.push(diagnostic));
  return { watches, refused, fails: (error: Error, scope: CacheScope) => tell(error, scope) };
}

const scope: CacheScope = { type: PODS, namespace: 'ns' };
const forbidden = new ApiError({ code: 403, reason: 'Forbidden', message: 'no' }, 'GET /api/v1/pods');
const broken = new ConnectionError('reset', 'GET /api/v1/pods');

test('a refusal that repeats is an error, one of a moment is none', () => {
  const { refused, fails } = problems();
  fails(forbidden, scope);
  fails(forbidden, scope);
  assert.deepEqual(refused, []);
  fails(forbidden, scope);
  assert.deepEqual(
    refused.map(({ severity, code, summary }) => [severity, code, summary]),
    [['error', 'forbidden', 'watching pods in namespace ns: the API server says: no']],
  );
});

test('other troubles are warnings, from the second on, until something arrives', () => {
  const { watches, refused, fails } = problems();
  fails(broken, scope);
  assert.deepEqual(watches.warnings(), []);
  for (let times = 0; times < 5; times++) fails(broken, { type: PODS });
  assert.deepEqual(refused, []);
  assert.deepEqual(
    watches.warnings().map(({ severity, summary }) => [severity, summary]),
    [['warning', 'watching pods in all namespaces: reset']],
  );
  watches.works({ type: CONFIG_MAPS, before: undefined, after: undefined });
  assert.equal(watches.warnings().length, 1);
  watches.works({ type: PODS, before: undefined, after: undefined });
  assert.deepEqual(watches.warnings(), []);
});
