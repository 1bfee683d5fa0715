// kill -9 after every single write of a rollout and of a rollback in the middle of one, then a run that knows nothing of it:
// the same end state, no child changed twice, no more than one at a time, no revision lost or left over. On both servers.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Transport } from '../ports/transport.ts';
import { countingFront } from '../testing/counting-front.ts';
import { applyUntil } from '../testing/killed-apply.ts';
import { RolloutProject } from '../testing/rollout-project.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { useCases } from '../testing/use-cases.ts';
import { WriteLog } from '../testing/write-log.ts';

type Method = 'RollingInPlace' | 'RollingRecreate';

interface Phase {
  readonly name: string;
  readonly method: Method;
  readonly applyMode?: 'server-side';
  /** What is applied before, without a crash; the second is stopped by a check after its first child. */
  readonly before: readonly string[];
  readonly image: string;
  /** Children that are changed. */
  readonly moved: readonly string[];
}

const NAMES = ['b', 'a'];
const PHASES: readonly Phase[] = [
  { name: 'a rollout in place', method: 'RollingInPlace', before: ['1'], image: '2', moved: ['b', 'a'] },
  { name: 'a rollout by recreation', method: 'RollingRecreate', before: ['1'], image: '2', moved: ['b', 'a'] },
  {
    name: 'a rollout in place, server-side',
    method: 'RollingInPlace',
    applyMode: 'server-side',
    before: ['1'],
    image: '2',
    moved: ['b', 'a'],
  },
  { name: 'a rollback in the middle of one', method: 'RollingInPlace', before: ['1', '2'], image: '1', moved: ['b'] },
  {
    name: 'another change in the middle of one',
    method: 'RollingInPlace',
    before: ['1', '2'],
    image: '3',
    moved: ['b', 'a'],
  },
];

interface Prepared {
  readonly project: RolloutProject;
  readonly log: WriteLog;
  readonly transport: Transport;
}

async function prepare(target: TestTarget, { method, applyMode, before, image }: Phase): Promise<Prepared> {
  // Only a generation that was reported and is behind holds up the rollout.
  const project = await RolloutProject.create(target, {
    ...{ method, names: NAMES },
    ...(applyMode ? { applyMode } : {}),
  });
  after(() => project.remove());
  const { apply } = useCases({ cluster: target.choice, paths: [project.path] });
  for (const [index, earlier] of before.entries()) {
    await project.parent({ image: earlier });
    assert.equal((await apply({ wait: false })).status, 'settled');
    if (index === 0 && before.length > 1) await project.setStatus('b', { observedGeneration: 1 });
  }
  if (before.length > 1) {
    assert.equal(await project.images(), 'a@1 b@2');
    await project.setStatus('b', { observedGeneration: null });
  }
  await project.parent({ image });
  const log = new WriteLog();
  return { project, log, transport: log.over(target.transport) };
}

/** What is known stands in the cluster alone: another process would know no more. */
async function goOn({ project, transport }: Prepared): Promise<void> {
  const kubeconfig = join(project.path, 'kubeconfig');
  const front = await countingFront(transport, kubeconfig, () => undefined);
  try {
    const { status, diagnostics } = await useCases({ cluster: { kubeconfig }, paths: [project.path] }).apply();
    assert.ok(status === 'settled' || status === 'nothing', JSON.stringify(diagnostics));
  } finally {
    await front.close();
  }
}

async function check({ project, log }: Prepared, phase: Phase, point: number): Promise<void> {
  const where = `${phase.name}, crash after write ${point}`;
  assert.equal(
    await project.images(),
    [...NAMES]
      .sort()
      .map((name) => `${name}@${phase.image}`)
      .join(' '),
    where,
  );
  const revisions = await project.revisions();
  assert.deepEqual(
    revisions.map(({ parentPatch, children }) => [parentPatch, children]),
    [
      [
        { spec: { image: phase.image } },
        [{ apiGroup: project.group, kind: 'Part', names: children(revisions[0]?.['children']) }],
      ],
    ],
    where,
  );
  assert.deepEqual(children(revisions[0]?.['children']).sort(), [...NAMES].sort(), where);
  assert.match(await project.updated(), /^True OnLatestRevision/, where);
  const update = phase.applyMode === 'server-side' ? 'PATCH' : 'PUT';
  const verb = phase.method === 'RollingInPlace' ? update : 'DELETE';
  const changed = log.take().filter((line) => line.startsWith(`${verb} parts `));
  assert.deepEqual(
    changed,
    phase.moved.map((name) => `${verb} parts ${name}`),
    where,
  );
}

const children = (field: unknown): string[] => [...((field as [{ names: string[] }] | undefined)?.[0]?.names ?? [])];

forEachTarget('a crash at every write of', (target) => {
  for (const phase of PHASES)
    test(`${phase.name}`, async () => {
      const whole = await prepare(target, phase);
      const { log } = await applyUntil(whole.transport, whole.project.path);
      await check(whole, phase, 0);
      assert.ok(log.length > 3, log.join('\n'));
      for (let point = 1; point <= log.length; point++) {
        const prepared = await prepare(target, phase);
        const { killed } = await applyUntil(prepared.transport, prepared.project.path, point);
        if (killed) await goOn(prepared);
        await check(prepared, phase, point);
      }
    });
});
