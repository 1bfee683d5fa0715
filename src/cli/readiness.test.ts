import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReadiness, showReadiness } from './readiness.ts';

const web = { selector: { matchLabels: { app: 'web' } } };
const MODELS: readonly [text: string, model: object][] = [
  ['never', { kind: 'never' }],
  ['ready-after=5s', { kind: 'ready-after', seconds: 5 }],
  ['ready-after=0s', { kind: 'ready-after', seconds: 0 }],
  ['fail=ImagePullBackOff', { kind: 'fail', reason: 'ImagePullBackOff' }],
  ['flap=10s,500ms', { kind: 'flap', upSeconds: 10, downSeconds: 0.5 }],
  ['app=web:never', { ...web, kind: 'never' }],
  ['app=web:fail=Error', { ...web, kind: 'fail', reason: 'Error' }],
  [
    'example.com/tier=a,app=:flap=1m,2s',
    {
      selector: { matchLabels: { 'example.com/tier': 'a', app: '' } },
      kind: 'flap',
      upSeconds: 60,
      downSeconds: 2,
    },
  ],
];

test('what is read is written the same', () => {
  for (const [text, model] of MODELS) {
    assert.deepEqual(parseReadiness(text), model, text);
    assert.deepEqual(parseReadiness(showReadiness(parseReadiness(text))), model, text);
  }
});

test('what is refused, and in which words', () => {
  const wrong = [
    '',
    'soon',
    'never=1',
    'ready-after',
    'ready-after=5',
    'ready-after=-5s',
    'fail',
    'fail=a b',
    'flap=1s',
  ];
  for (const text of [...wrong, 'flap=1s,2s,3s', 'app:never', '=web:never', ':never', 'app=web:'])
    assert.throws(() => parseReadiness(text), /does not say when pods become Ready: write \[LABEL=VALUE/, text);
});
