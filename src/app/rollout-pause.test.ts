// What holds up a rollout and what gets it going again, changes in the middle of one, and definitions and hooks that are
// wrong: on both servers.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import { changesOf } from '../model/plan.ts';
import { countingFront } from '../testing/counting-front.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { type RolloutOptions, RolloutProject } from '../testing/rollout-project.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';
import { WriteLog } from '../testing/write-log.ts';

interface Stage extends UseCases {
  readonly project: RolloutProject;
  readonly log: WriteLog;
  /** As far as it goes without waiting for anybody. */
  proceed(): Promise<void>;
}

async function stage(target: TestTarget, options: Partial<RolloutOptions> = {}): Promise<Stage> {
  const project = await RolloutProject.create(target, { method: 'RollingInPlace', names: ['a', 'b', 'c'], ...options });
  after(() => project.remove());
  const kubeconfig = join(project.path, 'kubeconfig');
  const log = new WriteLog();
  const front = await countingFront(log.over(target.transport), kubeconfig, () => undefined);
  after(() => front.close());
  const cases = useCases({ cluster: { kubeconfig }, paths: [project.path] });
  const proceed = async (): Promise<void> => {
    const { status, diagnostics } = await cases.apply({ wait: false });
    assert.ok(status === 'settled' || status === 'nothing', JSON.stringify(diagnostics));
  };
  return { ...cases, project, log, proceed };
}

const ready = (status: string, observedGeneration?: number): JsonObject => ({
  conditions: [{ type: 'Ready', status }],
  ...(observedGeneration === undefined ? {} : { observedGeneration }),
});
const READY = [{ type: 'Ready', status: 'True' }];

