import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { crd, metadataOf, sandboxBench } from '../../testing/sandbox-bench.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CATS = '/apis/example.com/v1/namespaces/default/cats';
const cat = (name: string, version = 'v1', metadata: JsonObject = {}): JsonObject => ({
  apiVersion: `example.com/${version}`,
  kind: 'Cat',
  metadata: { name, ...metadata },
});
const conditions = (definition: JsonObject): string[] =>
  ((definition['status'] as JsonObject)['conditions'] as unknown as JsonObject[]).map(
    (c) => `${c['type']}=${c['status']} ${c['reason']}`,
  );

test('served at once: established, listed, in both forms of discovery', async () => {
  const bench = sandboxBench();
  const answer = await bench.ok(`POST ${CRDS}`, crd('cats', 'Cat', {}, { shortNames: ['ct'], categories: ['all'] }));
  assert.equal((answer['status'] as JsonObject)['conditions'], null, 'its controllers come after the answer');
  const created = await bench.ok(`GET ${CRDS}/cats.example.com`);
  assert.deepEqual(conditions(created), ['NamesAccepted=True NoConflicts', 'Established=True InitialNamesAccepted']);
  assert.deepEqual((created['spec'] as JsonObject)['names'], {
    plural: 'cats',
    kind: 'Cat',
    shortNames: ['ct'],
    categories: ['all'],
    singular: 'cat',
    listKind: 'CatList',
  });
  assert.equal((await bench.ok(`GET ${CATS}`))['kind'], 'CatList');
  const legacy = await bench.ok('GET /apis/example.com/v1');
  assert.deepEqual(
    (legacy['resources'] as unknown as JsonObject[]).map((r) => r['name']),
    ['cats', 'cats/status'],
  );
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
  const aggregated = await bench.send('GET /apis', undefined, { accept });
  assert.equal(
    aggregated.headers['content-type'],
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  );
  const group = (aggregated.body['items'] as unknown as JsonObject[]).find(
    (item) => metadataOf(item)['name'] === 'example.com',
  );
  assert.match(JSON.stringify(group), /"shortNames":\["ct"\],"categories":\["all"\]/);
});

test('one object in every served version', async () => {
  const bench = sandboxBench();
  const schema = { openAPIV3Schema: { type: 'object' } };
  const definition = crd('cats', 'Cat');
  const versions = [
    { name: 'v1beta1', served: true, storage: false, schema },
    { name: 'v1', served: true, storage: true, schema },
    { name: 'v2', served: false, storage: false, schema },
  ];
  await bench.ok(`POST ${CRDS}`, { ...definition, spec: { ...(definition['spec'] as JsonObject), versions } });
  const created = await bench.ok(`POST ${CATS.replace('v1', 'v1beta1')}`, cat('tom', 'v1beta1'));
  assert.equal(created['apiVersion'], 'example.com/v1beta1');
  assert.deepEqual(await bench.ok(`GET ${CATS}/tom`), { ...created, apiVersion: 'example.com/v1' });
  const list = await bench.ok(`GET ${CATS.replace('v1', 'v1beta1')}`);
  assert.deepEqual(list['items'], [created]);
  assert.equal((await bench.send(`GET ${CATS.replace('v1', 'v2')}/tom`)).text, '404 page not found\n');
  const wrong = await bench.send(`POST ${CATS}`, cat('x', 'v1beta1'));
  assert.match(wrong.text, /API version in the data .* does not match/);
});

test('a deleted definition takes its objects along, and waits for those with finalizers', async () => {
  const bench = sandboxBench();
  await bench.ok(`POST ${CRDS}`, crd('cats', 'Cat'));
  await bench.ok(`POST ${CATS}`, cat('free'));
  await bench.ok(`POST ${CATS}`, cat('held', 'v1', { finalizers: ['a.io/b'] }));
  const answer = await bench.ok(`DELETE ${CRDS}/cats.example.com`);
  assert.deepEqual(metadataOf(answer)['finalizers'], ['customresourcecleanup.apiextensions.k8s.io']);
  assert.equal((await bench.send(`GET ${CATS}/free`)).status, 404);
  assert.equal((await bench.send(`POST ${CATS}`, cat('late'))).status, 403);
  await bench.ok(`PATCH ${CATS}/held`, { metadata: { finalizers: null } });
  assert.equal((await bench.send(`GET ${CRDS}/cats.example.com`)).status, 404);
  assert.equal((await bench.send(`GET ${CATS}`)).text, '404 page not found\n');
});

test('a definition that is made again starts empty, and old watches do not reach into its past', async () => {
  const bench = sandboxBench();
  await bench.ok(`POST ${CRDS}`, crd('cats', 'Cat'));
  const tom = await bench.ok(`POST ${CATS}`, cat('tom'));
  await bench.ok(`DELETE ${CRDS}/cats.example.com`);
  await bench.ok(`POST ${CRDS}`, crd('cats', 'Cat'));
  assert.deepEqual((await bench.ok(`GET ${CATS}`))['items'], []);
  const [event] = await bench.watch(`${CATS}?resourceVersion=${metadataOf(tom)['resourceVersion']}`);
  assert.equal(event?.object['code'], 410);
});

