// What labelling many objects costs: one write and one call of the hook each, and nothing when they are as they should be.

import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import { mapLimited } from '../kit/concurrency.ts';
import type { KubeObject } from '../model/object.ts';
import { callCounter } from '../testing/call-counter.ts';
import { DecoratorProject } from '../testing/decorator-project.ts';
import { PODS } from '../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { useCases } from '../testing/use-cases.ts';

const podCalled = (name: string, namespace: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, labels: { app: 'web' } },
  // Nobody's: who sets the status meanwhile would make a write of ours a conflict, and then two.
  spec: {
    schedulerName: 'nobody',
    containers: [{ name: 'web', image: 'example.com/web:1' }],
    terminationGracePeriodSeconds: 0,
  },
});

async function makePods(client: ClusterClient, namespace: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `web-${index}`);
  await mapLimited(names, 16, (name) =>
    client.write({ verb: 'create', type: PODS, fieldManager: 'someone', object: podCalled(name, namespace) }),
  );
}

const NOBODY_RUNS_PODS = { sandbox: { controllers: false } } as const;

forEachTarget('a decorator of many', tests, NOBODY_RUNS_PODS);

function tests(target: TestTarget): void {
  // 2,000 of them are `npm run bench -- decorate`.
  const count = 200;
  test(`${count} pods are labelled with their name: one write each, one call each; a second run has neither`, async () => {
    const namespace = await target.namespace();
    const client = createClient(target.transport);
    await makePods(client, namespace, count);
    const labelSelector = { matchLabels: { app: 'web' } };
    const project = await DecoratorProject.create({
      name: `pod-name-label-${namespace}`,
      // What else happens to a pod meanwhile is no reason to look at it.
      resources: [{ apiVersion: 'v1', resource: 'pods', labelSelector, ignoreStatusChanges: true }],
      hooks: {
        sync: `if (!context.dryRun) note(request.object.metadata.name);
          return { labels: { 'pod-name': request.object.metadata.name } };`,
      },
    });
    const kubeconfig = join(project.path, 'kubeconfig');
    const counter = await callCounter(target.transport, kubeconfig);
    after(() => counter.close());
    const paths = [join(project.path, 'decorator.json')];
    const { apply } = useCases({ cluster: { kubeconfig }, paths, namespace });
    const first = await apply({ wait: false, timeoutMs: 300_000 });
    assert.equal(first.status, 'settled', JSON.stringify(first.diagnostics.slice(0, 3)));
    assert.equal(counter.take()['update pods'], count);
    const asked = (await readFile(project.log, 'utf8')).trim().split('\n');
    assert.deepEqual([asked.length, new Set(asked).size], [count, count]);
    const { items } = await client.list(PODS, { namespace });
    assert.ok(items.every(({ metadata }) => metadata.labels?.['pod-name'] === metadata.name));

    await rm(project.log);
    const second = await apply({ wait: false });
    assert.equal(second.status, 'nothing');
    assert.equal(counter.take()['update pods'], undefined);
    assert.equal(await readFile(project.log, 'utf8').catch(() => ''), '');
  });
}
