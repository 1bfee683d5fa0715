import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import type { LabelSelector } from '../../model/definition.ts';
import { WIDGET_UID, WIDGETS, widget, widgetController } from '../../testing/objects.ts';
import { matchesSelector } from '../selectors.ts';
import { newRevision } from './new-revision.ts';

const OURS = { 'metacontroller.k8s.io/apiGroup': 'example.com', 'metacontroller.k8s.io/resource': 'widgets' };
const selector = (given: Partial<LabelSelector>): LabelSelector => ({
  matchLabels: {},
  matchExpressions: [],
  ...given,
});
const template = (labels: JsonObject): JsonObject => ({ template: { metadata: { labels } } });

interface Case {
  readonly why: string;
  readonly spec?: JsonObject;
  readonly selector: LabelSelector;
  readonly generateSelector?: boolean;
  readonly want: Record<string, string>;
}

const CASES: readonly Case[] = [
  {
    why: 'those of the template, as Metacontroller gives them',
    spec: template({ app: 'w', tier: 'web' }),
    selector: selector({ matchLabels: { app: 'w' } }),
    want: { app: 'w', tier: 'web' },
  },
  {
    why: 'a parent without a template: what its selector asks for, so that an orphan is found again',
    selector: selector({ matchLabels: { app: 'w' } }),
    want: { app: 'w' },
  },
  {
    why: 'a template that its selector would not match',
    spec: template({ app: 'other', tier: 'web', bad: 1 }),
    selector: selector({ matchLabels: { app: 'w' } }),
    want: { app: 'w', tier: 'web' },
  },
  {
    why: 'expressions',
    spec: template({ tier: 'web', old: '1' }),
    selector: selector({
      matchExpressions: [
        { key: 'app', operator: 'In', values: ['w', 'v'] },
        { key: 'seen', operator: 'Exists', values: [] },
        { key: 'old', operator: 'DoesNotExist', values: [] },
        { key: 'tier', operator: 'NotIn', values: ['web'] },
      ],
    }),
    want: { app: 'w', seen: '' },
  },
  {
    why: 'a generated selector',
    spec: template({ app: 'w' }),
    selector: selector({ matchLabels: { 'controller-uid': WIDGET_UID } }),
    generateSelector: true,
    want: { 'controller-uid': WIDGET_UID },
  },
];

describe('labels of a new revision', () => {
  for (const { why, spec = {}, selector: given, generateSelector = false, want } of CASES)
    test(why, () => {
      const definition = widgetController({ generateSelector, method: 'RollingInPlace' });
      const revision = newRevision({
        definition,
        parent: widget(spec),
        parentType: WIDGETS,
        selector: given,
        patch: {},
        taken: new Set(),
      });
      assert.deepEqual(revision.metadata.labels, { ...want, ...OURS });
      assert.ok(matchesSelector(given, revision.metadata.labels));
    });
});

test('it stands beside its parent, which owns it', () => {
  const definition = widgetController({ method: 'RollingInPlace' });
  const given = { definition, parentType: WIDGETS, selector: selector({}), patch: { spec: {} }, taken: new Set('') };
  const beside = newRevision({ ...given, parent: widget({}, { namespace: 'x' }) });
  assert.equal(beside.metadata.namespace, 'x');
  assert.deepEqual(
    beside.metadata.ownerReferences?.map(({ kind, name, uid, controller }) => [kind, name, uid, controller]),
    [['Widget', 'w', WIDGET_UID, true]],
  );
  const { namespace: _none, ...metadata } = widget().metadata;
  const above = newRevision({ ...given, parent: { ...widget(), metadata } });
  assert.equal(above.metadata.namespace, 'default');
});
