// Rolling updates to the end, on both servers: every write and every hook call is in the expectation, and it is the same
// sequence on both.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { changesOf } from '../model/plan.ts';
import { countingFront } from '../testing/counting-front.ts';
import { type RolloutOptions, RolloutProject } from '../testing/rollout-project.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';
import { WriteLog } from '../testing/write-log.ts';

const TEN = ['c', 'a', 'b', 'j', 'i', 'h', 'g', 'f', 'e', 'd'];

interface Stage extends UseCases {
  readonly project: RolloutProject;
  readonly log: WriteLog;
}

async function stage(target: TestTarget, options: RolloutOptions): Promise<Stage> {
  const project = await RolloutProject.create(target, options);
  after(() => project.remove());
  const kubeconfig = join(project.path, 'kubeconfig');
  const log = new WriteLog();
  const front = await countingFront(log.over(target.transport), kubeconfig, () => undefined);
  after(() => front.close());
  return { ...useCases({ cluster: { kubeconfig }, paths: [project.path] }), project, log };
}

type Method = 'RollingInPlace' | 'RollingRecreate';

/** One child's turn: on record first, then the child, then the status. The older revision goes with its last child. */
function turnOf(name: string, index: number, method: Method): string[] {
  const first = index === 0;
  const last = index === TEN.length - 1;
  const child = method === 'RollingInPlace' ? [`PUT parts ${name}`] : [`DELETE parts ${name}`];
  const again = method === 'RollingInPlace' ? [] : [`POST parts ${name}`, 'PUT things one status'];
  return [
    first ? 'POST controllerrevisions 2' : 'PUT controllerrevisions 2',
    last ? 'DELETE controllerrevisions 1' : 'PUT controllerrevisions 1',
    ...child,
    'PUT things one status',
    ...again,
  ];
}

/**
 * The plan that is shown and each round ask about both revisions as long as a child is at the older one. A round that
 * wrote nothing but the status is followed by one more, as the hook is shown the status.
 */
const CALLS: Readonly<Record<Method, number>> = {
  RollingInPlace: 2 + 2 * 10 + 2,
  RollingRecreate: 2 + 2 * (10 + 9) + 2,
};

forEachTarget('rollout', (target) => {
  for (const method of ['RollingInPlace', 'RollingRecreate'] as const)
    test(`${method} of ten children to the end`, async () => {
      const { project, apply, plan, log } = await stage(target, { method, names: TEN });
      assert.equal((await apply()).status, 'settled');
      assert.deepEqual(log.take().sort(), [
        'POST controllerrevisions 1',
        ...[...TEN].sort().map((name) => `POST parts ${name}`),
        'POST things one',
        'PUT things one status',
      ]);
      assert.equal(await project.hookCalls(), 3);

      await project.parent({ image: '2' });
      const applied = await apply();
      assert.equal(applied.status, 'settled', JSON.stringify([applied.diagnostics, applied.waitingOn]));
      const turns = TEN.flatMap((name, index) => turnOf(name, index, method));
      // In place the last child's turn ends with "updating d"; that it is done is seen in the round after it.
      const end = method === 'RollingInPlace' ? ['PUT things one status'] : [];
      assert.deepEqual(log.take(), ['PUT things one', ...turns, ...end]);
      assert.equal(await project.hookCalls(), CALLS[method]);
      assert.equal(await project.images(), imagesAt('2'));
      assert.match(await project.updated(), /^True OnLatestRevision latest ControllerRevision: things\./);
      assert.equal((await project.revisions()).length, 1);

      assert.deepEqual(changesOf((await plan()).plan ?? assert.fail()), []);
      assert.equal((await apply()).status, 'nothing');
      assert.deepEqual(log.take(), []);
    });
});

const imagesAt = (image: string): string =>
  [...TEN]
    .sort()
    .map((name) => `${name}@${image}`)
    .join(' ');
