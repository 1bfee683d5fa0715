import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompositeDefinition, Definition } from '../model/definition.ts';
import { decoratorOfWidgets, widgetController } from '../testing/objects.ts';
import { conflictingControllers } from './conflicting-controllers.ts';

const labelled = (labels: Record<string, string>): CompositeDefinition => {
  const one = widgetController({ name: 'labelled' });
  return { ...one, parent: { ...one.parent, labelSelector: { matchLabels: labels, matchExpressions: [] } } };
};
const withParent = (parent: object): CompositeDefinition => {
  const one = widgetController({ name: 'other' });
  return { ...one, parent: { ...one.parent, ...parent } };
};
const A = widgetController({ name: 'a' });
const B = widgetController({ name: 'b' });

const CASES: readonly (readonly [reason: string, definitions: readonly Definition[], conflicts: number])[] = [
  ['one alone', [A], 0],
  ['two with the same parents and children', [A, B], 1],
  ['three: each pair', [A, B, widgetController({ name: 'c' })], 3],
  ['another version of the same parents', [A, withParent({ apiVersion: 'example.com/v2' })], 1],
  ['parents of another group', [A, withParent({ apiVersion: 'example.org/v1' })], 0],
  ['other parents', [A, withParent({ resource: 'gadgets' })], 0],
  ['other children', [A, { ...B, children: B.children.map((child) => ({ ...child, resource: 'secrets' })) }], 0],
  ['parents with labels among all parents', [A, labelled({ tier: 'x' })], 1],
  ['parents with other values of one label', [labelled({ tier: 'y' }), labelled({ tier: 'x' })], 0],
  ['parents with other labels, which one may have both', [labelled({ tier: 'y' }), labelled({ app: 'x' })], 1],
  ['a decorator marks what it attaches', [A, decoratorOfWidgets({ name: 'd' })], 0],
];

for (const [reason, definitions, conflicts] of CASES)
  test(`controllers in conflict: ${reason}`, () => {
    const found = conflictingControllers(definitions);
    assert.equal(found.length, conflicts, JSON.stringify(found));
    for (const { severity, summary } of found) assert.deepEqual([severity, /widgets/.test(summary)], ['warning', true]);
  });
