// What is done to both servers, step by step. After each step the controllers are waited for on both, and what they made
// is compared.

import { objectsAt, textAt } from '../../health/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { configMap, disruptionBudget, job, service, workload } from './objects.ts';
import { type CollectionPath, create, listOf, patch, pathIn, remove, type Side, type World } from './side.ts';

export interface ScenarioStep {
  readonly name: string;
  act(side: Side): Promise<unknown>;
  /** Beside what is always awaited: that this step has had its effect. */
  done?(world: World): boolean;
}

const DEPLOYMENTS = 'apis/apps/v1/deployments';
const REPLICA_SETS = 'apis/apps/v1/replicasets';
const STATEFUL_SETS = 'apis/apps/v1/statefulsets';
const DAEMON_SETS = 'apis/apps/v1/daemonsets';
const JOBS = 'apis/batch/v1/jobs';
const PODS = 'api/v1/pods';
const CONFIG_MAPS = 'api/v1/configmaps';

export const SCENARIO: readonly ScenarioStep[] = [
  {
    name: 'a Deployment with a Service and a PodDisruptionBudget',
    act: async (side) => {
      await create(side, 'api/v1/services', service('web'));
      await create(side, 'apis/policy/v1/poddisruptionbudgets', disruptionBudget('web'));
      await create(side, DEPLOYMENTS, workload('Deployment', 'web', { replicas: 3 }));
    },
    done: (world) => count(PODS, 3)(world) && endpointsOf(world) === 3,
  },
  { name: 'scaled up', act: scale(DEPLOYMENTS, 'web', 5), done: (world) => endpointsOf(world) === 5 },
  { name: 'scaled down', act: scale(DEPLOYMENTS, 'web', 2), done: (world) => endpointsOf(world) === 2 },
  { name: 'another image', act: image(DEPLOYMENTS, 'web', 2), done: count(REPLICA_SETS, 2) },
  { name: 'a third image', act: image(DEPLOYMENTS, 'web', 3), done: count(REPLICA_SETS, 3) },
  { name: 'rolled back to the first', act: image(DEPLOYMENTS, 'web', 1), done: count(REPLICA_SETS, 3) },
  {
    name: 'paused, then changed',
    act: async (side) => {
      await patch(side, pathIn(side, DEPLOYMENTS, 'web'), { spec: { paused: true } });
      await image(DEPLOYMENTS, 'web', 4)(side);
    },
  },
  {
    name: 'resumed',
    act: (side) => patch(side, pathIn(side, DEPLOYMENTS, 'web'), { spec: { paused: null } }),
    done: count(REPLICA_SETS, 4),
  },
  { name: 'a pod is deleted', act: (side) => removePod(side, 'web-') },
  { name: 'a pod is deleted without grace', act: (side) => removePod(side, 'web-', { gracePeriodSeconds: 0 }) },
  {
    name: 'a pod leaves its ReplicaSet',
    act: async (side) => {
      const name = await podOf(side, 'web-');
      await patch(side, pathIn(side, PODS, name), { metadata: { labels: { app: 'other' } } });
    },
    done: count(PODS, 3, 'web-'),
  },
  {
    name: 'a Deployment that recreates',
    act: (side) =>
      create(
        side,
        DEPLOYMENTS,
        workload('Deployment', 'all', {
          replicas: 2,
          spec: { strategy: { type: 'Recreate' }, revisionHistoryLimit: 0 },
        }),
      ),
    done: count(PODS, 2, 'all-'),
  },
  { name: 'recreated', act: image(DEPLOYMENTS, 'all', 2), done: count(REPLICA_SETS, 1, 'all-') },
  {
    name: 'a StatefulSet',
    act: async (side) => {
      await create(side, 'api/v1/services', service('db'));
      await create(side, STATEFUL_SETS, workload('StatefulSet', 'db', { replicas: 3, spec: { serviceName: 'db' } }));
    },
    done: count(PODS, 3, 'db-'),
  },
  {
    name: 'updated in part',
    act: async (side) => {
      const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } };
      await patch(side, pathIn(side, STATEFUL_SETS, 'db'), { spec: { updateStrategy } });
      await image(STATEFUL_SETS, 'db', 2)(side);
    },
    done: (world) => count('apis/apps/v1/controllerrevisions', 2, 'db-')(world) && imagesOf(world, 'db-') === '1,1,2',
  },
  {
    name: 'updated to the end',
    act: (side) =>
      patch(side, pathIn(side, STATEFUL_SETS, 'db'), { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } }),
    done: (world) => imagesOf(world, 'db-') === '2,2,2',
  },
  { name: 'StatefulSet scaled down', act: scale(STATEFUL_SETS, 'db', 1), done: count(PODS, 1, 'db-') },
  {
    name: 'a DaemonSet',
    act: (side) => create(side, DAEMON_SETS, workload('DaemonSet', 'agent')),
    done: count(PODS, 1, 'agent-'),
  },
  {
    name: 'DaemonSet updated',
    act: image(DAEMON_SETS, 'agent', 2),
    done: (world) => imagesOf(world, 'agent-') === '2',
  },
  {
    name: 'a Job of three, two at a time',
    act: (side) => create(side, JOBS, job('sum', { completions: 3, parallelism: 2 })),
    done: count(PODS, 3, 'sum-'),
  },
  {
    name: 'an indexed Job',
    act: (side) => create(side, JOBS, job('part', { completions: 2, parallelism: 2, completionMode: 'Indexed' })),
    done: count(PODS, 2, 'part-'),
  },
  { name: 'a suspended Job', act: (side) => create(side, JOBS, job('later', { suspend: true })) },
  {
    name: 'resumed Job',
    act: (side) => patch(side, pathIn(side, JOBS, 'later'), { spec: { suspend: false } }),
    done: count(PODS, 1, 'later-'),
  },
  {
    name: 'a Job that goes when it has finished',
    act: (side) => create(side, JOBS, job('brief', { ttlSecondsAfterFinished: 1 })),
    done: (world) => count(JOBS, 0, 'brief')(world) && count(PODS, 0, 'brief-')(world),
  },
  { name: 'a Job deleted in the background', act: removal(JOBS, 'sum', 'Background'), done: count(PODS, 0, 'sum-') },
  {
    name: 'a Deployment deleted, its ReplicaSets orphaned',
    act: removal(DEPLOYMENTS, 'web', 'Orphan'),
    done: (world) => count(DEPLOYMENTS, 0, 'web')(world) && count(REPLICA_SETS, 4, 'web-')(world),
  },
  {
    name: 'and adopted by another of its name',
    act: (side) =>
      create(side, DEPLOYMENTS, workload('Deployment', 'web', { replicas: 2, image: 'example.com/app:4' })),
    done: (world) => world[REPLICA_SETS].every(({ metadata }) => (metadata.ownerReferences ?? []).length === 1),
  },
  {
    name: 'a Deployment deleted in the foreground',
    act: removal(DEPLOYMENTS, 'web', 'Foreground'),
    done: (world) => count(REPLICA_SETS, 0, 'web-')(world) && count(PODS, 1, 'web-')(world),
  },
  { name: 'a StatefulSet deleted', act: removal(STATEFUL_SETS, 'db', 'Background'), done: count(PODS, 0, 'db-') },
  {
    name: 'owners, and their dependents of two generations',
    act: async (side) => {
      const first = await owner(side, 'first', []);
      const second = await owner(side, 'second', []);
      const both = await owner(side, 'of-both', [first, second]);
      await owner(side, 'of-first', [{ ...first, blockOwnerDeletion: true }]);
      await owner(side, 'grandchild', [both]);
      await owner(side, 'of-nobody', [{ name: 'gone', uid: '00000000-0000-0000-0000-000000000000' }]);
    },
    done: (world) => count(CONFIG_MAPS, 0, 'of-nobody')(world),
  },
  {
    name: 'one owner goes, in the foreground',
    act: removal(CONFIG_MAPS, 'first', 'Foreground'),
    done: (world) => count(CONFIG_MAPS, 0, 'of-first')(world) && count(CONFIG_MAPS, 0, 'first')(world),
  },
  {
    name: 'the other, in the background',
    act: removal(CONFIG_MAPS, 'second', 'Background'),
    done: (world) => count(CONFIG_MAPS, 0, 'grandchild')(world),
  },
];

