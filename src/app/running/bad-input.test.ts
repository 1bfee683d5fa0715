// What is wrong in answers, definitions and Secrets, with a daemon that runs on: an Event on the parent that says it, no write
// that should not be, and all is well soon after it is put right. On both servers. What each message says in full is tested
// where it is made.

import assert from 'node:assert/strict';
import type { Server } from 'node:https';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { type JsonObject, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { createAuthority } from '../../testing/certificates.ts';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { serveHook } from '../../testing/hook-server.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { REVISIONS } from '../../testing/rollout-project.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';
import { useCases } from '../../testing/use-cases.ts';

const EVENTS: ResourceType = { ...CONFIG_MAPS, kind: 'Event', resource: 'events' };
const SECRETS: ResourceType = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };
const REVISIONS_CRD = join(import.meta.dirname, '../../../deploy/crds/controllerrevisions.yaml');

/** spec.names are the children; spec.rules the related objects; spec.stuck keeps the parent from going. No status. */
const SYNC = `return { children: request.parent.spec.names.map((name) => ({
  apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } }, data: { text: request.parent.spec.text ?? '' },
})) };`;
const CUSTOMIZE = 'return { relatedResources: request.parent.spec.rules ?? [] };';
const FINALIZE = `
if (request.parent.spec.stuck) throw new Error('the billing system does not answer');
return { children: [], finalized: Object.keys(request.children['ConfigMap.v1']).length === 0 };`;

