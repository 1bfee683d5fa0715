import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayHaveCopies, PATCH_OPERATIONS, strictProblems } from './strict-json.ts';

const CASES: readonly (readonly [why: string, type: string | undefined, text: string, problems: readonly string[]])[] =
  [
    ['nothing', undefined, ' {"a": [1, {"b": "}"}, "\\"{"], "c": null} ', []],
    [
      'copies at any depth, each once',
      undefined,
      '{"a":1,"b":[{"x":1,"x":2,"x":3}],"a":{}}',
      ['duplicate field "b[0].x"', 'duplicate field "a"'],
    ],
    [
      'unknown fields and copies in the order of the text',
      'core.v1.ConfigMap',
      '{"metadata":{"name":"x","name":"y","labels":{"a":"1","a":"2"}},"data":{"a":"1","a":"2"},"foo":1,"foo":{"b":1,"b":2},"data":{}}',
      [
        'duplicate field "metadata.name"',
        'duplicate field "metadata.labels.a"',
        'duplicate field "data.a"',
        'unknown field "foo"',
        'duplicate field "data"',
      ],
    ],
    [
      'items of lists',
      'core.v1.Pod',
      '{"spec":{"containers":[{"name":"a","bar":1,"resources":{"limits":{"cpu":"1","cpu":"2"}}}]},"kind":"Pod","kind":"Pod"}',
      [
        'unknown field "spec.containers[0].bar"',
        'duplicate field "spec.containers[0].resources.limits.cpu"',
        'duplicate field "kind"',
      ],
    ],
    ['free values are not looked into', 'apps.v1.ControllerRevision', '{"data":{"a":1,"a":2},"revision":1}', []],
    [
      'operations of a JSON patch',
      PATCH_OPERATIONS,
      '[{"op":"add","value":{"a":1,"a":2},"foo":1,"op":"x"}]',
      ['duplicate field "[0].value.a"', 'unknown field "[0].foo"', 'duplicate field "[0].op"'],
    ],
    ['an escaped key is the same key', undefined, '{"a":1,"\\u0061":2}', ['duplicate field "a"']],
  ];

for (const [why, type, text, problems] of CASES) {
  test(why, () => assert.deepEqual(strictProblems(text, type), problems));
}

test('copies are looked for only where the text is longer than its value', () => {
  const compact = '{"a":[1,"x"],"b":{}}';
  assert.equal(mayHaveCopies(`${compact}\n`, JSON.parse(compact)), false);
  assert.equal(mayHaveCopies('{"a":1,"a":1}', { a: 1 }), true);
});
