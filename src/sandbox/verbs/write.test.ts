import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { configMap, crd, metadataOf, type SandboxBench, sandboxBench } from '../../testing/sandbox-bench.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const CATS = '/apis/example.com/v1/namespaces/default/cats';
const cat = (name: string, more: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Cat',
  metadata: { name, ...metadata },
  ...more,
});

async function withCats(): Promise<SandboxBench> {
  const bench = sandboxBench();
  await bench.ok('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd('cats', 'Cat'));
  return bench;
}

test('what a client may not set on creation is set by the server', async () => {
  const bench = sandboxBench();
  const given = {
    uid: 'mine',
    generation: 7,
    creationTimestamp: '2000-01-01T00:00:00Z',
    deletionTimestamp: '2000-01-01T00:00:00Z',
    foo: 1,
  };
  const metadata = metadataOf(await bench.ok(`POST ${MAPS}`, configMap('a', given)));
  // This kind has no generations, so what is given stays.
  const own = ['creationTimestamp', 'generation', 'managedFields', 'name', 'namespace', 'resourceVersion', 'uid'];
  assert.deepEqual(Object.keys(metadata).sort(), own);
  assert.equal(metadata['creationTimestamp'], '2026-01-01T00:00:00Z');
  assert.match(String(metadata['uid']), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('one seed, one run: uids and generated names repeat', async () => {
  const run = async (seed: number): Promise<JsonObject> =>
    metadataOf(await sandboxBench({ seed }).ok(`POST ${MAPS}`, { metadata: { generateName: 'gen-' } }));
  assert.deepEqual(await run(7), await run(7));
  assert.notDeepEqual(await run(7), await run(8));
});

const refusals: readonly (readonly [reason: string, line: string, body: JsonValue, status: number, text: RegExp])[] = [
  [
    'a namespace that is not there',
    'POST /api/v1/namespaces/nope/configmaps',
    configMap('a'),
    404,
    /namespaces \\"nope\\" not found/,
  ],
  ['a name that is taken', `POST ${MAPS}`, configMap('taken'), 409, /AlreadyExists/],
  [
    'another namespace in the body',
    `POST ${MAPS}`,
    configMap('a', { namespace: 'x' }),
    400,
    /does not match the namespace/,
  ],
  ['no name', `POST ${MAPS}`, configMap(''), 422, /name or generateName is required/],
  ['a resourceVersion on creation', `POST ${MAPS}`, configMap('a', { resourceVersion: '5' }), 500, /should not be set/],
  [
    'a stale resourceVersion',
    `PUT ${MAPS}/taken`,
    configMap('taken', { resourceVersion: '1' }),
    409,
    /has been modified/,
  ],
  ['another uid on PUT', `PUT ${MAPS}/taken`, configMap('taken', { uid: 'x' }), 409, /Precondition failed: UID/],
  ['another uid by PATCH', `PATCH ${MAPS}/taken`, { metadata: { uid: 'x' } }, 422, /field is immutable/],
  ['another name on PUT', `PUT ${MAPS}/taken`, configMap('b'), 400, /does not match the name on the URL/],
  ['PUT of what is not there', `PUT ${MAPS}/missing`, configMap('missing'), 404, /not found/],
  [
    'a delete with another uid',
    `DELETE ${MAPS}/taken`,
    { preconditions: { uid: 'x' } },
    409,
    /UID in the precondition/,
  ],
  [
    'a delete with another resourceVersion',
    `DELETE ${MAPS}/taken`,
    { preconditions: { resourceVersion: '1' } },
    409,
    /ResourceVersion in the precondition/,
  ],
  ['a collection that knows no PUT', `PUT ${MAPS}`, configMap('a'), 405, /MethodNotAllowed/],
  [
    'a data key that is no file name',
    `POST ${MAPS}`,
    configMap('a', {}, { 'bad key!': 'x' }),
    422,
    /data\[bad key!\]: Invalid value/,
  ],
  ['text that is no JSON', `POST ${MAPS}`, '{bad', 400, /json parse error: invalid character 'b'/],
];

for (const [reason, line, body, status, text] of refusals) {
  test(`refused: ${reason}`, async () => {
    const bench = sandboxBench();
    await bench.ok(`POST ${MAPS}`, configMap('taken'));
    const rv = metadataOf(await bench.ok(`GET ${MAPS}`))['resourceVersion'];
    const answer = await bench.send(line, body);
    assert.equal(answer.status, status);
    assert.match(answer.text, text);
    assert.equal(answer.body['kind'], 'Status');
    assert.equal(metadataOf(await bench.ok(`GET ${MAPS}`))['resourceVersion'], rv, 'nothing was written');
  });
}

test('generation counts changes of the content, not of metadata or status', async () => {
  const bench = await withCats();
  const generation = async (line: string, body: JsonValue): Promise<unknown> =>
    metadataOf(await bench.ok(line, body))['generation'];
  assert.equal(await generation(`POST ${CATS}`, cat('tom', { spec: { a: 1 }, status: { x: 1 } })), 1);
  assert.equal((await bench.ok(`GET ${CATS}/tom`))['status'], undefined, 'status is not for the main resource');
  assert.equal(await generation(`PATCH ${CATS}/tom`, { metadata: { labels: { a: 'b' } } }), 1);
  assert.equal(await generation(`PATCH ${CATS}/tom/status`, { status: { ready: true }, spec: { a: 9 } }), 1);
  assert.equal(await generation(`PATCH ${CATS}/tom`, { spec: { a: 2 }, status: { ready: false } }), 2);
  const tom = await bench.ok(`GET ${CATS}/tom`);
  assert.deepEqual([tom['spec'], tom['status']], [{ a: 2 }, { ready: true }]);
});

test('an update that changes nothing keeps the resourceVersion', async () => {
  const bench = await withCats();
  const tom = await bench.ok(`POST ${CATS}`, cat('tom', { spec: { a: 1 } }));
  assert.deepEqual(await bench.ok(`PUT ${CATS}/tom`, tom), tom);
  assert.deepEqual(await bench.ok(`PATCH ${CATS}/tom`, { metadata: { generation: 9, creationTimestamp: null } }), tom);
});

test('a custom resource is not replaced without its resourceVersion', async () => {
  const bench = await withCats();
  await bench.ok(`POST ${CATS}`, cat('tom'));
  const answer = await bench.send(`PUT ${CATS}/tom`, cat('tom'));
  assert.equal(answer.status, 422);
  assert.match(answer.text, /must be specified for an update/);
});

test('dry runs answer as the write would and write nothing', async () => {
  const bench = await withCats();
  const created = await bench.ok(`POST ${CATS}?dryRun=All`, cat('tom'));
  assert.equal(metadataOf(created)['resourceVersion'], undefined);
  assert.equal((await bench.send(`GET ${CATS}/tom`)).status, 404);
  const tom = await bench.ok(`POST ${CATS}`, cat('tom', { spec: { a: 1 } }));
  const patched = await bench.ok(`PATCH ${CATS}/tom?dryRun=All`, { spec: { a: 2 } });
  assert.deepEqual([patched['spec'], metadataOf(patched)['generation']], [{ a: 2 }, 2]);
  await bench.ok(`DELETE ${CATS}/tom?dryRun=All`);
  await bench.ok(`DELETE ${CATS}?dryRun=All`);
  assert.deepEqual(await bench.ok(`GET ${CATS}/tom`), tom);
});

test('finalizers: the object stays, marked once, until the last one is taken off', async () => {
  const bench = await withCats();
  await bench.ok(`POST ${CATS}`, cat('tom', { spec: { a: 1 } }, { finalizers: ['a.io/x', 'a.io/y'] }));
  const marked = await bench.ok(`DELETE ${CATS}/tom`);
  assert.deepEqual(
    [
      metadataOf(marked)['deletionTimestamp'],
      metadataOf(marked)['deletionGracePeriodSeconds'],
      metadataOf(marked)['generation'],
    ],
    ['2026-01-01T00:00:00Z', 0, 2],
  );
  bench.clock.advance(5_000);
  assert.deepEqual(await bench.ok(`DELETE ${CATS}/tom`), marked, 'a second delete changes nothing');
  const added = await bench.send(`PATCH ${CATS}/tom`, { metadata: { finalizers: ['a.io/x', 'a.io/y', 'a.io/z'] } });
  assert.equal(added.status, 422);
  await bench.ok(`PATCH ${CATS}/tom`, { metadata: { finalizers: ['a.io/y'] } });
  const rv = metadataOf(await bench.ok(`GET ${CATS}/tom`))['resourceVersion'];
  const events = await bench.watch(`${CATS}?resourceVersion=${rv}`, async () => {
    const last = await bench.ok(`PATCH ${CATS}/tom`, { metadata: { finalizers: null }, spec: { a: 2 } });
    assert.equal(metadataOf(last)['resourceVersion'], rv, 'the last state was never stored');
  });
  assert.deepEqual(
    events.map(({ type, object }) => [type, metadataOf(object)['finalizers']]),
    [['DELETED', ['a.io/y']]],
  );
  assert.equal((await bench.send(`GET ${CATS}/tom`)).status, 404);
});

test('a collection is deleted by selector, and the answer lists what went', async () => {
  const bench = await withCats();
  for (const name of ['a', 'b']) await bench.ok(`POST ${CATS}`, cat(name, {}, { labels: { name } }));
  const answer = await bench.ok(`DELETE ${CATS}?labelSelector=name%3Da`);
  assert.equal((answer['items'] as unknown as JsonObject[]).length, 1);
  assert.equal((await bench.send(`GET ${CATS}/a`)).status, 404);
  assert.equal((await bench.send(`GET ${CATS}/b`)).status, 200);
});

const patches: readonly (readonly [type: string, patch: JsonValue, status: number, text: RegExp])[] = [
  ['application/json-patch+json', [{ op: 'add', path: '/data/b', value: '2' }], 200, /"b":"2"/],
  ['application/json-patch+json', [{ op: 'test', path: '/data/k', value: 'no' }], 422, /rejected our request/],
  ['application/json-patch+json', {}, 400, /cannot unmarshal object/],
  ['application/merge-patch+json', { data: { k: null, b: '2' } }, 200, /"data":\{"b":"2"\}/],
  ['application/merge-patch+json', { data: { k: 1 } }, 422, /cannot unmarshal number/],
  ['application/strategic-merge-patch+json', { metadata: { finalizers: ['a.io/b'] } }, 200, /"a.io\/b","a.io\/a"/],
  ['application/strategic-merge-patch+json', { data: { $patch: 'replace', b: '2' } }, 200, /"data":\{"b":"2"\}/],
  ['application/strategic-merge-patch+json', { data: { $patch: 'x' } }, 500, /unknown patch type: x in map/],
  ['application/strategic-merge-patch+json', { data: 1 }, 422, /cannot restore map from int64/],
  ['application/strategic-merge-patch+json', [], 400, /"json: cannot unmarshal array/],
  ['application/merge-patch+json', 'null', 400, /Invalid JSON Patch/],
  ['application/json-patch+json', [{ op: 1 }], 400, /number into Go struct field jsonPatchOp.op of type string/],
  ['application/apply-patch+yaml', 'data: {}', 400, /invalid object type: \/, Kind=/],
  ['application/x', {}, 415, /Unsupported Media Type/],
];

for (const [type, patch, status, text] of patches) {
  test(`${type} ${JSON.stringify(patch)}`, async () => {
    const bench = sandboxBench();
    await bench.ok(`POST ${MAPS}`, configMap('a', { finalizers: ['a.io/a'] }));
    const answer = await bench.send(`PATCH ${MAPS}/a?fieldManager=m`, patch, { 'content-type': type });
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, text);
  });
}

test('unknown fields: a warning, an error where strict, silence where ignored', async () => {
  const bench = sandboxBench();
  const body = { ...configMap('a'), surprise: true };
  const warned = await bench.send(`POST ${MAPS}?dryRun=All`, body);
  assert.equal(warned.headers['warning'], '299 - "unknown field \\"surprise\\""');
  assert.equal(warned.body['surprise'], undefined);
  const strict = await bench.send(`POST ${MAPS}?fieldValidation=Strict`, body);
  assert.deepEqual([strict.status, /strict decoding error/.test(strict.text)], [400, true]);
  const ignored = await bench.send(`POST ${MAPS}?fieldValidation=Ignore`, body);
  assert.deepEqual([ignored.status, ignored.headers['warning']], [201, undefined]);
});

test('keys that stand twice: told as unknown fields are, in bodies and in patches', async () => {
  const bench = sandboxBench();
  const body = '{"metadata":{"name":"a"},"data":{"k":"1","k":"2"},"x":1}';
  const strict = await bench.send(`POST ${MAPS}?fieldValidation=Strict`, body);
  assert.match(strict.text, /strict decoding error: duplicate field \\"data.k\\", unknown field \\"x\\"/);
  assert.deepEqual((await bench.ok(`POST ${MAPS}`, body))['data'], { k: '2' });
  const patches = [
    ['application/merge-patch+json', '{"data":{"k":"1","k":"3"},"y":1}', 'duplicate field \\"data.k\\"'],
    ['application/strategic-merge-patch+json', '{"data":{"k":"1","k":"3"},"y":1}', 'duplicate field \\"data.k\\"'],
    [
      'application/json-patch+json',
      '[{"op":"add","path":"/y","value":1,"z":1}]',
      'json patch unknown field \\"[0].z\\"',
    ],
  ];
  for (const [type = '', patch, told] of patches) {
    const warned = await bench.send(`PATCH ${MAPS}/a?dryRun=All`, patch, { 'content-type': type });
    assert.equal(warned.headers['warning'], `299 - "${told}", 299 - "unknown field \\"y\\""`);
    const refused = await bench.send(`PATCH ${MAPS}/a?fieldValidation=Strict`, patch, { 'content-type': type });
    assert.equal(refused.status, 422);
  }
});

test('services get the lowest free address, secrets their data encoded, pods a phase', async () => {
  const bench = sandboxBench();
  const service = (name: string): JsonObject => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
  const ip = async (name: string): Promise<unknown> =>
    ((await bench.ok('POST /api/v1/namespaces/default/services', service(name)))['spec'] as JsonObject)['clusterIP'];
  assert.deepEqual([await ip('a'), await ip('b')], ['10.0.0.2', '10.0.0.3']);
  await bench.ok('DELETE /api/v1/namespaces/default/services/a');
  assert.equal(await ip('c'), '10.0.0.2');
  const replaced = await bench.ok('PUT /api/v1/namespaces/default/services/b', service('b'));
  assert.equal((replaced['spec'] as JsonObject)['clusterIP'], '10.0.0.3', 'kept by an update that does not name it');
  const secret = await bench.ok('POST /api/v1/namespaces/default/secrets', {
    metadata: { name: 's' },
    data: { a: 'eHh4', b: 'eHh4' },
    stringData: { a: 'b' },
  });
  assert.deepEqual(
    [secret['data'], secret['stringData'], secret['type']],
    [{ a: 'Yg==', b: 'eHh4' }, undefined, 'Opaque'],
  );
  const pod = await bench.ok('POST /api/v1/namespaces/default/pods', {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'x' }] },
  });
  assert.equal((pod['status'] as JsonObject)['phase'], 'Pending');
});

test('scale: read and written through the small object', async () => {
  const bench = await withCats();
  const paths = {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.selector',
  };
  const version = { subresources: { status: {}, scale: paths } };
  await bench.ok('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd('dogs', 'Dog', version));
  const path = '/apis/example.com/v1/namespaces/default/dogs';
  await bench.ok(`POST ${path}`, {
    apiVersion: 'example.com/v1',
    kind: 'Dog',
    metadata: { name: 'd' },
    spec: { size: 1 },
  });
  const scaled = await bench.ok(`PATCH ${path}/d/scale`, { spec: { replicas: 4 } });
  assert.deepEqual([scaled['kind'], scaled['spec']], ['Scale', { replicas: 4 }]);
  assert.deepEqual((await bench.ok(`GET ${path}/d`))['spec'], { size: 4 });
  assert.equal((await bench.send(`GET ${CATS}/d/scale`)).status, 404);
});
