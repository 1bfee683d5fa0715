import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionFromObject } from './definition-from-object.ts';

function definition(annotation: string, spec: object = {}) {
  const parentResource = { apiVersion: 'example.com/v1', resource: 'things' };
  const hooks = { sync: { webhook: { url: 'http://a.example' } } };
  return {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    metadata: { name: 'a', annotations: { 'metactl.dev/apply': annotation } },
    spec: { parentResource, hooks, ...spec },
  };
}

const CASES = [
  { name: 'what it says counts', annotation: '{"fieldManager": "x"}', problems: [], manager: 'x' },
  {
    name: 'the field wins',
    annotation: '{"fieldManager": "x"}',
    spec: { apply: { fieldManager: 'y' } },
    problems: ['warning ineffective metadata.annotations["metactl.dev/apply"]'],
    manager: 'y',
  },
  ...['server-side', '[]', '{', ''].map((annotation) => ({
    name: `no JSON object: ${annotation}`,
    annotation,
    problems: ['error invalid-value metadata.annotations["metactl.dev/apply"]'],
  })),
  {
    name: 'its problems are told as those of the field',
    annotation: '{"fieldManger": "x", "mode": "no"}',
    problems: ['error unknown-field spec.apply.fieldManger', 'error invalid-value spec.apply.mode'],
  },
];

for (const { name, annotation, problems, ...more } of CASES)
  test(name, () => {
    const { spec = {}, manager } = more as { spec?: object; manager?: string };
    const object = definition(annotation, spec);
    const read = definitionFromObject(object, { directory: '/', fromCluster: true });
    assert.deepEqual(
      read.diagnostics.map(({ severity, code, path }) => `${severity} ${code} ${path}`).sort(),
      problems.sort(),
    );
    assert.equal(read.definition?.apply.fieldManager, manager);
    if (!read.definition) return;
    assert.equal(read.definition.object, object, 'hooks are shown the object as it is');
    assert.equal(read.definition.fromCluster, true);
  });
