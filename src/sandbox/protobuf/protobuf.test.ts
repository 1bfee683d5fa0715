// Messages made by hand, field by field, and read by the type table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonOfProtobuf, ProtobufError } from './index.ts';

type Part = readonly [number: number, value: string | number | bigint | Uint8Array | readonly Part[]];

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    const byte = Number(rest & 0x7fn);
    if (rest < 128n) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

function message(parts: readonly Part[]): Uint8Array {
  const bytes = parts.flatMap(([number, value]) => {
    if (typeof value === 'number' || typeof value === 'bigint') {
      return [...varint(BigInt(number << 3)), ...varint(BigInt(value))];
    }
    const content =
      typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? value : message(value);
    return [...varint(BigInt((number << 3) | 2)), ...varint(BigInt(content.length)), ...content];
  });
  return Uint8Array.from(bytes);
}

function body(apiVersion: string, kind: string, parts: readonly Part[]): Uint8Array {
  const envelope = message([
    [
      1,
      [
        [1, apiVersion],
        [2, kind],
      ],
    ],
    [2, message(parts)],
    [3, ''],
    [4, ''],
  ]);
  return Buffer.concat([Buffer.from('k8s\0'), envelope]);
}

const read = (apiVersion: string, kind: string, parts: readonly Part[]): unknown =>
  JSON.parse(jsonOfProtobuf(body(apiVersion, kind, parts)) ?? 'null');

const CASES: readonly (readonly [
  why: string,
  apiVersion: string,
  kind: string,
  parts: readonly Part[],
  json: object,
])[] = [
  [
    'texts, maps, bytes',
    'v1',
    'Secret',
    [
      [
        1,
        [
          [1, 's'],
          [
            11,
            [
              [1, 'a'],
              [2, 'b'],
            ],
          ],
          [
            11,
            [
              [1, 'c'],
              [2, ''],
            ],
          ],
        ],
      ],
      [
        2,
        [
          [1, 'k'],
          [2, Uint8Array.of(255, 0)],
        ],
      ],
      [5, 1],
    ],
    { metadata: { name: 's', labels: { a: 'b', c: '' } }, data: { k: '/wA=' }, immutable: true },
  ],
  [
    'embedded structs are messages of their own',
    'v1',
    'Pod',
    [
      [
        2,
        [
          [
            2,
            [
              [1, 'c'],
              [
                7,
                [
                  [1, 'E'],
                  [
                    3,
                    [
                      [
                        3,
                        [
                          [1, [[1, 'map']]],
                          [2, 'key'],
                        ],
                      ],
                    ],
                  ],
                ],
              ],
            ],
          ],
        ],
      ],
    ],
    {
      spec: {
        containers: [{ name: 'c', env: [{ name: 'E', valueFrom: { configMapKeyRef: { name: 'map', key: 'key' } } }] }],
      },
    },
  ],
  [
    'int or string, quantities, times',
    'v1',
    'Service',
    [
      [
        1,
        [
          [8, [[1, 1_700_000_000]]],
          [9, []],
        ],
      ],
      [
        2,
        [
          [
            1,
            [
              [3, 80],
              [
                4,
                [
                  [1, 0],
                  [2, 8080],
                  [3, ''],
                ],
              ],
            ],
          ],
          [
            1,
            [
              [3, 81],
              [
                4,
                [
                  [1, 1],
                  [3, 'web'],
                ],
              ],
            ],
          ],
        ],
      ],
    ],
    {
      metadata: { creationTimestamp: '2023-11-14T22:13:20Z', deletionTimestamp: null },
      spec: {
        ports: [
          { port: 80, targetPort: 8080 },
          { port: 81, targetPort: 'web' },
        ],
      },
    },
  ],
  [
    'whole numbers of 64 bits, negative ones, free values',
    'apps/v1',
    'ControllerRevision',
    [
      [2, [[1, '{"a":[1]}']]],
      [3, -5n],
    ],
    { data: { a: [1] }, revision: -5 },
  ],
  [
    'lists as values of a map',
    'authorization.k8s.io/v1',
    'SubjectAccessReview',
    [
      [
        2,
        [
          [
            5,
            [
              [1, 'x'],
              [
                2,
                [
                  [1, 'a'],
                  [1, 'b'],
                ],
              ],
            ],
          ],
        ],
      ],
    ],
    { spec: { extra: { x: ['a', 'b'] } } },
  ],
  [
    'schemas of a CRD',
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    [
      [
        2,
        [
          [
            7,
            [
              [
                4,
                [
                  [
                    1,
                    [
                      [5, 'object'],
                      [
                        29,
                        [
                          [1, 'a'],
                          [
                            2,
                            [
                              [5, 'array'],
                              [24, [[1, [[5, 'string']]]]],
                            ],
                          ],
                        ],
                      ],
                      [30, [[1, 1]]],
                    ],
                  ],
                ],
              ],
            ],
          ],
        ],
      ],
    ],
    {
      spec: {
        versions: [
          {
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { a: { type: 'array', items: { type: 'string' } } },
                additionalProperties: true,
              },
            },
          },
        ],
      },
    },
  ],
  [
    'options of a delete, in the version of their resource',
    'apps/v1',
    'DeleteOptions',
    [
      [1, 0],
      [2, [[1, 'uid']]],
      [4, 'Foreground'],
    ],
    { gracePeriodSeconds: 0, preconditions: { uid: 'uid' }, propagationPolicy: 'Foreground' },
  ],
];

for (const [why, apiVersion, kind, parts, json] of CASES) {
  test(why, () => assert.deepEqual(read(apiVersion, kind, parts), { ...json, apiVersion, kind }));
}

test('what is no such message is refused; a kind that is not built in is told apart', () => {
  assert.throws(() => jsonOfProtobuf(Buffer.from('{}')), ProtobufError);
  assert.throws(() => jsonOfProtobuf(Buffer.from('k8s\0\x12\x7f')), ProtobufError);
  assert.equal(jsonOfProtobuf(body('example.com/v1', 'Cat', [])), undefined);
});

test('an integer that a number can not hold stays whole', () => {
  const text = jsonOfProtobuf(body('apps/v1', 'ControllerRevision', [[3, 9007199254740993n]]));
  assert.match(String(text), /"revision":9007199254740993/);
});