forEachTarget('a rollout', (target) => {
  test('pauses for generations that are not seen yet and for checks that fail, and goes on when they are put right', async () => {
    const { project, proceed } = await stage(target, { statusChecks: READY });
    await proceed();
    for (const name of ['a', 'b', 'c']) await project.setStatus(name, ready('True', 1));
    await project.parent({ image: '2' });
    const paused = async (message: string): Promise<void> => {
      await proceed();
      assert.equal(await project.updated(), `False RolloutWaiting child Part a ${message}`);
      assert.equal(await project.images(), 'a@2 b@1 c@1');
    };
    await paused('was seen by its controller at generation 1 only, and is at 2');
    await project.setStatus('a', ready('False', 2));
    await paused('fails a status check: condition Ready has status "False", not "True"');
    await project.setStatus('a', ready('True', 2));
    await proceed();
    assert.equal(await project.images(), 'a@2 b@2 c@1');
    await project.setStatus('b', ready('True', 2));
    await proceed();
    assert.equal(await project.images(), 'a@2 b@2 c@2');
    assert.match(await project.updated(), /^True OnLatestRevision/);
  });

  test('of children that nobody gives a status waits, says for what, and goes on in the same run when it comes', async () => {
    const { project, apply } = await stage(target, {
      method: 'RollingRecreate',
      names: ['a', 'b'],
      statusChecks: READY,
    });
    assert.equal((await apply()).status, 'settled');
    await project.parent({ image: '2' });
    const why = 'fails a status check: it has no condition Ready';
    const late = await apply({ timeoutMs: 2_000 });
    assert.equal(late.status, 'unsettled');
    assert.deepEqual(
      late.waitingOn.map(({ ref, reason }) => `${ref.name}: ${reason}`),
      [`a: it holds up the rollout: it ${why}`],
    );
    assert.equal(await project.updated(), `False RolloutWaiting child Part a ${why}`);
    const running = apply();
    await project.setStatus('a', ready('True'));
    // b is the last: nothing waits for it.
    assert.equal((await running).status, 'settled');
    assert.equal(await project.images(), 'a@2 b@2');
  });

  test('goes on to the newest when the parent changes in the middle, and back when it is rolled back', async () => {
    const { project, proceed, log } = await stage(target, { statusChecks: READY });
    await proceed();
    for (const name of ['a', 'b', 'c']) await project.setStatus(name, ready('True', 1));
    await project.parent({ image: '2' });
    await proceed();
    assert.equal(await project.images(), 'a@2 b@1 c@1');
    assert.equal((await project.revisions()).length, 2);
    await project.parent({ image: '3' });
    await proceed();
    assert.equal(await project.images(), 'a@3 b@1 c@1');
    assert.equal((await project.revisions()).length, 2);
    await project.parent({ image: '1' });
    log.take();
    await project.setStatus('a', ready('True', 4));
    await proceed();
    assert.equal(await project.images(), 'a@1 b@1 c@1');
    assert.equal((await project.revisions()).length, 1);
    assert.equal(
      log
        .take()
        .filter((line) => line.includes('parts'))
        .join(),
      'PUT parts a',
    );
  });

  test('a child that is deleted comes back at its revision, a new one at the latest', async () => {
    const { project, proceed } = await stage(target, { statusChecks: READY });
    await proceed();
    await project.parent({ image: '2', names: ['a', 'b', 'new', 'c'] });
    await proceed();
    assert.equal(await project.images(), 'a@1 b@1 c@1 new@2');
    assert.equal(
      await project.updated(),
      'False RolloutWaiting child Part new fails a status check: it has no condition Ready',
    );
    await project.client.write({
      verb: 'delete',
      type: project.type('Part'),
      fieldManager: 'someone',
      name: 'b',
      namespace: project.namespace,
    });
    await proceed();
    assert.equal(await project.images(), 'a@1 b@1 c@1 new@2');
  });

  test('of a cluster-scoped parent finishes too; its revisions are where the definition says', async () => {
    const { project, apply } = await stage(target, { clusterScoped: true });
    assert.equal((await apply()).status, 'settled');
    await project.parent({ image: '2' });
    const applied = await apply();
    assert.equal(applied.status, 'settled', JSON.stringify(applied.diagnostics));
    assert.equal(await project.images(), 'a@2 b@2 c@2');
    const [revision, ...others] = await project.revisions();
    assert.deepEqual(others, []);
    assert.deepEqual(revision?.['children'], [
      { apiGroup: project.group, kind: 'Part', names: ['a', 'b', 'c'].map((name) => `${project.namespace}/${name}`) },
    ]);
    assert.equal(revision?.metadata.ownerReferences?.[0]?.uid, (await project.thing())?.metadata.uid);
  });

  test('with two children of one name writes nothing, and goes on when the hook is put right', async () => {
    const { project, apply, log } = await stage(target);
    assert.equal((await apply()).status, 'settled');
    await project.parent({ image: '2', names: ['a', 'b', 'b'] });
    log.take();
    const { status, diagnostics } = await apply();
    assert.equal(status, 'failed');
    assert.ok(
      diagnostics.some(({ code, summary }) => code === 'answer-duplicate' && /children\[2\] is Part/.test(summary)),
    );
    assert.deepEqual(
      log.take().filter((line) => !line.endsWith('things one')),
      [],
    );
    await project.parent({ image: '2', names: ['a', 'b'] });
    assert.equal((await apply()).status, 'settled');
    assert.equal(await project.images(), 'a@2 b@2');
  });

  test('that follows a field which does not exist is told the one that is meant', async () => {
    const { project, plan } = await stage(target, { fieldPaths: ['spec.imge'] });
    const { plan: made } = await plan();
    const warnings = made?.parents.flatMap(({ diagnostics }) => diagnostics) ?? [];
    assert.deepEqual(
      warnings.map(({ severity, code, hint }) => [severity, code, hint]),
      [['warning', 'ineffective', 'Did you mean spec.image?']],
    );
    assert.match(warnings[0]?.summary ?? '', new RegExp(`Thing ${project.namespace}/one has no field spec.imge`));
  });

  test('is planned with what moves and what is recorded first', async () => {
    const { project, apply, plan } = await stage(target);
    await apply();
    await project.parent({ image: '2' });
    const { plan: made } = await plan();
    assert.ok(made);
    assert.deepEqual(
      changesOf(made)
        .filter(({ wave }) => wave === 'revision' || wave === 'children')
        .map(({ wave, action, object, reasons, note }) => [wave, action, object.kind, reasons.join(), note]),
      [
        ['revision', 'create', 'ControllerRevision', 'revision_change', undefined],
        ['revision', 'update', 'ControllerRevision', 'revision_change', 'Part a goes from it'],
        ['children', 'update', 'Part', 'revision_change', undefined],
      ],
    );
    assert.equal(made.parents[0]?.hookCalls.length, 2);
  });
});

test('where the record of rollouts is not served, plan says which file to add', async () => {
  const hook = 'return { children: [] };';
  const project = await ProjectDirectory.create({
    group: 'x.example.com',
    namespace: 'default',
    hook,
    method: 'RollingInPlace',
  });
  after(() => project.remove());
  const { plan } = useCases({ cluster: { sandbox: true }, paths: [project.path] });
  assert.deepEqual(
    (await plan()).diagnostics.map(({ code, summary, hint }) => [code, summary, hint]),
    [
      [
        'unknown-resource',
        'CompositeController/things: rolling updates are recorded in controllerrevisions of metacontroller.k8s.io/v1alpha1, which the server does not serve',
        'Add deploy/crds/controllerrevisions.yaml to the files: -f deploy/crds/controllerrevisions.yaml',
      ],
    ],
  );
});
