// watch on both servers, in this process: what is reported when files, hooks and the cluster change, and what is written.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringifyJson } from '../../kit/json.ts';
import { changesOfParent, type Plan } from '../../model/plan.ts';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';
import { testEnvironment } from '../../testing/use-cases.ts';
import { watchNodeFiles } from '../node-file-watch.ts';
import { runWatch } from './watch.ts';
import type { WatchOptions, WatchReport } from './watch-options.ts';

interface Watched {
  readonly bed: DaemonBed;
  readonly reports: WatchReport[];
  /** The next report of the kind, whether it has come or is to come. */
  next<K extends WatchReport['kind']>(kind: K): Promise<Extract<WatchReport, { kind: K }>>;
  stop(): ReturnType<typeof runWatch>;
}

const HOOK = (text: string): string => `
  const { names = [] } = request.parent.spec;
  return { children: names.map((name) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } }, data: { text: '${text}' },
  })) };
`;

async function watched(target: TestTarget, more: Partial<WatchOptions> = {}): Promise<Watched> {
  const bed = await daemonBed(target, 'watch', { hook: HOOK('1'), spec: { names: ['a'] } });
  const signal = new AbortController();
  const reports: WatchReport[] = [];
  const options: WatchOptions = {
    cluster: { kubeconfig: join(bed.project.path, 'kubeconfig') },
    ...{ paths: [bed.project.path], namespace: bed.namespace, concurrency: 8, allowLocalHooks: true },
    ...{ apply: false, allowContexts: [] },
    onReport: (report) => reports.push(report),
    watchFiles: (watching) => watchNodeFiles(watching, testEnvironment.clock),
    ...more,
  };
  const ended = runWatch(options, { ...testEnvironment, signal: signal.signal });
  const stop = (): ReturnType<typeof runWatch> => {
    signal.abort(new Error('stopped by the test'));
    return ended;
  };
  after(async () => {
    await stop();
    await bed.close();
  });
  let read = 0;
  const next = async <K extends WatchReport['kind']>(kind: K) => {
    let found: WatchReport | undefined;
    await until(`a report: ${kind}`, () => {
      while (read < reports.length && !found) {
        const report = reports[read++];
        if (report?.kind === kind) found = report;
      }
      return found !== undefined;
    });
    return found as Extract<WatchReport, { kind: K }>;
  };
  return { bed, reports, next, stop };
}

/** "Thing one: create a" of each parent. */
const summary = ({ parents }: Plan): string[] =>
  parents.map((plan) => {
    const changes = changesOfParent(plan).filter(({ wave }) => wave === 'children');
    return `${plan.parent.name}: ${changes.map(({ action, object }) => `${action} ${object.name}`).join(', ')}`;
  });

const writesOf = (calls: Record<string, number>): string[] =>
  Object.keys(calls).filter((name) => /^(create|update|patch|delete)/.test(name));

forEachTarget('watch', (target) => {
  test('plans again when a file, a hook or the cluster changes; writes nothing', async () => {
    const { bed, next, stop } = await watched(target);
    const first = await next('plan');
    assert.deepEqual([summary(first.plan), first.trigger.kind], [['one: create a'], 'start']);

    await bed.project.hook('const broken = (;');
    const broken = await next('plan');
    assert.deepEqual(broken.trigger, { kind: 'files', files: [join(bed.project.path, 'hook.mjs')] });
    const [problem] = broken.news.parents.flatMap(({ diagnostics }) => diagnostics);
    assert.deepEqual([problem?.code, problem?.source?.line], ['hook-failed', 2]);
    assert.match(problem?.source?.file ?? '', /hook\.mjs$/);

    await bed.project.hook(HOOK('2'));
    assert.match(stringifyJson((await next('plan')).news.parents as never), /"text":"2"/);

    await bed.project.parent({ names: ['a', 'b'] });
    assert.deepEqual(summary((await next('plan')).news), ['one: create a, create b']);

    await writeFile(join(bed.project.path, 'parent.json'), '{');
    const [syntax] = (await next('problem')).diagnostics;
    assert.deepEqual([syntax?.code, syntax?.source?.line], ['yaml-syntax', 1]);
    await bed.project.parent({ names: ['c'] });
    assert.deepEqual(summary((await next('plan')).news), ['one: create c']);

    await bed.crd();
    const served = await next('plan');
    assert.deepEqual(
      [served.trigger.kind, served.news.inputs.map(({ action, object }) => `${action} ${object.kind}`)],
      ['cluster', ['update CustomResourceDefinition']],
    );
    await bed.thing('two', { names: ['x'] });
    const moved = await next('plan');
    assert.deepEqual([summary(moved.news), moved.trigger.kind], [['two: create x'], 'cluster']);
    await bed.create(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'bystander', namespace: bed.namespace, labels: { app: 'other' } },
    });
    // Nothing of the plan moves with it.
    await sleep(600);
    // The dry run of the input that is there already.
    assert.deepEqual(writesOf(bed.counter.take()), ['patch customresourcedefinitions']);
    assert.deepEqual(await stop(), { status: 'stopped', diagnostics: [] });
  });

  test('--apply writes to contexts that are allowed, and follows files and the cluster', async () => {
    const { bed, next, stop } = await watched(target, { apply: true, allowContexts: ['metactl-sandbox'] });
    await until('the child is there', async () => (await bed.maps()) === 'a');
    await next('standing');
    const text = async (): Promise<unknown> =>
      ((await bed.client.get(CONFIG_MAPS, 'a', bed.namespace)) as { data?: { text?: string } } | undefined)?.data?.text;
    await bed.project.hook(HOOK('2'));
    await until('the child follows the hook', async () => (await text()) === '2');
    const child = { name: 'a', namespace: bed.namespace };
    await bed.client.write({ verb: 'delete', type: CONFIG_MAPS, fieldManager: 'test', ...child });
    await until('it is there again', async () => (await text()) === '2');
    await bed.project.parent({ names: ['a', 'b'] });
    await until('the parent of the files is applied', async () => (await bed.maps()) === 'a b');
    assert.equal((await stop()).status, 'stopped');
  });

  test('--apply elsewhere: it says so, and writes nothing', async () => {
    const { bed, next, stop } = await watched(target, { apply: true });
    await next('only-plans');
    await next('plan');
    await stop();
    assert.deepEqual(writesOf(bed.counter.take()), []);
  });
});
