// Random edits, the same for both servers: which objects, with what, is drawn once. Each round's edits are of different
// objects, so that the order in which controllers see them makes no difference to where they end.

import type { JsonObject } from '../../kit/json.ts';
import { pick } from '../random-json.ts';
import { configMap, job, workload } from './objects.ts';
import type { ScenarioStep } from './scenario.ts';
import { ask, type CollectionPath, listOf, patch, pathIn, type Side } from './side.ts';

type Random = () => number;
type Act = (side: Side) => Promise<unknown>;
interface Edit {
  /** "scale d1 to 3" */
  readonly name: string;
  readonly act: Act;
}
type Draw = (random: Random) => Edit;

const KINDS = {
  Deployment: 'apis/apps/v1/deployments',
  StatefulSet: 'apis/apps/v1/statefulsets',
  DaemonSet: 'apis/apps/v1/daemonsets',
} as const satisfies Record<string, CollectionPath>;
const JOBS = 'apis/batch/v1/jobs';
const CONFIG_MAPS = 'api/v1/configmaps';
const PODS = 'api/v1/pods';
const POLICIES = ['Background', 'Foreground', 'Orphan'];
const NOT_THERE = [404];

/** Targets of workload edits: name to kind. */
const WORKLOADS = {
  d1: 'Deployment',
  d2: 'Deployment',
  d3: 'Deployment',
  s1: 'StatefulSet',
  ds1: 'DaemonSet',
} as const;
type Name = keyof typeof WORKLOADS;

const whole = (random: Random, upTo: number): number => Math.floor(random() * (upTo + 1));

function drawWorkload(random: Random, name: Name): Edit {
  const kind = WORKLOADS[name];
  const collection = KINDS[kind];
  const chance = random();
  if (chance < 0.15) return deletion(collection, name, kind === 'Deployment' ? pick(random, POLICIES) : 'Background');
  if (chance < 0.35) return podDeletion(name, random() < 0.5);
  const counted = kind !== 'DaemonSet';
  const replicas = whole(random, 4);
  if (chance < 0.55 && counted) return scaling(collection, name, replicas);
  const image = `example.com/app:${1 + whole(random, 2)}`;
  const recreate = kind === 'Deployment' && name === 'd3' ? { strategy: { type: 'Recreate' } } : {};
  const object = workload(kind, name, { ...(counted ? { replicas } : {}), image, spec: recreate });
  return {
    name: `apply ${name} with ${image}${counted ? ` and ${replicas} replicas` : ''}`,
    act: (side) => patch(side, pathIn(side, collection, name), object, { type: 'apply' }),
  };
}

function drawJob(random: Random): Edit {
  const name = pick(random, ['j1', 'j2', 'j3']);
  if (random() < 0.4) return deletion(JOBS, name, 'Background');
  const completions = 1 + whole(random, 3);
  const object = job(name, { completions, parallelism: completions });
  return {
    name: `create ${name} with ${completions} completions`,
    act: (side) => ask(side, 'POST', pathIn(side, JOBS), { body: object, unless: [409] }),
  };
}

/** An owner with dependents, or the end of one. */
function drawOwner(random: Random): Edit {
  const name = pick(random, ['o1', 'o2']);
  if (random() < 0.5) return deletion(CONFIG_MAPS, name, pick(random, POLICIES));
  return {
    name: `${name} and its dependents`,
    act: async (side) => {
      const owner = await applied(side, configMap(name));
      const child = await applied(side, configMap(`${name}-child`, [{ ...owner, blockOwnerDeletion: true }]));
      await applied(side, configMap(`${name}-grandchild`, [child]));
    },
  };
}

async function applied(side: Side, object: JsonObject): Promise<JsonObject> {
  const { name } = object['metadata'] as { name: string };
  const made = await patch(side, pathIn(side, CONFIG_MAPS, name), object, { type: 'apply' });
  return { name, uid: (made['metadata'] as JsonObject)['uid'] };
}

const deletion = (collection: CollectionPath, name: string, propagationPolicy: string): Edit => ({
  name: `delete ${name} (${propagationPolicy})`,
  act: (side) =>
    ask(side, 'DELETE', pathIn(side, collection, name), { body: { propagationPolicy }, unless: NOT_THERE }),
});

const scaling = (collection: CollectionPath, name: string, replicas: number): Edit => ({
  name: `scale ${name} to ${replicas}`,
  act: (side) => {
    const path = `${pathIn(side, collection, name)}/scale?fieldManager=test`;
    const contentType = 'application/merge-patch+json';
    return ask(side, 'PATCH', path, { body: { spec: { replicas } }, contentType, unless: NOT_THERE });
  },
});

const podDeletion = (app: string, force: boolean): Edit => ({
  name: `delete a pod of ${app}${force ? ' without grace' : ''}`,
  act: async (side) => {
    const pods = await listOf(side, PODS);
    // The youngest has no name to be known by on both servers; that of a StatefulSet has.
    const found = pods.filter(({ metadata }) => metadata.labels?.['app'] === app).map(({ metadata }) => metadata.name);
    const name = found.sort()[0];
    if (name === undefined) return;
    const body = force ? { gracePeriodSeconds: 0 } : {};
    await ask(side, 'DELETE', pathIn(side, PODS, name), { body, unless: NOT_THERE });
  },
});

const ANYTHING: readonly Draw[] = [
  ...(Object.keys(WORKLOADS) as Name[]).map(
    (name): Draw =>
      (random) =>
        drawWorkload(random, name),
  ),
  drawOwner,
];

/** `jobs`: edits of Jobs too. A Job's pods that ran once too often stay, so a round in trouble has none of them. */
export function drawRound(random: Random, { jobs }: { readonly jobs: boolean }): ScenarioStep {
  const draws = (jobs ? [...ANYTHING, drawJob] : ANYTHING).filter(() => random() < 0.4);
  const edits = (draws.length > 0 ? draws : [pick(random, ANYTHING)]).map((draw) => draw(random));
  return {
    name: edits.map(({ name }) => name).join('; '),
    act: async (side) => {
      for (const { act } of edits) await act(side);
    },
  };
}
