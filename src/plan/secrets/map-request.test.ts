// Requests of map controllers without the values of Secrets: the input is one, or what was made of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { stringifyJson } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { widget } from '../../testing/objects.ts';
import { usableAnswer } from './masked-answers.ts';
import { RequestMask } from './request-mask.ts';

const VALUE = Buffer.from('hunter2-hunter2').toString('base64');
const secret = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default' },
  data: { password: VALUE },
});
const request: JsonObject = {
  parent: widget(),
  mapKey: 'c/Secret/default/a/u',
  input: secret('a'),
  outputs: { 'Secret.v1': { copy: secret('copy') } },
  related: {},
};

test('neither of them is shown, and what comes back in its place is restored', () => {
  const masks = ['one', 'two'].map((key) => new RequestMask(request, key));
  const answers = masks.map((mask) => {
    assert.ok(mask.needed);
    const shown = mask.request(request);
    assert.doesNotMatch(stringifyJson(shown), /hunter2|aHVudGVyMi1odW50ZXIy/);
    const { copy } = (shown['outputs'] as Record<string, JsonObject>)['Secret.v1'] as JsonObject;
    return mask.restore({ outputs: [copy ?? null] }, request);
  });
  const [first, second] = answers;
  assert.deepEqual(usableAnswer(first ?? null, second ?? null), { body: { outputs: [secret('copy')] } });
});

test('which outputs there are must not depend on masked values', () => {
  const named = (name: string): JsonObject => ({
    outputs: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }],
  });
  assert.deepEqual(usableAnswer(named('x1'), named('x2')), { unusableAt: 'outputs[0].metadata.name' });
});
