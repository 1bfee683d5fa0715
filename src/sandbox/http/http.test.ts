import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxBench } from '../../testing/sandbox-bench.ts';
import { compareVersions, Registry } from '../registry/registry.ts';
import { LineStream } from './line-stream.ts';
import { type Accepted, negotiate } from './negotiate.ts';
import { routeOf } from './route.ts';

const JSON_OBJECT = { format: 'json', view: 'Object' } as const;
const accepts: readonly (readonly [reason: string, header: string | undefined, want: Accepted])[] = [
  ['nothing said', undefined, JSON_OBJECT],
  ['anything', '*/*', JSON_OBJECT],
  ['kubectl get', 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json', { format: 'json', view: 'Table' }],
  [
    'a Table of a version that is not served',
    'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
    JSON_OBJECT,
  ],
  ['protobuf first, as Go clients ask', 'application/vnd.kubernetes.protobuf,application/json', JSON_OBJECT],
  ['yaml', 'application/yaml', { format: 'yaml', view: 'Object' }],
];

for (const [reason, header, want] of accepts) {
  test(`accept: ${reason}`, () => assert.deepEqual(negotiate(header), want));
}

test('accept: what can not be made is 406', () => {
  assert.throws(() => negotiate('application/xml'), { code: 406, message: /Available representations/ });
  assert.throws(() => negotiate('application/json;as=Foo;v=v1;g=meta.k8s.io'), {
    code: 406,
    message: /^only the following/,
  });
});

const routes: readonly (readonly [path: string, want: string])[] = [
  ['/version', 'page version'],
  ['/readyz/ping', 'page readyz'],
  ['/api', 'groups'],
  ['/api/v1', 'version'],
  ['/apis/apps', 'group'],
  ['/api/v1/pods', 'resource pods'],
  ['/api/v1/namespaces/n', 'resource namespaces /n'],
  ['/api/v1/namespaces/n/status', 'resource namespaces /n/status'],
  ['/api/v1/namespaces/n/pods', 'resource pods n'],
  ['/api/v1/namespaces/status/pods', 'resource pods status'],
  ['/api/v1/namespaces/n/pods/a/status', 'resource pods n/a/status'],
  ['/apis/apps/v1/namespaces/n/deployments/a%2Db', 'resource deployments n/a-b'],
  ['/api/v1/pods/a', 'nothing Status'],
  ['/api/v1/namespaces/n/nodes/a', 'nothing Status'],
  ['/api/v1/nope', 'nothing Status'],
  ['/api/v2', 'nothing Status'],
  ['/apis/nope.io/v1', 'nothing page'],
  ['/nope', 'nothing page'],
];

const registry = new Registry();
for (const [path, want] of routes) {
  test(`route ${path}`, () => {
    const route = routeOf(registry, path);
    let text: string = route.type;
    if (route.type === 'page') text += ` ${route.name}`;
    if (route.type === 'nothing') text += route.status ? ' Status' : ' page';
    if (route.type === 'resource') {
      const { namespace = '', name, subresource } = route;
      const place = [
        namespace,
        ...(name === undefined ? [] : [name]),
        ...(subresource === undefined ? [] : [subresource]),
      ].join('/');
      text += ` ${route.kind.resource}${place === '' ? '' : ` ${place}`}`;
    }
    assert.equal(text, want);
  });
}

test('versions in the order in which Kubernetes prefers them', () => {
  const versions = ['foo1', 'v1alpha2', 'v1', 'v10', 'v2beta1', 'v2', 'v1beta10', 'v1beta2', 'bar'];
  const want = ['v10', 'v2', 'v1', 'v2beta1', 'v1beta10', 'v1beta2', 'v1alpha2', 'bar', 'foo1'];
  assert.deepEqual(versions.sort(compareVersions), want);
});

test('a stream hands out what was pushed before it ended, and tells once that it ended', async () => {
  const stream = new LineStream();
  let ends = 0;
  stream.onEnd(() => ends++);
  stream.push('a\n');
  stream.end();
  stream.end();
  stream.push('late\n');
  const chunks: string[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk).toString());
  assert.deepEqual([chunks, ends], [['a\n'], 1]);
});

test('a reader that leaves ends the stream', async () => {
  const stream = new LineStream();
  stream.push('a\n');
  for await (const _ of stream) break;
  assert.equal(stream.ended, true);
});

test('bodies: YAML is read, what is none is refused in words', async () => {
  const bench = sandboxBench();
  const maps = 'POST /api/v1/namespaces/default/configmaps';
  const yaml = await bench.send(maps, 'metadata: {name: one}\ndata: {a: "1"}\n', {
    'content-type': 'application/yaml',
  });
  assert.deepEqual([yaml.status, yaml.body['data']], [201, { a: '1' }]);
  const proto = await bench.send(maps, 'k8s', { 'content-type': 'application/vnd.kubernetes.protobuf' });
  assert.deepEqual([proto.status, /does not appear to be a protobuf message/.test(proto.text)], [400, true]);
  const twice = 'metadata: {name: z}\ndata:\n  a: "1"\n  a: "2"\n';
  const warned = await bench.send(maps, twice, { 'content-type': 'application/yaml' });
  assert.deepEqual(
    [warned.body['data'], warned.headers['warning']],
    [{ a: '2' }, '299 - "line 4: key \\"a\\" already set in map"'],
  );
  const yes = await bench.send(maps, 'metadata: {name: two}\ndata: {a: yes}', { 'content-type': 'application/yaml' });
  assert.match(yes.text, /cannot unmarshal bool/, 'YAML 1.1');
  assert.equal((await bench.send(maps, 'x', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await bench.send(maps, ': {', { 'content-type': 'application/yaml' })).status, 400);
});

test('integers beyond 2^53 survive', async () => {
  const bench = sandboxBench();
  const revision = '{"metadata":{"name":"r"},"revision":9007199254740993}';
  const created = await bench.send('POST /apis/apps/v1/namespaces/default/controllerrevisions', revision);
  assert.match(created.text, /"revision":9007199254740993/);
});

test('openapi says for each kind that the server validates fields', async () => {
  const bench = sandboxBench();
  const index = await bench.ok('GET /openapi/v3');
  assert.ok('apis/apps/v1' in (index['paths'] as object));
  const { text } = await bench.send('GET /openapi/v3/apis/apps/v1');
  assert.match(text, /namespaces\/\{namespace\}\/deployments\/\{name\}/);
  assert.match(text, /"name":"fieldValidation"/);
  assert.equal((await bench.send('GET /openapi/v3/apis/nope/v1')).status, 404);
});
