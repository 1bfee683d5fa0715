// The columns of pods and of what makes pods.

import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { formatAge } from './age.ts';
import { AGE } from './age-column.ts';
import {
  at,
  type Column,
  column,
  containerColumns,
  items,
  labelsText,
  number,
  numberColumn,
  selectorText,
  text,
  textColumn,
  wide,
} from './cells.ts';
import { podCells } from './pod.ts';

const replicas = column(
  'Ready',
  (object) => `${number(at(object, 'status.readyReplicas'))}/${number(at(object, 'spec.replicas') ?? 1)}`,
);
const selector = wide('Selector', (object) => selectorText(at(object, 'spec.selector')));
const sized = [
  numberColumn('Desired', 'spec.replicas'),
  numberColumn('Current', 'status.replicas'),
  numberColumn('Ready', 'status.readyReplicas'),
  AGE,
  ...containerColumns('spec.template'),
];

function readinessGates(pod: KubeObject): string {
  const gates = items(at(pod, 'spec.readinessGates')).map(({ conditionType }) => conditionType);
  if (gates.length === 0) return '<none>';
  const met = items(at(pod, 'status.conditions')).filter(
    ({ type, status }) => status === 'True' && gates.includes(type),
  );
  return `${met.length}/${gates.length}`;
}

const holds = (object: KubeObject, type: string): boolean =>
  items(at(object, 'status.conditions')).some((one) => one['type'] === type && one['status'] === 'True');

function jobStatus(job: KubeObject): string {
  const ended = ['Complete', 'Failed'].find((type) => holds(job, type));
  if (ended) return ended;
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => holds(job, type)) ?? 'Running';
}

function completions(job: KubeObject): string {
  const done = number(at(job, 'status.succeeded'));
  const wanted = at(job, 'spec.completions');
  const parallelism = number(at(job, 'spec.parallelism'));
  if (wanted !== undefined) return `${done}/${number(wanted)}`;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function duration(job: KubeObject, now: number): string {
  const started = at(job, 'status.startTime');
  const ended = at(job, 'status.completionTime');
  if (started === undefined) return '';
  return formatAge(text(started), ended === undefined ? now : Date.parse(text(ended)));
}

const active = (object: KubeObject): number =>
  (at(object, 'status.active') as readonly JsonObject[] | undefined)?.length ?? 0;
const flag = (value: unknown): string => (value === undefined ? '<unset>' : value === true ? 'True' : 'False');

export const WORKLOAD_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  pods: [
    column('Ready', (object) => podCells(object).ready),
    column('Status', (object) => podCells(object).status),
    column('Restarts', (object) => String(podCells(object).restarts)),
    AGE,
    wide('IP', (object) => text(at(object, 'status.podIP'))),
    wide('Node', (object) => text(at(object, 'spec.nodeName'))),
    wide('Nominated Node', (object) => text(at(object, 'status.nominatedNodeName'))),
    wide('Readiness Gates', readinessGates),
  ],
  podtemplates: [
    ...containerColumns('template').map((one) => ({ ...one, priority: 0 })),
    column('Pod Labels', (object) => labelsText(at(object, 'template.metadata.labels'))),
  ],
  replicationcontrollers: [...sized, wide('Selector', (object) => labelsText(at(object, 'spec.selector')))],
  'deployments.apps': [
    replicas,
    numberColumn('Up-to-date', 'status.updatedReplicas'),
    numberColumn('Available', 'status.availableReplicas'),
    AGE,
    ...containerColumns('spec.template'),
    selector,
  ],
  'replicasets.apps': [...sized, selector],
  'statefulsets.apps': [replicas, AGE, ...containerColumns('spec.template')],
  'daemonsets.apps': [
    numberColumn('Desired', 'status.desiredNumberScheduled'),
    numberColumn('Current', 'status.currentNumberScheduled'),
    numberColumn('Ready', 'status.numberReady'),
    numberColumn('Up-to-date', 'status.updatedNumberScheduled'),
    numberColumn('Available', 'status.numberAvailable'),
    column('Node Selector', (object) => labelsText(at(object, 'spec.template.spec.nodeSelector'))),
    AGE,
    ...containerColumns('spec.template'),
    selector,
  ],
  'jobs.batch': [
    column('Status', jobStatus),
    column('Completions', completions),
    column('Duration', duration),
    AGE,
    ...containerColumns('spec.template'),
    selector,
  ],
  'cronjobs.batch': [
    textColumn('Schedule', 'spec.schedule'),
    textColumn('Timezone', 'spec.timeZone'),
    column('Suspend', (object) => flag(at(object, 'spec.suspend')), { type: 'boolean' }),
    column('Active', active, { type: 'integer' }),
    column('Last Schedule', (object, now) => {
      const last = at(object, 'status.lastScheduleTime');
      return last === undefined ? '<none>' : formatAge(text(last), now);
    }),
    AGE,
    ...containerColumns('spec.jobTemplate.spec.template'),
    wide('Selector', (object) => selectorText(at(object, 'spec.jobTemplate.spec.selector'))),
  ],
};
