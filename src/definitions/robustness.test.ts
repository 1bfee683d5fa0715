// Whatever stands in a file, the answer is diagnostics: nothing is thrown, and every problem has a place and words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../kit/json.ts';
import { createMemoryFiles } from '../testing/memory-files.ts';
import { pick, randomFrom, randomJson } from '../testing/random-json.ts';
import { loadInputs, toKubectlYaml } from './index.ts';

const TEXT = `apiVersion: metacontroller.k8s.io/v1alpha1
kind: CompositeController
metadata: &m {name: c}
spec:
  parentResource: {apiVersion: a.b/v1, resource: cs, labelSelector: {matchLabels: {a: b}}}
  childResources:
  - apiVersion: v1
    resource: pods
    updateStrategy: {method: InPlace, statusChecks: {conditions: [{type: Ready}]}}
  hooks: {sync: {version: v2, exec: {command: ["x", 'y'], env: {A: "1"}, timeout: 1s}}}
---
{"apiVersion": "v1", "kind": "List", "items": [{"kind": "ConfigMap", "metadata": {"name": "n"}}, null]}
`;
const NOISE = [
  '',
  ' ',
  '\n',
  ':',
  '- ',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '*m',
  '&m ',
  '!!int ',
  '<<: *m',
  '|',
  '---\n',
  '\t',
  '0',
  '~',
  '#',
  '\\',
];

async function check(text: string, seed: string): Promise<void> {
  const files = createMemoryFiles({ 'x.yaml': text });
  const { definitions, inputs, diagnostics } = await loadInputs({ paths: ['x.yaml'], files });
  const context = `${seed}\n${text}`;
  for (const { summary, hint, source, code } of diagnostics) {
    assert.ok(summary.length > 0 && !summary.includes('\n'), context);
    assert.ok(hint !== undefined || code === 'yaml-syntax', `${code} without hint: ${context}`);
    assert.ok(code === 'no-input' || (source && source.line >= 1 && source.column >= 1), context);
  }
  const isSilent = definitions.length + inputs.length === 0 && diagnostics.length === 0;
  assert.equal(isSilent, false, `something is said: ${context}`);
}

function seeds(count: number): number[] {
  const only = process.env['METACTL_SEED'];
  return only ? [Number(only)] : Array.from({ length: count }, (_, index) => index + 1);
}

test('texts with random damage', async () => {
  for (const seed of seeds(400)) {
    const random = randomFrom(seed);
    let text = TEXT;
    for (let cuts = 1 + Math.floor(random() * 3); cuts > 0; cuts--) {
      const at = Math.floor(random() * text.length);
      text = text.slice(0, at) + pick(random, NOISE) + text.slice(at + Math.floor(random() * 4));
    }
    await check(text, `METACTL_SEED=${seed}`);
  }
});

test('definitions with random values in random places', async () => {
  for (const seed of seeds(300)) {
    const random = randomFrom(seed);
    const definition: JsonValue = {
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'CompositeController',
      metadata: { name: 'c' },
      spec: {
        parentResource: maybe({
          apiVersion: 'a.b/v1',
          resource: 'cs',
          labelSelector: randomJson(random, { depth: 3 }),
        }),
        childResources: maybe([
          { apiVersion: 'v1', resource: 'pods', updateStrategy: randomJson(random, { depth: 3 }) },
        ]),
        hooks: maybe({
          sync: maybe({ exec: maybe({ command: maybe(['x']), env: randomJson(random, { depth: 2 }) }) }),
        }),
        apply: maybe({}),
      },
    };
    await check(toKubectlYaml(definition), `METACTL_SEED=${seed}`);

    function maybe(value: JsonValue): JsonValue {
      return random() < 0.7 ? value : randomJson(random, { depth: 3, nulls: true });
    }
  }
});
