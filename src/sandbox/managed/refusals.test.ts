// What server-side apply refuses, in the real server's words: the same test on both.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../kit/json.ts';
import { forEachTarget } from '../../testing/targets.ts';

interface Refusal {
  readonly why: string;
  readonly query?: string;
  readonly name?: string;
  readonly body: JsonObject | string;
  readonly want: readonly [status: number, reason: string, message: RegExp];
}

const map = (metadata: JsonObject, more: JsonObject = { data: { a: '1' } }): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'there', ...metadata },
  ...more,
});

const REFUSALS: readonly Refusal[] = [
  {
    why: 'no manager',
    query: '',
    body: map({}),
    want: [422, 'Invalid', /fieldManager: Required value: is required for apply patch/],
  },
  {
    why: 'a manager name too long',
    query: `fieldManager=${'m'.repeat(129)}`,
    body: map({}),
    want: [422, 'Invalid', /fieldManager: Too long: may not be more than 128 bytes/],
  },
  {
    why: 'managedFields',
    body: map({ managedFields: [] }),
    want: [400, 'BadRequest', /^metadata.managedFields must be nil$/],
  },
  {
    why: 'another kind',
    body: { ...map({}), kind: 'Secret' },
    want: [400, 'BadRequest', /^invalid object type: \/v1, Kind=Secret$/],
  },
  {
    why: 'another version',
    body: { ...map({}), apiVersion: 'v2' },
    want: [400, 'BadRequest', /^invalid object type: \/v2, Kind=ConfigMap$/],
  },
  {
    why: 'another name',
    body: map({ name: 'other' }),
    want: [400, 'BadRequest', /the name of the object \(other\) does not match the name on the URL \(there\)/],
  },
  { why: 'another namespace', body: map({ namespace: 'kube-system' }), want: [400, 'BadRequest', /namespace/] },
  {
    why: 'an unknown field',
    body: map({}, { bogus: 1 }),
    want: [
      500,
      '',
      /^failed to create typed patch object \(\/there; \/v1, Kind=ConfigMap\): \.bogus: field not declared in schema$/,
    ],
  },
  {
    why: 'a wrong type',
    body: map({}, { data: { a: 1 } }),
    want: [500, '', /\.data\.a: expected string, got &value\.valueUnstructured\{Value:1\}$/],
  },
  {
    why: 'an item twice',
    body: map({ finalizers: ['a.io/x', 'a.io/x'] }),
    want: [500, '', /\.metadata\.finalizers: duplicate entries for key \[="a\.io\/x"\]$/],
  },
  { why: 'an owner without uid', body: map({ ownerReferences: [{ name: 'x' }] }), want: [422, 'Invalid', /uid/] },
  {
    why: 'an old resourceVersion',
    body: map({ resourceVersion: '1' }),
    want: [409, 'Conflict', /please apply your changes to the latest version/],
  },
  {
    why: 'another uid',
    body: map({ uid: '00000000-0000-4000-8000-000000000000' }),
    want: [422, 'Invalid', /metadata\.uid: .* field is immutable/],
  },
  { why: 'a body that is no YAML', body: '{', want: [400, 'BadRequest', /^error decoding YAML: /] },
  {
    why: 'a body that is a list',
    body: '[]',
    want: [400, 'BadRequest', /^error decoding YAML: .*cannot unmarshal array/],
  },
];

forEachTarget('server-side apply refuses', ({ transport, namespace }) => {
  let maps = '';
  const send = async (method: 'POST' | 'PATCH', path: string, body: string): Promise<readonly [number, JsonValue]> => {
    const type = method === 'POST' ? 'application/json' : 'application/apply-patch+yaml';
    const response = await transport.request({ method, path, headers: { 'content-type': type }, body });
    return [response.status, parseJson(await response.text())];
  };
  before(async () => {
    maps = `/api/v1/namespaces/${await namespace()}/configmaps`;
    assert.equal((await send('POST', maps, stringifyJson(map({}))))[0], 201);
  });
  for (const { why, query = 'fieldManager=m', name = 'there', body, want } of REFUSALS)
    test(why, async () => {
      const text = typeof body === 'string' ? body : stringifyJson(body);
      const [status, answer] = await send('PATCH', `${maps}/${name}?${query}`, text);
      assert.ok(isJsonObject(answer));
      const shown = stringifyJson(answer);
      assert.deepEqual([status, answer['reason'] ?? ''], [want[0], want[1]], shown);
      assert.match(String(answer['message']), want[2], shown);
    });
  test('FieldsV1 that can not be read is not taken: the live entries stay', async () => {
    const entry = {
      manager: 'x',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { bad: {} },
    };
    const put = await transport.request({
      method: 'PUT',
      path: `${maps}/there?fieldManager=m`,
      headers: { 'content-type': 'application/json' },
      body: stringifyJson(map({ managedFields: [entry] })),
    });
    const object = parseJson(await put.text());
    assert.equal(put.status, 200, stringifyJson(object));
    assert.doesNotMatch(stringifyJson(object), /"manager":"x"/);
  });
});
