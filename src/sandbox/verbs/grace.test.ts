// How pods go: each line is a pod and the deletes it is sent, with what it looks like after each of them. No kubelet takes
// part: the sandbox is an API server alone here, and the node that is named does not exist on the real one.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isJsonObject, type JsonObject, parseJson } from '../../kit/json.ts';
import type { Transport } from '../../ports/transport.ts';
import { forEachTarget } from '../../testing/targets.ts';

interface Pod {
  readonly node?: string;
  readonly grace?: number;
  readonly finalizers?: readonly string[];
  readonly phase?: string;
}
/** Seconds of grace, and whether the generation went up since the create; "gone". */
type After = 'gone' | { readonly grace: number; readonly generation: number; readonly finalizers?: readonly string[] };

const NODE = { node: 'nowhere' };
const FINALIZER = 'example.com/x';
const marked = (grace: number, finalizers?: readonly string[]): After => ({
  grace,
  generation: 2,
  ...(finalizers ? { finalizers } : {}),
});

const CASES: readonly [reason: string, pod: Pod, deletes: readonly [options: JsonObject, want: After][]][] = [
  ['no kubelet has it: it goes at once', {}, [[{}, 'gone']]],
  ['not even with a grace asked for', {}, [[{ gracePeriodSeconds: 20 }, 'gone']]],
  ['on a node: thirty seconds unless it says otherwise', NODE, [[{}, marked(30)]]],
  ['its own grace', { ...NODE, grace: 7 }, [[{}, marked(7)]]],
  ['a grace of its own of none', { ...NODE, grace: 0 }, [[{}, 'gone']]],
  ["the request's grace", { ...NODE, grace: 7 }, [[{ gracePeriodSeconds: 20 }, marked(20)]]],
  ['kubectl delete --force', NODE, [[{ gracePeriodSeconds: 0 }, 'gone']]],
  ['a negative grace is one second', NODE, [[{ gracePeriodSeconds: -5 }, marked(1)]]],
  ['what has ended needs no grace', { ...NODE, phase: 'Succeeded' }, [[{}, 'gone']]],
  [
    'a second delete changes nothing',
    NODE,
    [
      [{}, marked(30)],
      [{}, marked(30)],
    ],
  ],
  [
    'a longer grace changes nothing',
    NODE,
    [
      [{}, marked(30)],
      [{ gracePeriodSeconds: 60 }, marked(30)],
    ],
  ],
  [
    'a shorter one does',
    NODE,
    [
      [{}, marked(30)],
      [{ gracePeriodSeconds: 3 }, marked(3)],
    ],
  ],
  [
    'the kubelet has ended it',
    NODE,
    [
      [{}, marked(30)],
      [{ gracePeriodSeconds: 0 }, 'gone'],
    ],
  ],
  [
    'then a finalizer still holds it',
    { ...NODE, finalizers: [FINALIZER] },
    [
      [{}, marked(30, [FINALIZER])],
      [{ gracePeriodSeconds: 0 }, marked(0, [FINALIZER])],
      [{}, marked(0, [FINALIZER])],
    ],
  ],
  ['a finalizer without a kubelet', { finalizers: [FINALIZER] }, [[{}, marked(0, [FINALIZER])]]],
  [
    'another policy while it waits is not heard',
    NODE,
    [
      [{}, marked(30)],
      [{ propagationPolicy: 'Foreground' }, marked(30)],
    ],
  ],
];

forEachTarget(
  'pods are given time to end',
  (target) => {
    let pods = '';
    before(async () => {
      pods = `/api/v1/namespaces/${await target.namespace()}/pods`;
    });
    for (const [index, [reason, pod, deletes]] of CASES.entries()) {
      test(reason, async () => {
        const name = `p${index}`;
        await create(target.transport, pods, name, pod);
        for (const [options, want] of deletes) {
          const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
          const answer = await send(target.transport, 'DELETE', `${pods}/${name}`, body);
          assert.equal(answer['kind'], 'Pod');
          const found = await send(target.transport, 'GET', `${pods}/${name}`);
          assert.deepEqual(lookOf(found), want);
          if (want !== 'gone') assert.deepEqual(lookOf(answer), want);
        }
        if (pod.finalizers)
          await send(target.transport, 'PATCH', `${pods}/${name}`, { metadata: { finalizers: null } });
      });
    }

    test('watchers see it marked before it goes', async () => {
      await create(target.transport, pods, 'watched', NODE);
      const { resourceVersion } = objectOf((await send(target.transport, 'GET', `${pods}/watched`))['metadata']);
      await send(target.transport, 'DELETE', `${pods}/watched`, { gracePeriodSeconds: 0 });
      const watch = `watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dwatched&resourceVersion=${resourceVersion}`;
      const response = await target.transport.request({ method: 'GET', path: `${pods}?${watch}`, longLived: true });
      const events = (await response.text())
        .trim()
        .split('\n')
        .map((line) => objectOf(parseJson(line)));
      assert.deepEqual(
        events.map(({ type, object }) => [type, lookOf(objectOf(object))]),
        [
          ['MODIFIED', marked(0)],
          ['DELETED', marked(0)],
        ],
      );
    });
  },
  { sandbox: { controllers: false } },
);

const objectOf = (value: unknown): JsonObject => (isJsonObject(value as JsonObject) ? (value as JsonObject) : {});

function lookOf(answer: JsonObject): unknown {
  if (answer['kind'] === 'Status') return 'gone';
  const { deletionTimestamp, deletionGracePeriodSeconds, generation, finalizers } = objectOf(answer['metadata']);
  assert.match(String(deletionTimestamp), /^\d{4}-/);
  return { grace: deletionGracePeriodSeconds, generation, ...(finalizers ? { finalizers } : {}) };
}

async function create(transport: Transport, pods: string, name: string, pod: Pod): Promise<void> {
  const { node, grace, finalizers, phase } = pod;
  const made = await send(transport, 'POST', pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(finalizers ? { finalizers } : {}) },
    spec: {
      schedulerName: 'nobody',
      containers: [{ name: 'main', image: 'none' }],
      ...(node === undefined ? {} : { nodeName: node }),
      ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }),
    },
  });
  assert.equal(made['kind'], 'Pod', JSON.stringify(made));
  if (phase !== undefined) await send(transport, 'PATCH', `${pods}/${name}/status`, { status: { phase } });
}

async function send(
  transport: Transport,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { accept: 'application/json', 'content-type': type };
  const response = await transport.request({
    method,
    path,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return objectOf(parseJson(await response.text()));
}
