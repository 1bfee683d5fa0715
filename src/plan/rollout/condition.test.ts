import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { onLatest, progressing, waiting, withCondition } from './condition.ts';

const UPDATED = progressing('Pod', 'a');
const READY = { type: 'Ready', status: 'True' };

const CASES: readonly { readonly why: string; readonly status: JsonObject; readonly want: JsonObject | undefined }[] = [
  { why: 'a hook that returns no status', status: {}, want: { conditions: [UPDATED] } },
  { why: 'conditions that are null', status: { conditions: null }, want: { conditions: [UPDATED] } },
  {
    why: 'behind the hook’s own',
    status: { n: 1, conditions: [READY] },
    want: { n: 1, conditions: [READY, UPDATED] },
  },
  {
    why: 'in the place of one that the hook hands back',
    status: { conditions: [waiting('x'), READY] },
    want: { conditions: [UPDATED, READY] },
  },
  { why: 'odd items stay', status: { conditions: ['x', null] }, want: { conditions: ['x', null, UPDATED] } },
  { why: 'no list: nothing to add it to', status: { conditions: { Ready: 'True' } }, want: undefined },
];

describe('the condition Updated', () => {
  for (const { why, status, want } of CASES) test(why, () => assert.deepEqual(withCondition(status, UPDATED), want));

  test('its words are those of Metacontroller', () => {
    assert.deepEqual(
      [onLatest('rev-1'), progressing('Pod', 'web-0'), waiting('missing child Pod web-0')].map(
        ({ type, status, reason, message }) => `${type}=${status} ${reason} ${message}`,
      ),
      [
        'Updated=True OnLatestRevision latest ControllerRevision: rev-1',
        'Updated=False RolloutProgressing updating Pod web-0',
        'Updated=False RolloutWaiting missing child Pod web-0',
      ],
    );
  });
});
