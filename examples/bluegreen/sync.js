// A blue-green rollout as one pure function, from a BlueGreenDeployment and its observed children to what shall be there:
// - the Service leads to one colour, the active one; which one is read from the Service, as that is what clients see;
// - a changed template goes to the other colour, once that has no pods left from the time before;
// - the Service is switched when all pods of the other colour are available;
// - the colour that was switched away from is scaled to nothing in the round after, when the switch has been seen.
// The active colour keeps the template that it has: it is written down in an annotation, as the parent has the new one.

import { isDeepStrictEqual } from 'node:util';

const TEMPLATE = 'ctl.enisoc.com/template';
const COLORS = ['blue', 'green'];

/**
 * @param {import('metactl/sdk').CompositeRequest} request
 * @returns {import('metactl/sdk').CompositeResponse}
 */
export function sync({ parent, children }) {
  const active = activeColor(parent, children);
  const inactive = COLORS.find((color) => color !== active);
  const observed = Object.fromEntries(COLORS.map((color) => [color, replicaSetOf(parent, children, color)]));
  const { replicas = 1, template } = parent.spec;

  const current = templateOf(observed[active]) ?? template;
  const rollout = isDeepStrictEqual(current, template) ? undefined : next(observed[inactive], template, replicas);
  const idle = templateOf(observed[inactive]);
  return {
    status: statusOf(parent, { active, observed, inactive, rollout }),
    children: [
      desiredService(parent, rollout?.ready ? inactive : active),
      desiredReplicaSet(parent, active, { template: current, replicas }),
      ...(rollout ? [desiredReplicaSet(parent, inactive, rollout)] : []),
      // Kept without pods, so that one can see what ran before.
      ...(!rollout && idle ? [desiredReplicaSet(parent, inactive, { template: idle, replicas: 0 })] : []),
    ],
  };
}

/** The next step for the colour that the new version goes to. */
function next(observed, template, replicas) {
  const known = templateOf(observed);
  if (known === undefined || isDeepStrictEqual(known, template))
    return { template, replicas, ready: known !== undefined && isAvailable(observed, replicas) };
  // Pods of a third version, from a rollout that was overtaken or from before the last one, go first.
  if (!isEmpty(observed)) return { template: known, replicas: 0, ready: false };
  return { template, replicas, ready: false };
}

function activeColor(parent, children) {
  const service = children['Service.v1'][serviceName(parent)];
  const color = service?.spec.selector?.color ?? parent.status?.activeColor;
  return COLORS.includes(color) ? color : COLORS[0];
}

function replicaSetOf(parent, children, color) {
  return children['ReplicaSet.apps/v1'][`${parent.metadata.name}-${color}`];
}

/** The template that the pods of a colour were made of; undefined where the colour has no ReplicaSet. */
function templateOf(replicaSet) {
  const text = replicaSet?.metadata.annotations?.[TEMPLATE];
  return text === undefined ? undefined : JSON.parse(text);
}

/** What status says is about the spec that is there now. */
const isSeen = ({ metadata, status }) => (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
const isEmpty = (replicaSet) => isSeen(replicaSet) && replicaSet.spec.replicas === 0 && !replicaSet.status.replicas;

function isAvailable(replicaSet, replicas) {
  return (
    isSeen(replicaSet) &&
    replicaSet.spec.replicas === replicas &&
    (replicaSet.status.availableReplicas ?? 0) >= replicas
  );
}

function desiredService(parent, color) {
  const { metadata, spec } = parent.spec.service;
  const { matchLabels } = parent.spec.selector;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata, name: serviceName(parent), labels: { ...metadata?.labels, ...matchLabels } },
    spec: { ...spec, selector: { ...spec?.selector, ...matchLabels, color } },
  };
}

function desiredReplicaSet(parent, color, { template, replicas }) {
  const { selector, minReadySeconds = 0 } = parent.spec;
  const labels = { ...template.metadata?.labels, color };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${parent.metadata.name}-${color}`,
      labels,
      annotations: { [TEMPLATE]: JSON.stringify(template) },
    },
    spec: {
      replicas,
      // The server leaves a 0 out; a 0 here would be written again and again.
      ...(minReadySeconds > 0 ? { minReadySeconds } : {}),
      selector: { matchLabels: { ...selector.matchLabels, color } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

function statusOf(parent, { active, inactive, observed, rollout }) {
  const { replicas = 1 } = parent.spec;
  const counts = (color) => {
    const { replicas: pods = 0, readyReplicas = 0, availableReplicas = 0 } = observed[color]?.status ?? {};
    return { replicas: pods, readyReplicas, availableReplicas };
  };
  const available = counts(active).availableReplicas;
  return {
    activeColor: active,
    active: counts(active),
    inactive: counts(inactive),
    conditions: [
      {
        type: 'Available',
        status: available >= replicas ? 'True' : 'False',
        reason: available >= replicas ? 'AllAvailable' : 'Waiting',
        message: `${available} of ${replicas} pods of ${active} are available`,
      },
      progress(rollout, inactive, { ...counts(inactive), wanted: replicas }),
    ],
  };
}

function progress(rollout, color, { availableReplicas, wanted, replicas }) {
  const type = 'Progressing';
  if (!rollout) return { type, status: 'False', reason: 'UpToDate', message: 'the active color has the template' };
  if (rollout.ready) return { type, status: 'True', reason: 'Switching', message: `the service goes to ${color}` };
  if (rollout.replicas === 0 && wanted > 0)
    return { type, status: 'True', reason: 'Emptying', message: `${color} still has ${replicas} older pods` };
  const message = `${availableReplicas} of ${wanted} pods of ${color} are available`;
  return { type, status: 'True', reason: 'Waiting', message };
}

const serviceName = (parent) => parent.spec.service.metadata?.name ?? parent.metadata.name;
