import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { JsonObject, MapRequest, MapResponse, PersistentVolumeClaim, TombstoneResponse } from 'metactl';
import { makeTypes } from '../../src/app/index.ts';
import { HookBench } from '../../src/testing/hook-bench.ts';
import { hookCall, moduleHook } from '../../src/testing/hook-calls.ts';
import { testEnvironment } from '../../src/testing/use-cases.ts';
import { map, tombstone } from './schedule.ts';
import type { SnapshotSchedule, VolumeSnapshot } from './types.ts';

const GROUP = 'VolumeSnapshot.snapshot.storage.k8s.io/v1';
const NOON = '2026-01-10T12:00:00.000Z';
const controller = { apiVersion: 'metacontroller.k8s.io/v1alpha1', kind: 'MapController', metadata: {} };

interface Given {
  readonly now?: string;
  /** When the snapshots were made; each has the name of that time. */
  readonly made?: readonly string[];
  /** Its claim is being deleted. */
  readonly going?: boolean;
  readonly spec?: { readonly snapshotInterval: string; readonly snapshotTTL: string };
}

const nameAt = (time: string): string =>
  `data-${time.slice(0, 16).replaceAll('-', '').replace('T', '-').replace(':', '')}`;

type Request = MapRequest<SnapshotSchedule, PersistentVolumeClaim, VolumeSnapshot>;

function request({ made = [], going = false, spec = { snapshotInterval: '6h', snapshotTTL: '2d' } }: Given): Request {
  const snapshot = (time: string): VolumeSnapshot => ({
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: { name: nameAt(time), namespace: 'default', creationTimestamp: time },
    spec: { source: {} },
  });
  return {
    controller,
    parent: { apiVersion: 'examples.metacontroller.io/v1', kind: 'SnapshotSchedule', metadata: { name: 'one' }, spec },
    mapKey: 'a key',
    input: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', ...(going ? { deletionTimestamp: NOON } : {}) },
    },
    outputs: { [GROUP]: Object.fromEntries(made.map((time) => [nameAt(time), snapshot(time)])) },
    related: {},
  };
}

const context = (now = NOON) => ({ dryRun: true, now });
const names = ({
  outputs,
}: MapResponse | MapResponse<VolumeSnapshot> | TombstoneResponse<VolumeSnapshot> = {}): (string | undefined)[] =>
  (outputs ?? []).map(({ metadata }) => metadata.name?.replace('data-', ''));

describe('the snapshots of a claim', () => {
  const cases: { name: string; given: Given; want: string[]; again: number }[] = [
    { name: 'the first one', given: {}, want: ['20260110-1200'], again: 6 * 3600 },
    {
      name: 'named by the beginning of the interval, so that a late one is the same one',
      given: { now: '2026-01-10T17:59:30.500Z' },
      want: ['20260110-1200'],
      again: 30,
    },
    {
      name: 'one that is there is enough',
      given: { made: ['2026-01-10T12:00:00Z'] },
      want: ['20260110-1200'],
      again: 6 * 3600,
    },
    {
      name: 'those that were missed are not made up for',
      given: { made: ['2026-01-09T06:00:00Z'] },
      want: ['20260109-0600', '20260110-1200'],
      again: 6 * 3600,
    },
    {
      name: 'one whose time is over goes',
      given: { made: ['2026-01-08T12:00:00Z', '2026-01-08T18:00:00Z', '2026-01-10T12:00:00Z'] },
      want: ['20260108-1800', '20260110-1200'],
      again: 6 * 3600,
    },
    {
      name: 'asked again when the oldest goes, where that is sooner',
      given: { made: ['2026-01-08T12:00:10Z', '2026-01-10T12:00:00Z'] },
      want: ['20260108-1200', '20260110-1200'],
      again: 10,
    },
    {
      name: 'a claim that is being deleted gets no new ones',
      given: { going: true, made: ['2026-01-10T06:00:00Z'] },
      want: ['20260110-0600'],
      again: 6 * 3600,
    },
    {
      name: 'minutes and days',
      given: { now: '2026-01-10T12:44:00Z', spec: { snapshotInterval: '15m', snapshotTTL: '10d' } },
      want: ['20260110-1230'],
      again: 60,
    },
  ];
  for (const { name, given, want, again } of cases)
    test(name, async () => {
      const answer = await map(request(given), context(given.now));
      assert.deepEqual(names(answer), want);
      assert.equal(answer.resyncAfterSeconds, again);
    });
});

describe('snapshots whose claim is gone', () => {
  test('stay until their time is over', async () => {
    const given = { made: ['2026-01-08T12:00:00Z', '2026-01-08T13:00:00Z', '2026-01-10T12:00:00Z'] };
    const answer = await tombstone?.(request(given), context());
    assert.deepEqual(names(answer), ['20260108-1300', '20260110-1200']);
    assert.equal(answer?.resyncAfterSeconds, 3600);
  });

  test('the last one goes', async () => {
    assert.deepEqual(await tombstone?.(request({ made: ['2026-01-01T12:00:00Z'] }), context()), { outputs: [] });
  });
});

test('as metactl calls it, at the time of its clock', async (t) => {
  const bench = new HookBench(t);
  const hook = moduleHook(`${import.meta.dirname}/schedule.ts`, { export: 'map' });
  const body = await bench.body(hookCall(hook, { request: structuredClone(request({})) as unknown as JsonObject }));
  assert.deepEqual(names(body as MapResponse), ['20260101-0000']);
});

test('types.ts is what metactl makes of the CRDs', async () => {
  const paths = ['crd.yaml', 'volumesnapshots-crd.yaml'].map((file) => `${import.meta.dirname}/${file}`);
  const { text } = await makeTypes({ paths }, testEnvironment);
  assert.equal(text, await readFile(`${import.meta.dirname}/types.ts`, 'utf8'));
});
