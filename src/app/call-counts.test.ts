// How often the API server and the hooks are asked, exactly: what a run costs must not grow unseen. Unchanged children cost
// nothing each, parents one hook call each, kinds one list each (in pages of 500), which apply gets from the
// watch that it opens anyway.

import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type CallCounter, callCounter } from '../testing/call-counter.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

const CHILDREN = 1000;

interface Stage extends UseCases {
  readonly counter: CallCounter;
  readonly paths: { readonly everything: string; readonly definition: string };
  /** Calls of the hook since the last time. */
  hookCalls(): Promise<number>;
}

async function stage(target: TestTarget, parents: number): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `call-counts-${parents}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, hook: '' });
  after(() => project.remove());
  const log = join(project.path, 'hook-calls.log');
  await project.hook(hookBody(log));
  await rm(join(project.path, 'parent.json'));
  const items = Array.from({ length: parents }, (_, index) => parentOf({ group, namespace, index, parents }));
  await project.write('parents.json', { apiVersion: 'v1', kind: 'List', items });
  const kubeconfig = join(project.path, 'kubeconfig');
  const counter = await callCounter(target.transport, kubeconfig);
  after(() => counter.close());
  const definition = join(project.path, 'controller.json');
  return {
    ...useCases({ cluster: { kubeconfig }, paths: [project.path], namespace }),
    counter,
    paths: { everything: project.path, definition },
    hookCalls: async () => {
      const calls = (await readFile(log, 'utf8')).length;
      await rm(log);
      return calls;
    },
  };
}

const hookBody = (log: string): string => `
  process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(log)}, '.');
  const { name } = request.parent.metadata;
  const children = Array.from({ length: request.parent.spec.children }, (_, index) => ({
    apiVersion: 'v1', kind: 'ConfigMap',
    metadata: { name: name + '-' + index, labels: { app: name } }, data: { index: String(index) },
  }));
  return { status: { children: children.length }, children };
`;

interface ParentPlace {
  readonly group: string;
  readonly namespace: string;
  readonly index: number;
  readonly parents: number;
}

function parentOf({ group, namespace, index, parents }: ParentPlace): object {
  const name = `thing-${index}`;
  const spec = { children: CHILDREN / parents, selector: { matchLabels: { app: name } } };
  return { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name, namespace }, spec };
}

forEachTarget('calls', (target) => {
  for (const parents of [1, 250])
    test(`${CHILDREN} children of ${parents}: plan, apply, and both again with nothing to do`, async () => {
      const { plan, apply, counter, paths, hookCalls } = await stage(target, parents);
      const definitionOnly = { paths: [paths.definition] };

      const applied = await apply();
      assert.equal(applied.status, 'settled', JSON.stringify(applied.diagnostics.slice(0, 3)));
      // The CRD aside: how often it is looked at depends on how long the server takes to serve it.
      const { 'get things': _inputs, ...calls } = counter.take();
      assert.deepEqual(
        Object.fromEntries(Object.entries(calls).filter(([name]) => / (configmaps|things)/.test(name))),
        {
          'create configmaps': CHILDREN,
          'patch things': parents, // inputs go by server-side apply
          'update things/status': parents,
          'watch configmaps': 1,
          'watch things': 1,
        },
      );
      // The plan that is shown, the first real one (UIDs are known now), and one that sees what was created.
      assert.equal(await hookCalls(), 3 * parents);

      const unchanged = await plan(definitionOnly);
      assert.equal(unchanged.plan?.parents.flatMap(({ steps }) => steps).length, 0);
      assert.deepEqual(counter.take(), {
        'get /api': 1,
        'get /apis': 1,
        'list configmaps': CHILDREN / 500,
        'list things': 1,
      });
      assert.equal(await hookCalls(), parents);

      assert.equal((await apply(definitionOnly)).status, 'nothing');
      assert.deepEqual(counter.take(), {
        'get /api': 1,
        'get /apis': 1,
        'watch configmaps': 1,
        'watch things': 1,
      });
      assert.equal(await hookCalls(), parents);
    });
});
