// Have the controllers done all that the objects ask for? Says what is still awaited. Status alone can't tell that
// nothing more will come: whoever waits compares with the other server too.

import { numberAt, textAt, valueAt } from '../../health/index.ts';
import type { JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { World } from './side.ts';

type Rule = (object: KubeObject) => readonly [what: string, is: JsonValue | undefined, wanted: JsonValue | undefined][];

const count = (object: KubeObject, ...path: string[]): number => numberAt(object, ...path) ?? 0;
const observed = (object: KubeObject): [string, JsonValue | undefined, JsonValue | undefined] => [
  'observedGeneration',
  valueAt(object, 'status', 'observedGeneration'),
  object.metadata.generation,
];

const RULES: Readonly<Record<string, Rule>> = {
  Deployment: (object) => {
    const want = count(object, 'spec', 'replicas');
    const paused = valueAt(object, 'spec', 'paused') === true;
    const updated: ReturnType<Rule> = [['updatedReplicas', count(object, 'status', 'updatedReplicas'), want]];
    return [
      observed(object),
      ['replicas', count(object, 'status', 'replicas'), want],
      ['availableReplicas', count(object, 'status', 'availableReplicas'), want],
      ...(paused ? [] : updated),
    ];
  },
  ReplicaSet: (object) => [
    observed(object),
    ['replicas', count(object, 'status', 'replicas'), count(object, 'spec', 'replicas')],
    ['availableReplicas', count(object, 'status', 'availableReplicas'), count(object, 'spec', 'replicas')],
  ],
  StatefulSet: (object) => {
    const want = count(object, 'spec', 'replicas');
    const updated: ReturnType<Rule> = [['updatedReplicas', count(object, 'status', 'updatedReplicas'), want]];
    const whole = count(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') === 0;
    return [
      observed(object),
      ['replicas', count(object, 'status', 'replicas'), want],
      ['availableReplicas', count(object, 'status', 'availableReplicas'), want],
      ...(whole ? updated : []),
    ];
  },
  DaemonSet: (object) => [
    observed(object),
    ['updatedNumberScheduled', count(object, 'status', 'updatedNumberScheduled'), 1],
    ['numberAvailable', count(object, 'status', 'numberAvailable'), 1],
  ],
  Job: (object) => {
    if (valueAt(object, 'spec', 'suspend') === true) return [['active', count(object, 'status', 'active'), 0]];
    return [['completed', textAt(object, 'status', 'completionTime') !== '', true]];
  },
};

/** "Deployment web: replicas is 2, wanted 3", …; empty when all is done. */
export function awaited(world: World): readonly string[] {
  const objects = Object.values(world).flat();
  const uids = new Set(objects.map(({ metadata }) => metadata.uid ?? ''));
  return objects.flatMap((object) => {
    const about = `${object.kind} ${object.metadata.name}`;
    const ownerless = (object.metadata.ownerReferences ?? []).some(({ uid }) => !uids.has(uid));
    const unfinished = (RULES[object.kind]?.(object) ?? []).filter(([, is, wanted]) => is !== wanted);
    return [
      ...(object.metadata.deletionTimestamp === undefined ? [] : [`${about}: gone`]),
      ...(ownerless ? [`${about}: its owner is gone`] : []),
      ...unfinished.map(([what, is, wanted]) => `${about}: ${what} is ${is}, wanted ${wanted}`),
    ];
  });
}
