import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GoldenDirectory } from '../../testing/golden.ts';
import { buildChange } from '../../testing/plan-builder.ts';
import { CANARY, changesOfEveryAction, planOfEverything } from '../../testing/plan-examples.ts';
import { type ApplyResult, renderApplySummary } from '../index.ts';

const golden = new GoldenDirectory('render/apply');
after(() => golden.expectNoOrphans());

const OPTIONS = { color: false, ascii: false, width: 80 };
const applied: ApplyResult['applied'] = changesOfEveryAction().map((change) => ({ change, outcome: { kind: 'done' } }));
const plan = planOfEverything();
const waitingOn = plan.parents[0]?.result.waitingOn ?? [];
const [first] = applied;
const after1 = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'late', namespace: 'default' } };
const notTried = {
  change: buildChange({ action: 'create', after: after1 }),
  outcome: { kind: 'not-tried', why: 'interrupted' },
} as const;

const RESULTS: readonly ApplyResult[] = [
  { status: 'settled', applied, waitingOn: [] },
  { status: 'unsettled', plan, applied, waitingOn },
  { status: 'nothing', applied: [], waitingOn: [] },
  { status: 'declined', applied: [], waitingOn: [] },
  { status: 'unconfirmed', applied: [], waitingOn: [] },
  { status: 'guarded', applied: [], waitingOn: [] },
  { status: 'failed', applied: [notTried], waitingOn: [] },
  { status: 'interrupted', applied: [...(first ? [first] : []), notTried], waitingOn: [] },
];
for (const result of RESULTS) {
  test(`apply summary: ${result.status}`, () => {
    const text = renderApplySummary(result, OPTIONS);
    golden.expect(`${result.status}.txt`, text);
    assert.ok(!text.includes(CANARY));
  });
}
