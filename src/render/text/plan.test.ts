import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { GoldenDirectory } from '../../testing/golden.ts';
import { buildChange, buildParent, buildPlan } from '../../testing/plan-builder.ts';
import {
  CANARY,
  planOfEverything,
  planOfNothing,
  planOfServerSide,
  planOfTwoSteps,
} from '../../testing/plan-examples.ts';
import { deepFreeze } from '../../testing/random-json.ts';
import { type PlanTextOptions, renderPlanText } from '../index.ts';

const golden = new GoldenDirectory('render/text');
after(() => golden.expectNoOrphans());

const PLAIN = { color: false, ascii: false, width: 80 };
const GOLDENS: readonly {
  readonly name: string;
  readonly plan: () => ReturnType<typeof planOfEverything>;
  readonly options: PlanTextOptions;
}[] = [
  { name: 'everything.txt', plan: planOfEverything, options: PLAIN },
  { name: 'everything-120.txt', plan: planOfEverything, options: { ...PLAIN, width: 120 } },
  { name: 'everything-ascii.txt', plan: planOfEverything, options: { ...PLAIN, ascii: true } },
  { name: 'everything-color.txt', plan: planOfEverything, options: { ...PLAIN, color: true } },
  { name: 'everything-unchanged.txt', plan: planOfEverything, options: { ...PLAIN, showUnchanged: true } },
  { name: 'two-steps.txt', plan: planOfTwoSteps, options: PLAIN },
  { name: 'server-side.txt', plan: planOfServerSide, options: PLAIN },
  { name: 'nothing.txt', plan: planOfNothing, options: PLAIN },
  {
    name: 'empty.txt',
    plan: () => buildPlan({ target: { kind: 'sandbox', name: './state' }, definitions: [] }),
    options: PLAIN,
  },
];

for (const { name, plan, options } of GOLDENS) {
  test(`text plan: ${name}`, () => {
    const text = renderPlanText(deepFreeze(plan()), options);
    golden.expect(name, text);
    assert.equal(text, renderPlanText(plan(), options), 'the same plan, the same bytes');
    assert.ok(!text.includes('canary'), 'a Secret value shows');
  });
}

test('text plan: no line is wider than asked for, and colour changes nothing but colour', () => {
  for (const width of [40, 60, 80, 200]) {
    const plain = renderPlanText(planOfEverything(), { ...PLAIN, width });
    for (const line of plain.split('\n')) assert.ok(line.length <= width, `${line.length} > ${width}: ${line}`);
    const colored = renderPlanText(planOfEverything(), { ...PLAIN, width, color: true });
    assert.notEqual(colored, plain);
    assert.equal(stripVTControlCharacters(colored), plain);
  }
});

test('text plan: ASCII means ASCII, also for values', () => {
  const after = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ü' }, data: { a: 'naïve → 日本 😀' } };
  const plan = buildPlan({ parents: [buildParent({ changes: [buildChange({ action: 'create', after })] })] });
  const text = renderPlanText(plan, { ...PLAIN, ascii: true });
  assert.match(text, /^[\n\u0020-\u007e]*$/);
  assert.match(text, /\\u65e5\\u672c \\u\{1f600\}/);
});

test('text plan: control characters of others do not reach the terminal', () => {
  const bad = '\u001b[2J\u001b]0;title\u0007\u202eevil\r';
  const after = { apiVersion: 'v1', kind: bad, metadata: { name: bad }, data: { [bad]: bad } };
  const plan = buildPlan({
    parents: [buildParent({ changes: [buildChange({ action: 'create', after, note: bad })] })],
    diagnostics: [{ severity: 'error', code: 'hook-failed', summary: bad }],
  });
  assert.doesNotMatch(renderPlanText(plan, PLAIN), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('text plan: texts that differ in thousands of lines are not compared for ever', () => {
  const text = (seed: string): string => Array.from({ length: 5000 }, (_, line) => `${seed}${line}`).join('\n');
  const object = (data: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'big' }, data: { data } });
  const change = buildChange({ action: 'update', before: object(text('a')), after: object(text('b')) });
  const shown = renderPlanText(buildPlan({ parents: [buildParent({ changes: [change] })] }), PLAIN);
  assert.match(shown, /too different to show by line/);
});

test('text plan: the canary is in the plan, so its absence from the text means something', () => {
  assert.ok(JSON.stringify(planOfEverything()).includes(CANARY));
});
