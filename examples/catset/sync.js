// StatefulSet's rules as one pure function, from a CatSet and its observed children to what shall be there:
// - pod i is created only when the pods before it are Ready;
// - a pod too many goes only when all pods before it are Ready, the highest first, one at a time;
// - claims are created with their pod and stay when it goes;
// - a changed template reaches the highest pod first: the order of the answer is the order of a rolling update;
// - a set that is deleted goes as one that is scaled to nothing, and is gone when its last pod is.
// A pod that is there and may stay is always in the answer: what is left out is deleted.

/** @typedef {import('metactl/sdk').KubeObject} KubeObject */

/**
 * @param {import('metactl/sdk').CompositeRequest} request
 * @returns {import('metactl/sdk').CompositeResponse}
 */
export function sync(request) {
  return answerFor(request, request.parent.spec.replicas ?? 1);
}

/**
 * @param {import('metactl/sdk').CompositeRequest} request
 * @returns {import('metactl/sdk').CompositeResponse}
 */
export function finalize(request) {
  const { parent, children } = request;
  const pods = podsByOrdinal(parent, children['Pod.v1'] ?? {});
  return { ...answerFor(request, 0), finalized: pods.size === 0 };
}

function answerFor({ parent, children }, replicas) {
  const observed = podsByOrdinal(parent, children['Pod.v1'] ?? {});
  const ordinals = desiredOrdinals(observed, replicas);
  return {
    status: statusOf(observed, replicas),
    children: [
      ...claimsOf(parent, ordinals, children['PersistentVolumeClaim.v1'] ?? {}),
      ...ordinals.toReversed().map((ordinal) => desiredPod(parent, ordinal)),
    ],
  };
}

/** Which pods shall be there after the next step, lowest first. */
function desiredOrdinals(observed, replicas) {
  const ordinals = [];
  let allReady = true;
  for (let ordinal = 0; ordinal < replicas; ordinal++) {
    if (observed.has(ordinal) || allReady) ordinals.push(ordinal);
    allReady &&= isReady(observed.get(ordinal));
  }
  const surplus = [...observed.keys()].filter((ordinal) => ordinal >= replicas).sort((a, b) => a - b);
  const highest = surplus.pop();
  const stays = surplus.every((ordinal) => isReady(observed.get(ordinal))) && allReady ? [] : [highest];
  return highest === undefined ? ordinals : [...ordinals, ...surplus, ...stays];
}

/** "web-2" of "web" is pod 2. Other pods that the selector matches are not ours to judge and have no ordinal. */
function podsByOrdinal(parent, pods) {
  const found = new Map();
  for (const pod of Object.values(pods)) {
    const ordinal = ordinalOf(pod.metadata.name, parent.metadata.name);
    if (ordinal !== undefined) found.set(ordinal, pod);
  }
  return found;
}

function ordinalOf(name, prefix) {
  const rest = name.startsWith(`${prefix}-`) ? name.slice(prefix.length + 1) : '';
  return /^(0|[1-9]\d*)$/.test(rest) ? Number(rest) : undefined;
}

/** Running, with condition Ready, and not on its way out. */
function isReady(pod) {
  if (!pod || pod.metadata.deletionTimestamp || pod.status?.phase !== 'Running') return false;
  return (pod.status.conditions ?? []).some((one) => one.type === 'Ready' && one.status === 'True');
}

function desiredPod(parent, ordinal) {
  const { template, serviceName } = parent.spec;
  const name = podName(parent, ordinal);
  const volumes = claimTemplates(parent).map((claim) => ({
    name: claim.metadata.name,
    persistentVolumeClaim: { claimName: claimName(claim, name) },
  }));
  const replaced = new Set(volumes.map((volume) => volume.name));
  const kept = (template.spec.volumes ?? []).filter((volume) => !replaced.has(volume.name));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...template.metadata, name, namespace: parent.metadata.namespace },
    spec: {
      ...template.spec,
      hostname: name,
      ...(serviceName ? { subdomain: serviceName } : {}),
      ...(volumes.length + kept.length > 0 ? { volumes: [...kept, ...volumes] } : {}),
    },
  };
}

/** The claims of the pods that shall be there, and those that are there already, whether their pod is or not. */
function claimsOf(parent, ordinals, observed) {
  const wanted = claimTemplates(parent).flatMap((template) =>
    ordinals.map((ordinal) => claimName(template, podName(parent, ordinal))),
  );
  const there = Object.values(observed).map((claim) => claim.metadata.name);
  return [...new Set([...wanted, ...there])].map((name) => desiredClaim(parent, name));
}

/** A claim whose template is gone is named without a spec: the definition gives claims no update strategy, so it stays as it is. */
function desiredClaim(parent, name) {
  const belongs = (template) => ordinalOf(name, claimName(template, parent.metadata.name)) !== undefined;
  const template = claimTemplates(parent).find(belongs);
  const labels = parent.spec.template.metadata?.labels;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: parent.metadata.namespace, labels },
    ...(template ? { spec: template.spec } : {}),
  };
}

function statusOf(observed, replicas) {
  const pods = [...observed.values()];
  const readyReplicas = pods.filter(isReady).length;
  const waiting = pods.length !== replicas || readyReplicas !== replicas;
  return {
    replicas: pods.length,
    readyReplicas,
    conditions: [
      {
        type: 'Ready',
        status: waiting ? 'False' : 'True',
        reason: waiting ? 'Scaling' : 'AllReady',
        message: `${readyReplicas} of ${replicas} pods are ready`,
      },
    ],
  };
}

const claimTemplates = (parent) => parent.spec.volumeClaimTemplates ?? [];
const podName = (parent, ordinal) => `${parent.metadata.name}-${ordinal}`;
/** "data-web-2" */
const claimName = (template, pod) => `${template.metadata.name}-${pod}`;
