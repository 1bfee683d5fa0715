import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { GoldenDirectory } from '../../testing/golden.ts';
import { CANARY, planOfEverything } from '../../testing/plan-examples.ts';
import { redactorOf, renderDiagnostics } from '../index.ts';

const golden = new GoldenDirectory('render/diagnostics');
after(() => golden.expectNoOrphans());

const subject = { apiVersion: 'example.com/v1', kind: 'Web', namespace: 'default', name: 'shop' };
const typo: Diagnostic = {
  severity: 'error',
  code: 'unknown-field',
  summary: 'unknown field spec.generateSelectr',
  hint: 'Did you mean generateSelector?',
  source: { file: 'controller.yaml', line: 12, column: 3, endColumn: 19, lineText: '  generateSelectr: true' },
};
const MANY: readonly Diagnostic[] = [
  typo,
  {
    severity: 'error',
    code: 'answer-undeclared-kind',
    summary: 'CompositeController/web: sync hook for Web default/shop: children[2] is of a kind that is not declared',
    detail: 'Job (batch/v1) is not among spec.childResources.\nDeclared are: Pod, Service',
    hint: 'Add to spec.childResources:\n- apiVersion: batch/v1\n  resource: jobs',
    subject,
    path: 'children[2].kind',
  },
  {
    severity: 'warning',
    code: 'ineffective',
    summary: 'resyncPeriodSeconds has no effect in plan',
    source: { file: 'controller.yaml', line: 4, column: 1, lineText: '\tresyncPeriodSeconds:\t10' },
  },
  {
    severity: 'error',
    code: 'yaml-syntax',
    summary: 'a value is not closed',
    source: { file: 'other.yaml', line: 1, column: 150, lineText: `${'x'.repeat(149)}"${'y'.repeat(90)}` },
  },
  typo,
  { severity: 'error', code: 'invalid-value', summary: 'wrong', subject, path: 'spec.replicas' },
];

test('diagnostics: grouped by file, by line, a repeated one once, all of them', () => {
  golden.expect('many.txt', renderDiagnostics(MANY, { color: false }));
  golden.expect('many-color.txt', renderDiagnostics(MANY, { color: true }));
  golden.expect('one.txt', renderDiagnostics([typo], { color: false }));
});

test('diagnostics: none, no text', () => assert.equal(renderDiagnostics([], { color: false }), ''));

test('diagnostics: the caret stands under the column it names', () => {
  const [, line = '', caret = ''] = renderDiagnostics([typo], { color: false }).split('\n');
  assert.equal(line.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1), 'generateSelectr:');
});

test('diagnostics: places outside the line do no harm', () => {
  for (const [column, endColumn] of [
    [0, 0],
    [99, 120],
    [3, 1],
    [1, 9999],
  ] as const) {
    const text = renderDiagnostics([{ ...typo, source: { file: 'f', line: 1, column, endColumn, lineText: 'abc' } }], {
      color: false,
    });
    assert.match(text, /\^/);
  }
});

test('diagnostics: Secret values are taken out by the plan’s redactor', () => {
  const plan = planOfEverything();
  assert.match(renderDiagnostics(plan.diagnostics, { color: false }), new RegExp(CANARY));
  const masked = renderDiagnostics(plan.diagnostics, { color: false, redactor: redactorOf(plan) });
  assert.ok(!masked.includes('canary'), masked);
});