function scale(collection: CollectionPath, name: string, replicas: number) {
  return (side: Side): Promise<JsonObject> =>
    patch(side, `${pathIn(side, collection, name)}/scale`, { spec: { replicas } }, { type: 'merge' });
}

function image(collection: CollectionPath, name: string, tag: number) {
  const containers = [{ name: 'main', image: `example.com/app:${tag}` }];
  const change = { spec: { template: { spec: { containers } } } };
  return (side: Side): Promise<JsonObject> => patch(side, pathIn(side, collection, name), change);
}

function removal(collection: CollectionPath, name: string, propagationPolicy: string) {
  return (side: Side): Promise<JsonObject> => remove(side, pathIn(side, collection, name), { propagationPolicy });
}

/** One of the pods whose names begin so: any, they are alike. */
async function podOf(side: Side, prefix: string): Promise<string> {
  const names = (await listOf(side, PODS)).map(({ metadata }) => metadata.name ?? '');
  return names.find((name) => name.startsWith(prefix)) ?? '';
}

const removePod = async (side: Side, prefix: string, options: JsonObject = {}): Promise<JsonObject> =>
  remove(side, pathIn(side, PODS, await podOf(side, prefix)), options);

async function owner(side: Side, name: string, owners: readonly JsonObject[]): Promise<JsonObject> {
  const made = await create(side, CONFIG_MAPS, configMap(name, owners));
  return { name, uid: textAt(made, 'metadata', 'uid') };
}

function count(collection: CollectionPath, want: number, prefix = '') {
  return (world: World): boolean =>
    world[collection].filter(({ metadata }) => metadata.name?.startsWith(prefix)).length === want;
}

const endpointsOf = (world: World): number =>
  world['apis/discovery.k8s.io/v1/endpointslices'].flatMap((slice) => objectsAt(slice, 'endpoints')).length;

/** The tags of the pods' images, sorted. */
const imagesOf = (world: World, prefix: string): string =>
  world[PODS]
    .filter(({ metadata }) => metadata.name?.startsWith(prefix))
    .map((pod) => textAt(objectsAt(pod, 'spec', 'containers')[0], 'image').split(':')[1])
    .sort()
    .join();
