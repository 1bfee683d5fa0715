import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConflictRule } from '../../model/definition.ts';
import type { FieldConflict } from '../../model/need.ts';
import { judgeConflicts } from './conflict-rules.ts';

type Want = 'ignored' | 'forced' | 'failed';

const IMAGE = 'spec.template.spec.containers[name="web"].image';

const cases: readonly {
  name: string;
  why: string;
  rules?: readonly ConflictRule[];
  force?: boolean;
  field?: string;
  manager?: string;
  want: Want;
}[] = [
  { name: 'no rule', why: 'nothing is taken unasked', want: 'failed' },
  { name: 'no rule, forced', why: 'all is', force: true, want: 'forced' },
  { name: 'the field', why: 'by its name', rules: [{ path: 'data.x', action: 'ignore' }], want: 'ignored' },
  {
    name: 'a dot first',
    why: 'as the server writes it',
    rules: [{ path: '.data.x', action: 'ignore' }],
    want: 'ignored',
  },
  { name: 'above it', why: 'and all below', rules: [{ path: 'data', action: 'force' }], want: 'forced' },
  { name: 'below it', why: 'a part is not the whole', rules: [{ path: 'data.x.y', action: 'force' }], want: 'failed' },
  { name: 'half a name', why: 'names, not text', rules: [{ path: 'dat', action: 'force' }], want: 'failed' },
  {
    name: 'a list',
    why: 'its items are below it',
    rules: [{ path: 'spec.template.spec.containers', action: 'ignore' }],
    field: IMAGE,
    want: 'ignored',
  },
  {
    name: 'an item',
    why: 'by its key',
    rules: [{ path: 'spec.template.spec.containers[name="web"]', action: 'ignore' }],
    field: IMAGE,
    want: 'ignored',
  },
  {
    name: 'another item',
    why: 'not by its list alone',
    rules: [{ path: 'spec.template.spec.containers[name="we"]', action: 'ignore' }],
    field: IMAGE,
    want: 'failed',
  },
  {
    name: 'a manager',
    why: 'only its fields',
    rules: [{ path: 'data', manager: 'someone', action: 'ignore' }],
    want: 'ignored',
  },
  {
    name: 'another manager',
    why: 'the rule is not about this one',
    rules: [{ path: 'data', manager: 'hpa', action: 'ignore' }],
    want: 'failed',
  },
  {
    name: 'two that fit',
    why: 'the first counts',
    rules: [
      { path: 'data.x', action: 'fail' },
      { path: 'data', action: 'force' },
    ],
    force: true,
    want: 'failed',
  },
  {
    name: 'our own update',
    why: 'what is ours is taken whatever the rules say',
    rules: [{ path: 'data', action: 'fail' }],
    manager: 'metactl',
    want: 'forced',
  },
];
for (const { name, why, rules = [], force = false, field = 'data.x', manager = 'someone', want } of cases)
  test(`${name}: ${why}`, () => {
    const conflict: FieldConflict = { field, manager };
    const judged = judgeConflicts([conflict], { conflicts: rules, force }, ['metactl', 'metacontroller']);
    assert.deepEqual(judged, { ignored: [], forced: [], failed: [], [want]: [conflict] });
  });
