// Who has the last word on how children are written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionFromObject } from '../definitions/index.ts';
import type { ApplySettings } from '../model/definition.ts';
import { type ApplyFlags, withApplySettings } from './apply-settings.ts';

interface Given {
  readonly apply?: object;
  readonly annotation?: object;
}

function settingsOf({ apply, annotation }: Given, flags: ApplyFlags): ApplySettings {
  const annotations = annotation ? { 'metactl.dev/apply': JSON.stringify(annotation) } : {};
  const { definition, diagnostics } = definitionFromObject(
    {
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'CompositeController',
      metadata: { name: 'a', annotations },
      spec: {
        parentResource: { apiVersion: 'example.com/v1', resource: 'things' },
        hooks: { sync: { webhook: { url: 'http://a.example' } } },
        ...(apply ? { apply: { ...apply } } : {}),
      },
    },
    { directory: '/' },
  );
  assert.ok(definition, JSON.stringify(diagnostics));
  return withApplySettings(definition, flags).apply;
}

const rule = { path: 'data', action: 'ignore' } as const;

const cases: readonly { name: string; why: string; given: Given; flags: ApplyFlags; want: Partial<ApplySettings> }[] = [
  { name: 'nothing', why: 'the defaults', given: {}, flags: {}, want: { mode: 'dynamic', fieldManager: 'metactl' } },
  {
    name: 'flags',
    why: 'where the definition does not say',
    given: {},
    flags: { applyMode: 'server-side', fieldManager: 'team-a' },
    want: { mode: 'server-side', fieldManager: 'team-a', force: false },
  },
  {
    name: 'the definition and flags',
    why: 'it keeps its word',
    given: { apply: { mode: 'dynamic', fieldManager: 'mine' } },
    flags: { applyMode: 'server-side', fieldManager: 'team-a' },
    want: { mode: 'dynamic', fieldManager: 'mine' },
  },
  {
    name: 'one of both',
    why: 'each by itself',
    given: { apply: { fieldManager: 'mine' } },
    flags: { applyMode: 'server-side', fieldManager: 'team-a' },
    want: { mode: 'server-side', fieldManager: 'mine' },
  },
  {
    name: 'the annotation and flags',
    why: 'it stands for the field',
    given: { annotation: { mode: 'server-side', fieldManager: 'mine', conflicts: [rule] } },
    flags: { applyMode: 'dynamic', fieldManager: 'team-a' },
    want: { mode: 'server-side', fieldManager: 'mine', conflicts: [rule] },
  },
  {
    name: 'force',
    why: 'said once, on the command line, it beats the rules',
    given: { apply: { mode: 'server-side', conflicts: [rule] } },
    flags: { forceConflicts: true },
    want: { mode: 'server-side', force: true, conflicts: [] },
  },
];
for (const { name, why, given, flags, want } of cases)
  test(`${name}: ${why}`, () => {
    const settings = settingsOf(given, flags);
    assert.deepEqual({ ...settings, ...want }, settings);
  });