test('a kind that another definition has: not served until the other one is gone', async () => {
  const bench = sandboxBench();
  await bench.ok(`POST ${CRDS}`, crd('cats', 'Cat'));
  await bench.ok(`POST ${CRDS}`, crd('felines', 'Cat'));
  const second = await bench.ok(`GET ${CRDS}/felines.example.com`);
  assert.deepEqual(conditions(second), ['NamesAccepted=False ListKindConflict', 'Established=False NotAccepted']);
  const path = CATS.replace('cats', 'felines');
  assert.equal((await bench.send(`GET ${path}`)).status, 404);
  await bench.ok(`DELETE ${CRDS}/cats.example.com`);
  assert.equal((await bench.ok(`GET ${path}`))['kind'], 'CatList');
});

const spec = (change: JsonObject): JsonObject => {
  const definition = crd('cats', 'Cat');
  return { ...definition, spec: { ...(definition['spec'] as JsonObject), ...change } };
};
const version = (change: JsonObject): JsonObject => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...change,
});

const refused: readonly (readonly [reason: string, body: JsonObject, text: RegExp])[] = [
  [
    'a name that is not plural.group',
    { ...crd('cats', 'Cat'), metadata: { name: 'x' } },
    /must be spec.names.plural\+/,
  ],
  [
    'a group without a dot',
    { ...spec({ group: 'nodots' }), metadata: { name: 'cats.nodots' } },
    /should be a domain with at least one dot/,
  ],
  [
    'no storage version',
    spec({ versions: [version({ storage: false })] }),
    /must have exactly one version marked as storage version/,
  ],
  ['two storage versions', spec({ versions: [version({}), version({ name: 'v2' })] }), /must have exactly one version/],
  [
    'two versions of one name',
    spec({ versions: [version({}), version({ storage: false })] }),
    /must contain unique version names/,
  ],
  [
    'no schema',
    spec({ versions: [version({ schema: undefined as unknown as JsonObject })] }),
    /schema.openAPIV3Schema: Required value/,
  ],
  [
    'a schema without a type',
    spec({ versions: [version({ schema: { openAPIV3Schema: {} } })] }),
    /must not be empty at the root/,
  ],
  ['a scope that is none', spec({ scope: 'Global' }), /Unsupported value: \\"Global\\"/],
  [
    'a protected group',
    { ...spec({ group: 'x.k8s.io' }), metadata: { name: 'cats.x.k8s.io' } },
    /api-approved.kubernetes.io/,
  ],
];

for (const [reason, body, text] of refused) {
  test(`refused: ${reason}`, async () => {
    const answer = await sandboxBench().send(`POST ${CRDS}`, body);
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.text, text);
  });
}

test('scope and kind stay; a version that was stored stays', async () => {
  const bench = sandboxBench();
  await bench.ok(`POST ${CRDS}`, crd('cats', 'Cat'));
  const patch = async (change: JsonObject): Promise<string> =>
    (await bench.send(`PATCH ${CRDS}/cats.example.com`, { spec: change })).text;
  assert.match(await patch({ scope: 'Cluster' }), /spec.scope: Invalid value: \\"Cluster\\": field is immutable/);
  assert.match(await patch({ names: { kind: 'Dog' } }), /spec.names.kind: .*field is immutable/);
  assert.match(await patch({ versions: [version({ name: 'v2' })] }), /v1 was previously a storage version/);
});

test('a new version is served at once', async () => {
  const bench = sandboxBench();
  await bench.ok(`POST ${CRDS}`, crd('cats', 'Cat'));
  await bench.ok(`POST ${CATS}`, cat('tom'));
  await bench.ok(`PATCH ${CRDS}/cats.example.com`, {
    spec: { versions: [version({}), version({ name: 'v2', storage: false })] },
  });
  assert.equal((await bench.ok(`GET ${CATS.replace('v1', 'v2')}/tom`))['apiVersion'], 'example.com/v2');
});

test('printer columns make the table', async () => {
  const bench = sandboxBench();
  const additionalPrinterColumns = [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status', priority: 1 },
  ];
  await bench.ok(`POST ${CRDS}`, crd('cats', 'Cat', { additionalPrinterColumns }));
  await bench.ok(`POST ${CATS}`, { ...cat('tom'), spec: { size: 3 } });
  await bench.ok(`PATCH ${CATS}/tom/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  await bench.ok(`POST ${CATS}`, cat('tim'));
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  const { body } = await bench.send(`GET ${CATS}`, undefined, { accept });
  assert.deepEqual(
    (body['columnDefinitions'] as unknown as JsonObject[]).map((c) => [c['name'], c['priority']]),
    [
      ['Name', 0],
      ['Size', 0],
      ['Ready', 1],
    ],
  );
  assert.deepEqual(
    (body['rows'] as unknown as JsonObject[]).map((row) => row['cells']),
    [
      ['tim', null, null],
      ['tom', 3, 'True'],
    ],
  );
});
