// A CatSet from its first pod to its last, on both servers: what the README says of creation, rolling update, scaling and
// teardown, told by the order in which pods are created and deleted.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '../../src/cluster/index.ts';
import { isDeleting, type KubeObject } from '../../src/model/object.ts';
import { changesOf } from '../../src/model/plan.ts';
import type { ResourceType } from '../../src/model/resource.ts';
import { countingFront } from '../../src/testing/counting-front.ts';
import { copyExample, type ExampleCopy } from '../../src/testing/example-copy.ts';
import { bindClaims, CLAIMS } from '../../src/testing/fake-binder.ts';
import { CONFIG_MAPS, PODS } from '../../src/testing/objects.ts';
import { REVISIONS } from '../../src/testing/rollout-project.ts';
import { forEachTarget, type TestTarget } from '../../src/testing/targets.ts';
import { COLLECTED_WITHIN_MS, until } from '../../src/testing/until.ts';
import { useCases } from '../../src/testing/use-cases.ts';
import { WriteLog } from '../../src/testing/write-log.ts';

const FILE = 'nginx-backend.yaml';
const STORAGE = `replicas: 3
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], storageClassName: '', resources: {requests: {storage: 1Mi}}}`;

interface Stage {
  readonly example: ExampleCopy;
  /** Applies until all has settled; returns what that did to pods and claims, in order. */
  apply(): Promise<string[]>;
  plan(): Promise<string[]>;
  names(type: ResourceType): Promise<string>;
  list(type: ResourceType): Promise<readonly KubeObject[]>;
}

async function stage(target: TestTarget): Promise<Stage> {
  const example = await copyExample({ name: 'catset', group: 'ctl.enisoc.com', prefix: 'catset-life' }, target);
  after(example.remove);
  await example.replace(FILE, 'replicas: 3', STORAGE);
  const { path, namespace } = example;
  const binder = bindClaims(target, namespace);
  after(() => binder.close());
  const log = new WriteLog();
  const kubeconfig = join(path, 'kubeconfig');
  const front = await countingFront(log.over(target.transport), kubeconfig, () => undefined);
  after(() => front.close());
  const cases = useCases({ cluster: { kubeconfig }, paths: [path], namespace });
  const list = async (type: ResourceType): Promise<readonly KubeObject[]> => {
    const { items } = await createClient(target.transport).list(type, { namespace });
    return [...items].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  };
  return {
    example,
    list,
    names: async (type) => (await list(type)).map(({ metadata }) => metadata.name).join(' '),
    plan: async () => changesOf((await cases.plan()).plan ?? assert.fail()).map(({ id }) => id),
    apply: async () => {
      const { status, diagnostics, waitingOn } = await cases.apply({ timeoutMs: 180_000 });
      assert.ok(status === 'settled' || status === 'nothing', JSON.stringify([status, diagnostics, waitingOn]));
      return log.take().filter((line) => / (pods|persistentvolumeclaims) /.test(line));
    },
  };
}

const short = (lines: readonly string[]): string =>
  lines
    .map((line) =>
      line
        .replace(/POST pods nginx-backend-/, '+')
        .replace(/DELETE pods nginx-backend-/, '-')
        .replace(/POST persistentvolumeclaims (\S+)-nginx-backend-/, '$1'),
    )
    .join(' ');

/** Two by two: the writes of one round go at once, and which of them arrives first is chance. */
function inPairs(writes: string): string[] {
  const names = writes.split(' ');
  return names.flatMap((_, at) =>
    at % 2 === 0
      ? [
          names
            .slice(at, at + 2)
            .sort()
            .join(' '),
        ]
      : [],
  );
}

const imagesOf = (pods: readonly KubeObject[]): string =>
  pods
    .map(
      ({ metadata, spec }) => `${metadata.name} ${(spec as { containers: { image: string }[] }).containers[0]?.image}`,
    )
    .join(', ');
function conditionsOf(set: KubeObject | undefined): string[] {
  const status = set?.['status'] as { conditions: { type: string; status: string }[] } | undefined;
  return (status?.conditions ?? []).map(({ type, status: is }) => `${type}=${is}`);
}

forEachTarget('catset', (target) => {
  const skip = target.controllers ? false : 'pods need controllers, and this server has none';
  test('from its first pod to its last', { skip }, async () => {
    const { example, apply, plan, list, names } = await stage(target);
    const sets = { ...CONFIG_MAPS, group: example.group, version: 'v1', kind: 'CatSet', resource: 'catsets' };

    assert.deepEqual(
      inPairs(short(await apply())),
      ['+0 data0', '+1 data1', '+2 data2'],
      'each with its claim, in either order, when the one before is Ready',
    );

    await example.replace(FILE, 'nginx:1.29', 'nginx:1.30');
    assert.equal(short(await apply()), '-2 +2 -1 +1 -0 +0', 'the highest first, one at a time');
    assert.equal(
      imagesOf(await list(PODS)),
      'nginx-backend-0 nginx:1.30, nginx-backend-1 nginx:1.30, nginx-backend-2 nginx:1.30',
    );
    const revisions = await list(REVISIONS);
    assert.deepEqual(
      revisions.map(({ children }) => children),
      [[{ apiGroup: '', kind: 'Pod', names: ['nginx-backend-2', 'nginx-backend-1', 'nginx-backend-0'] }]],
    );
    const [set] = await list(sets);
    assert.deepEqual(conditionsOf(set), ['Ready=True', 'Updated=True']);

    await example.replace(FILE, 'replicas: 3', 'replicas: 2');
    assert.equal(short(await apply()), '-2', 'replicas is not what a rollout follows: at once');
    assert.equal(await names(CLAIMS), 'data-nginx-backend-0 data-nginx-backend-1 data-nginx-backend-2', 'they stay');
    await example.replace(FILE, 'replicas: 2', 'replicas: 3');
    assert.equal(short(await apply()), '+2', 'the claim is still there');
    assert.deepEqual(await plan(), []);

    await createClient(target.transport).write({
      verb: 'delete',
      type: sets,
      fieldManager: 'someone',
      name: 'nginx-backend',
      namespace: example.namespace,
    });
    await rm(join(example.path, FILE));
    assert.equal(short(await apply()), '-2 -1 -0', 'torn down as it is scaled');
    assert.equal(await names(PODS), '');
    assert.equal(await names(sets), '');
    // The real test server has no controller that says when no pod uses a claim: there they wait for it, deleted.
    const areCollected = async (): Promise<boolean> => (await list(CLAIMS)).every(isDeleting);
    await until('its claims are collected with it', areCollected, COLLECTED_WITHIN_MS);
  });
});