interface Told {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** Events about the parent. */
async function told({ client, namespace }: DaemonBed, parent: string): Promise<readonly Told[]> {
  const { items } = await client.list(EVENTS, { namespace });
  const about = (event: KubeObject): boolean => (event['involvedObject'] as { name?: string }).name === parent;
  return items.filter(about).map((event) => event as unknown as Told);
}

async function untilTold(bed: DaemonBed, parent: string, reason: string, words: RegExp): Promise<void> {
  await until(`an Event ${reason} about ${parent}: ${words}`, async () =>
    (await told(bed, parent)).some((event) => event.reason === reason && words.test(event.message)),
  );
}

async function edit(bed: DaemonBed, name: string, spec: JsonObject): Promise<void> {
  const patch = { spec };
  const at = { type: await bed.things(), name, namespace: bed.namespace, fieldManager: 'test' };
  await bed.client.write({ ...at, verb: 'patch', contentType: 'application/merge-patch+json', patch });
}

const has = async ({ client, namespace }: DaemonBed, map: string): Promise<boolean> =>
  (await client.get(CONFIG_MAPS, map, namespace)) !== undefined;

async function bedFor(target: TestTarget, options: Parameters<typeof daemonBed>[2]): Promise<DaemonBed> {
  const bed = await daemonBed(target, 'bad-input', { hook: SYNC, ...options });
  after(() => bed.close());
  await bed.crd();
  return bed;
}

const MAPS = { apiVersion: 'v1', resource: 'configmaps' };
const BOTH = { ...MAPS, names: ['a'], labelSelector: { matchLabels: { a: 'b' } } };

/** Parent → what its spec has that can't be, and what is said of it. */
const WRONG: readonly (readonly [parent: string, spec: JsonObject, words: RegExp])[] = [
  ['duplicate', { names: ['duplicate-0', 'duplicate-0'] }, /children\[1\] is ConfigMap/],
  [
    'unknown',
    { rules: [{ apiVersion: 'v1', resource: 'configmap' }] },
    /configmap of v1, which the server does not serve/,
  ],
  ['elsewhere', { rules: [{ ...MAPS, namespace: 'kube-system' }] }, /is kube-system, but the parent is in/],
  ['both', { rules: [BOTH] }, /names stands beside labelSelector/],
];

forEachTarget('bad input to a daemon', (target) => {
  test('answers of sync and customize that can not be', async () => {
    const bed = await bedFor(target, { moreHooks: { customize: CUSTOMIZE } });
    for (const [parent, spec] of WRONG) await bed.thing(parent, { names: [`${parent}-0`], ...spec });
    bed.start();
    for (const [parent, , words] of WRONG) await untilTold(bed, parent, 'SyncError', words);
    assert.equal(await bed.maps(), '', 'nothing was written for any of them');
    for (const [parent] of WRONG) await edit(bed, parent, { names: [`${parent}-0`], rules: null });
    await until('each has its child', async () => (await bed.maps()).split(' ').length === WRONG.length);
    for (const [parent] of WRONG) {
      const events = await told(bed, parent);
      assert.equal(events.length, 1, JSON.stringify(events.map(({ reason, message }) => [reason, message])));
    }
  });

  test('a finalize hook that fails keeps parent and child, and lets them go when it is put right', async () => {
    const bed = await bedFor(target, { moreHooks: { finalize: FINALIZE } });
    await bed.thing('one', { names: ['kept'], stuck: true });
    bed.start();
    await until('it has its child', () => has(bed, 'kept'));
    const type = await bed.things();
    const one = { type, name: 'one', namespace: bed.namespace };
    await bed.client.write({ ...one, verb: 'delete', fieldManager: 'test' });
    await untilTold(bed, 'one', 'SyncError', /finalize hook failed for Thing .*the billing system does not answer/);
    assert.ok(await has(bed, 'kept'));
    await edit(bed, 'one', { stuck: false });
    await until('both are gone', async () => (await bed.client.get(type, 'one', bed.namespace)) === undefined);
    assert.equal(await has(bed, 'kept'), false);
  });

  test('a rollout whose check nobody reports, a path that leads nowhere, and a hook without a status', async () => {
    const crd = await useCases({ cluster: target.choice, paths: [REVISIONS_CRD] }).apply();
    assert.notEqual(crd.status, 'failed', JSON.stringify(crd.diagnostics));
    const bed = await bedFor(target, {});
    const definition = (fieldPath: string): object => ({
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'CompositeController',
      metadata: { name: 'things' },
      spec: {
        parentResource: {
          apiVersion: `${bed.group}/v1`,
          resource: 'things',
          revisionHistory: { fieldPaths: [fieldPath] },
        },
        childResources: [
          {
            ...MAPS,
            updateStrategy: {
              method: 'RollingInPlace',
              statusChecks: { conditions: [{ type: 'Ready', status: 'True' }] },
            },
          },
        ],
        hooks: { sync: { module: { path: './hook.mjs' } } },
      },
    });
    await bed.project.write('controller.json', definition('spec.txt'));
    await bed.thing('one', { names: ['a', 'b'], text: '1' });
    const mistaken = bed.start();
    await untilTold(bed, 'one', 'SyncWarning', /has no field spec\.txt, which/);
    await until('it has its children all the same', async () => (await bed.maps()) === 'a b');
    await mistaken.stop();

    await bed.project.write('controller.json', definition('spec.text'));
    bed.start();
    const things = await bed.things();
    const updated = async (): Promise<string> => {
      const live = (await bed.client.get(things, 'one', bed.namespace)) as { status?: { conditions?: JsonObject[] } };
      const found = live.status?.conditions?.find(({ type }) => type === 'Updated');
      return `${found?.['status']} ${found?.['reason']} ${found?.['message']}`;
    };
    const recorded = async (): Promise<boolean> => {
      const { items } = await bed.client.list(REVISIONS, { namespace: bed.namespace });
      return items.some(({ parentPatch }) => jsonEqual(parentPatch, { spec: { text: '1' } }));
    };
    await until('it is at its revision', recorded);
    await edit(bed, 'one', { text: '2' });
    const why = 'child ConfigMap a fails a status check: it has no condition Ready';
    await untilTold(bed, 'one', 'RolloutWaiting', new RegExp(why));
    assert.equal(await updated(), `False RolloutWaiting ${why}`);
    const b = await bed.client.get(CONFIG_MAPS, 'b', bed.namespace);
    assert.deepEqual(b?.['data'], { text: '1' }, 'its turn has not come');
  });

  test('a certificate that expired, and a token Secret without its key', async (t: TestContext) => {
    const authority = createAuthority('hooks');
    const expired = authority.issue('hook', ['127.0.0.1'], [2020, 2024]);
    const served = await serveHook(
      t,
      ({ headers }) => (headers.authorization === 'Bearer open sesame' ? { body: ANSWER } : { status: 401 }),
      expired,
    );
    const bed = await bedFor(target, {});
    const secret = (data: JsonObject): KubeObject => {
      const metadata = { name: 'token', namespace: bed.namespace };
      return { apiVersion: 'v1', kind: 'Secret', metadata, stringData: data };
    };
    const webhook = {
      url: served.url,
      caBundle: { inline: authority.cert },
      authorization: { secretRef: { name: 'token', namespace: bed.namespace, key: 'token' } },
    };
    await bed.project.write('controller.json', {
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'CompositeController',
      metadata: { name: 'things' },
      spec: {
        parentResource: { apiVersion: `${bed.group}/v1`, resource: 'things' },
        childResources: [MAPS],
        hooks: { sync: { webhook } },
      },
    });
    await bed.create(SECRETS, secret({ tocken: 'open sesame' }));
    await bed.thing('one', {});
    bed.start();
    await untilTold(bed, 'one', 'SyncError', /the Secret \S+\/token has no key "token"/);
    const update = { verb: 'update', type: SECRETS, fieldManager: 'test' } as const;
    await bed.client.write({ ...update, object: secret({ token: 'open sesame' }) });
    await edit(bed, 'one', { again: 1 });
    await untilTold(bed, 'one', 'SyncError', /certificate of 127\.0\.0\.1:\d+ has expired/);
    assert.equal(await bed.maps(), '');
    (served.server as unknown as Server).setSecureContext(authority.issue('hook', ['127.0.0.1']));
    await edit(bed, 'one', { again: 2 });
    await until('the child is there', async () => (await bed.maps()) === 'made');
    const said = JSON.stringify(await told(bed, 'one'));
    assert.ok(!said.includes('open sesame'), said);
  });
});

const ANSWER = JSON.stringify({
  children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made', labels: { app: 'thing' } } }],
});
