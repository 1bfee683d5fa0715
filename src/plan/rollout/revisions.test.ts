// The parent as the hook is shown it for an older revision, when the definition follows other fields than it did.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { CONFIG_MAPS, WIDGETS, widget, widgetController } from '../../testing/objects.ts';
import { newRevision } from './new-revision.ts';
import { revisionsOf } from './revisions.ts';
import { RollingKinds } from './rolling-kinds.ts';

interface Case {
  readonly why: string;
  /** Of the definition, when the revision was made; undefined: Metacontroller made it. */
  readonly recorded?: readonly string[];
  readonly now: readonly string[];
  readonly patch: JsonObject;
  /** spec of the parent at the revision; it is {a: 2, b: 2} now. */
  readonly was: JsonObject;
}

const CASES: readonly Case[] = [
  {
    why: 'a field that was not there: it is absent',
    recorded: ['spec.a', 'spec.b'],
    now: ['spec.a', 'spec.b'],
    patch: { spec: { a: 1 } },
    was: { a: 1 },
  },
  {
    why: 'a field that is followed only since: as it is now, or its children would lose it',
    recorded: ['spec.a'],
    now: ['spec.a', 'spec.b'],
    patch: { spec: { a: 1 } },
    was: { a: 1, b: 2 },
  },
  {
    why: 'nothing was followed, as its path led nowhere',
    recorded: ['spec.x'],
    now: ['spec.a'],
    patch: {},
    was: { a: 2, b: 2 },
  },
  {
    why: 'Metacontroller says nothing of paths: what it did not record is as it is now, as there',
    now: ['spec.a', 'spec.b'],
    patch: { spec: { a: 1 } },
    was: { a: 1, b: 2 },
  },
  {
    why: 'less is followed than was',
    recorded: ['spec'],
    now: ['spec.a'],
    patch: { spec: { a: 1, b: 1 } },
    was: { a: 1, b: 2 },
  },
];

const following = (paths: readonly string[]): ReturnType<typeof widgetController> => {
  const definition = widgetController({ method: 'RollingInPlace' });
  return { ...definition, parent: { ...definition.parent, revisionFieldPaths: paths } };
};

describe('the parent at an older revision', () => {
  for (const { why, recorded, now, patch, was } of CASES)
    test(why, () => {
      const parent = widget({ a: 2, b: 2 });
      const selector = { matchLabels: {}, matchExpressions: [] };
      const made = newRevision({
        definition: following(recorded ?? []),
        ...{ parent, parentType: WIDGETS, selector, patch, taken: new Set<string>() },
      });
      const { annotations: _none, ...bare } = made.metadata;
      const metadata = recorded === undefined ? bare : made.metadata;
      const object = { ...made, metadata, children: [{ apiGroup: '', kind: 'ConfigMap', names: ['x'] }] };
      const definition = following(now);
      const view = { parent, parentType: WIDGETS, parentLive: true, children: [{ type: CONFIG_MAPS, objects: [] }] };
      const kinds = new RollingKinds(definition, view);
      const [older] = revisionsOf({ definition, parent, objects: [object], kinds }).older;
      const { selector: _same, ...spec } = (older?.parent['spec'] ?? {}) as JsonObject;
      assert.deepEqual(spec, was);
    });
});
