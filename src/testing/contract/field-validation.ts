// What a request may not say, and how strictly: unknown fields and keys that stand twice, in bodies and in patches.

import { type Check, containing, type RequestStep, type Topic } from './check.ts';
import { configMap } from './objects.ts';

const MAPS = '{core}/configmaps';
const TWICE =
  '{"metadata":{"name":"a","labels":{"l":"1","l":"2"}},"data":{"k":"1","k":"2"},"foo":1,"foo":{"b":1,"b":2}}';
const PROBLEMS = 'duplicate field "metadata.labels.l", duplicate field "data.k", unknown field "foo"';

const strictly = (send: string, body: string, as?: string): RequestStep => ({
  send: `${send}?fieldValidation=Strict&dryRun=All`,
  body,
  ...(as === undefined ? {} : { as }),
  code: as === undefined ? 400 : 422,
  reason: as === undefined ? 'BadRequest' : 'Invalid',
});
const stored: RequestStep = { send: `POST ${MAPS}`, body: configMap('a', { k: '1' }), code: 201 };

const checks: readonly Check[] = [
  {
    name: 'strict: everything at once, in the order of the text',
    reason: 'kubectl create and apply ask for it',
    steps: [
      {
        ...strictly(`POST ${MAPS}`, TWICE),
        message: `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${PROBLEMS}`,
      },
    ],
  },
  {
    name: 'not strict: the last of two keys counts, unknown fields go',
    reason: 'older clients rely on it',
    steps: [
      { send: `POST ${MAPS}?fieldValidation=Ignore`, body: TWICE, code: 201, want: { data: { k: '2' } } },
      { send: `GET ${MAPS}/a`, code: 200, want: { metadata: { labels: { l: '2' } } } },
    ],
  },
  {
    name: 'in items of lists',
    reason: 'the path says which one',
    steps: [
      {
        ...strictly(
          'POST {core}/pods',
          '{"metadata":{"name":"a"},"spec":{"foo":1,"containers":[{"name":"a","image":"b","bar":1,"resources":{"limits":{"cpu":"1","cpu":"2"}}}]}}',
        ),
        message: containing(
          'strict decoding error: unknown field "spec.foo", unknown field "spec.containers[0].bar", duplicate field "spec.containers[0].resources.limits.cpu"',
        ),
      },
    ],
  },
  {
    name: 'in a merge patch',
    reason: 'the copies of the patch first, then what the patched object has too much',
    steps: [
      stored,
      {
        ...strictly(`PATCH ${MAPS}/a`, '{"data":{"k":"1","k":"2"},"z":1,"y":{"x":1}}', 'merge'),
        message: containing('strict decoding error: duplicate field "data.k", unknown field "y", unknown field "z"'),
      },
    ],
  },
  {
    name: 'in a strategic merge patch',
    reason: 'the patch is shown instead of the object',
    steps: [
      stored,
      {
        ...strictly(`PATCH ${MAPS}/a`, '{"data":{"k":"1","k":"2"},"z":1}', 'application/strategic-merge-patch+json'),
        message:
          ' "" is invalid: patch: Invalid value: "map[data:map[k:2] z:1]": strict decoding error: duplicate field "data.k", unknown field "z"',
      },
    ],
  },
  {
    name: 'in a JSON patch',
    reason: 'its operations have fields too',
    steps: [
      stored,
      {
        ...strictly(`PATCH ${MAPS}/a`, '[{"op":"add","path":"/z","value":{"a":1,"a":2},"foo":1}]', 'json'),
        message: containing(
          'strict decoding error: json patch duplicate field "[0].value.a", json patch unknown field "[0].foo", unknown field "z"',
        ),
      },
    ],
  },
  {
    name: 'in YAML',
    reason: 'YAML 1.1, with its own words for keys that stand twice',
    steps: [
      {
        ...strictly(`POST ${MAPS}`, 'metadata:\n  name: a\ndata:\n  a: "1"\n  a: "2"\nfoo: 1\n'),
        as: 'application/yaml',
        message: containing('strict decoding error: yaml: unmarshal errors:\n  line 5: key "a" already set in map'),
      },
      { send: `POST ${MAPS}`, as: 'application/yaml', body: 'metadata: {name: a}\ndata: {a: yes}', code: 400 },
      { send: `POST ${MAPS}`, as: 'application/yaml', body: 'metadata: {name: a}\ndata: {a: 2020-01-01}', code: 201 },
    ],
  },
  {
    name: 'of a custom resource: copies of keys',
    reason: 'they are told before what the schema does not have',
    steps: [
      {
        ...strictly(
          'POST {things}',
          '{"apiVersion":"{group}/v1","kind":"Thing","metadata":{"name":"a","foo":1},"spec":{"n":1,"n":2}}',
        ),
        message: containing('strict decoding error: duplicate field "spec.n", unknown field "metadata.foo"'),
      },
    ],
  },
];

export const fieldValidation: Topic = { name: 'field validation', checks };
