import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest } from '../ports/transport.ts';
import { requestWords } from './request-words.ts';

const CASES: readonly (readonly [request: string, words: string])[] = [
  ['GET /api/v1/pods?limit=500', 'list pods'],
  ['GET /api/v1/namespaces/n/pods', 'list pods in n'],
  ['GET /api/v1/namespaces/n/pods/a', 'get pods in n of a'],
  ['GET /api/v1/namespaces/n', 'get namespaces of n'],
  ['POST /api/v1/namespaces', 'create namespaces'],
  ['PATCH /apis/apps/v1/namespaces/n/deployments/a/scale', 'patch deployments.apps/scale in n of a'],
  ['PUT /apis/example.com/v1/things/a/status', 'update things.example.com/status of a'],
  ['DELETE /api/v1/namespaces/n/pods', 'deletecollection pods in n'],
  ['DELETE /api/v1/namespaces/n/pods/system%3Aa', 'delete pods in n of system:a'],
  ['GET /apis', 'get /apis'],
  ['GET /apis/example.com/v1', 'get /apis'],
  ['GET /openapi/v3/apis/apps/v1?hash=x', 'get /openapi'],
  ['GET /version', 'get /version'],
];
for (const [request, wanted] of CASES)
  test(request, () => {
    const [method, path = ''] = request.split(' ');
    const { verb, resource, namespace, name } = requestWords({ method: method as ApiRequest['method'], path });
    const shown = [`${verb} ${resource}`, namespace && `in ${namespace}`, name && `of ${name}`];
    assert.equal(shown.filter(Boolean).join(' '), wanted);
  });

test('a watch', () => {
  const words = requestWords({ method: 'GET', path: '/api/v1/pods?watch=true', longLived: true });
  assert.deepEqual(words, { verb: 'watch', resource: 'pods' });
});
