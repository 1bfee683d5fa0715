// Rolling updates to the end, on both servers and in both apply modes: every write and every hook call is in the expectation,
// and it is the same sequence on both. What holds one up and gets it going again, in both modes too.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { jsonEqual } from '../kit/json.ts';
import { changesOf } from '../model/plan.ts';
import { countingFront } from '../testing/counting-front.ts';
import { type RolloutOptions, RolloutProject } from '../testing/rollout-project.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { until } from '../testing/until.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';
import { WriteLog } from '../testing/write-log.ts';

const TEN = ['c', 'a', 'b', 'j', 'i', 'h', 'g', 'f', 'e', 'd'];

interface Stage extends UseCases {
  readonly project: RolloutProject;
  /** Writes since the last time, those of the files themselves aside. */
  written(): string[];
  /** Children whose update was tried, since the last time. */
  dryRuns(): string[];
  /** Children that report Ready=False; all others report True. Nobody reports anything before this is set. */
  sick?: ReadonlySet<string>;
  /** Reports what is not reported yet. */
  report(): Promise<void>;
}

async function stage(target: TestTarget, options: RolloutOptions): Promise<Stage> {
  const project = await RolloutProject.create(target, options);
  after(() => project.remove());
  const kubeconfig = join(project.path, 'kubeconfig');
  const log = new WriteLog();
  const front = await countingFront(log.over(target.transport), kubeconfig, () => staged.report());
  after(() => front.close());
  const staged: Stage = {
    ...useCases({ cluster: { kubeconfig }, paths: [project.path] }),
    project,
    written: () => log.take().filter((line) => !line.endsWith(' things one')),
    dryRuns: () => log.takeDryRuns().filter((line) => line.includes(' parts ')),
    report: async () => {
      for (const part of staged.sick ? await project.parts() : []) {
        const { name = '', generation = 0 } = part.metadata;
        const status = {
          observedGeneration: generation,
          conditions: [{ type: 'Ready', status: staged.sick?.has(name) ? 'False' : 'True' }],
        };
        if (!jsonEqual(part['status'], status)) await project.setStatus(name, status);
      }
    },
  };
  return staged;
}

type Method = 'RollingInPlace' | 'RollingRecreate';
type Mode = 'dynamic' | 'server-side';

/** Server-side apply creates and updates with the same request. */
const VERBS: Readonly<Record<Mode, { readonly create: string; readonly update: string }>> = {
  dynamic: { create: 'POST', update: 'PUT' },
  'server-side': { create: 'PATCH', update: 'PATCH' },
};

/** One child's turn: on record first, then the child, then the status. The older revision goes with its last child. */
function turnOf(name: string, index: number, { method, mode }: { method: Method; mode: Mode }): string[] {
  const { create, update } = VERBS[mode];
  const first = index === 0;
  const last = index === TEN.length - 1;
  const child = method === 'RollingInPlace' ? [`${update} parts ${name}`] : [`DELETE parts ${name}`];
  const again = method === 'RollingInPlace' ? [] : [`${create} parts ${name}`, 'PUT things one status'];
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

/** What would become of each child at the latest revision, once: the run goes on with what was asked for the plan. */
const DRY_RUNS: Readonly<Record<Mode, number>> = { dynamic: 0, 'server-side': 10 };

forEachTarget('rollout', (target) => {
  const cases = (['dynamic', 'server-side'] as const).flatMap((mode) =>
    (['RollingInPlace', 'RollingRecreate'] as const).map((method) => ({ method, mode })),
  );
  for (const { method, mode } of cases) {
    test(`${method} of ten children to the end, ${mode}`, async () => {
      const { project, apply, plan, written, dryRuns } = await stage(target, { method, names: TEN, applyMode: mode });
      assert.equal((await apply()).status, 'settled');
      const parts = TEN.map((name) => `${VERBS[mode].create} parts ${name}`);
      assert.deepEqual(written().sort(), ['POST controllerrevisions 1', ...parts, 'PUT things one status'].sort());
      assert.equal(await project.hookCalls(), 3);

      // Until the real server publishes the schema of a new kind each comparison is a dry run of its own.
      const part = project.type('Part');
      await until('Part has a schema', async () => (await project.client.schemaOf(part)) !== undefined);
      dryRuns();
      await project.parent({ image: '2' });
      const applied = await apply();
      assert.equal(applied.status, 'settled', JSON.stringify([applied.diagnostics, applied.waitingOn]));
      const turns = TEN.flatMap((name, index) => turnOf(name, index, { method, mode }));
      // In place the last child's turn ends with "updating d"; that it is done is seen in the round after it.
      const end = method === 'RollingInPlace' ? ['PUT things one status'] : [];
      assert.deepEqual(written(), [...turns, ...end]);
      assert.equal(await project.hookCalls(), CALLS[method]);
      assert.equal(dryRuns().length, DRY_RUNS[mode]);
      assert.equal(await project.images(), imagesAt('2'));
      assert.match(await project.updated(), /^True OnLatestRevision latest ControllerRevision: things\./);
      assert.equal((await project.revisions()).length, 1);

      assert.deepEqual(changesOf((await plan()).plan ?? assert.fail()), []);
      assert.equal((await apply()).status, 'nothing');
      assert.deepEqual(written(), []);
    });

    test(`${method}, ${mode}: a check that fails pauses it at that child, and it goes on when that is put right`, async () => {
      const statusChecks = [{ type: 'Ready', status: 'True' }];
      const staged = await stage(target, { method, names: TEN, applyMode: mode, statusChecks });
      const { project, apply, written } = staged;
      staged.sick = new Set();
      assert.equal((await apply()).status, 'settled');
      await project.parent({ image: '2' });
      staged.sick = new Set(['b']);
      written();
      const paused = await apply({ wait: false });
      assert.equal(paused.status, 'settled', JSON.stringify(paused.diagnostics));
      const why = 'fails a status check: condition Ready has status "False", not "True"';
      assert.equal(await project.updated(), `False RolloutWaiting child Part b ${why}`);
      assert.equal(await project.images(), imagesAt('1', new Set(['c', 'a', 'b'])));
      staged.sick = new Set();
      await staged.report();
      assert.equal((await apply()).status, 'settled');
      assert.equal(await project.images(), imagesAt('2'));
      const verb = method === 'RollingInPlace' ? VERBS[mode].update : 'DELETE';
      const moved = written().filter((line) => line.startsWith(`${verb} parts`));
      assert.deepEqual(
        moved,
        TEN.map((name) => `${verb} parts ${name}`),
      );
    });
  }
});

const imagesAt = (image: string, newer: ReadonlySet<string> = new Set()): string =>
  [...TEN]
    .sort()
    .map((name) => `${name}@${newer.has(name) ? '2' : image}`)
    .join(' ');
