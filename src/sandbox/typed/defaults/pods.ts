// Defaults of pods and of what stands in a pod template.

import { type Default, type Fields, fieldsAt, fieldsIn, optionalFields, orElse, orElseText } from './fields.ts';
import { imageTag } from './image.ts';

const podSpec: Default = (spec) => {
  orElseText(spec, 'dnsPolicy', 'ClusterFirst');
  orElseText(spec, 'restartPolicy', 'Always');
  orElse(spec, 'securityContext', {});
  orElse(spec, 'terminationGracePeriodSeconds', 30);
  orElseText(spec, 'schedulerName', 'default-scheduler');
  serviceAccount(spec);
  if (spec['hostNetwork'] !== true) return;
  for (const container of allContainers(spec)) {
    for (const port of fieldsIn(container['ports'])) orElse(port, 'hostPort', port['containerPort'] ?? 0);
  }
};

/** The old name of the field is kept beside the new one. */
function serviceAccount(spec: Fields): void {
  const name = spec['serviceAccountName'] ?? spec['serviceAccount'];
  if (name === undefined) return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

const allContainers = (spec: Fields): Fields[] => [
  ...fieldsIn(spec['containers']),
  ...fieldsIn(spec['initContainers']),
];

/** Only of pods, not of templates. */
const pod: Default = (object) => {
  const spec = fieldsAt(object, 'spec');
  for (const container of allContainers(spec)) {
    const resources = optionalFields(container['resources']);
    const limits = optionalFields(resources?.['limits']);
    if (!resources || !limits) continue;
    resources['requests'] = { ...limits, ...optionalFields(resources['requests']) };
  }
  podRequests(spec);
  orElse(spec, 'enableServiceLinks', true);
};

/** Of resources given for the pod as a whole: what is limited and not requested is requested as limited. */
function podRequests(spec: Fields): void {
  const resources = optionalFields(spec['resources']);
  const limits = optionalFields(resources?.['limits']);
  if (resources && limits) resources['requests'] = { ...limits, ...optionalFields(resources['requests']) };
}

const container: Default = (object) => {
  const image = object['image'];
  const policy = imageTag(typeof image === 'string' ? image : '') === 'latest' ? 'Always' : 'IfNotPresent';
  orElseText(object, 'imagePullPolicy', policy);
  orElseText(object, 'terminationMessagePath', '/dev/termination-log');
  orElseText(object, 'terminationMessagePolicy', 'File');
};

const probe: Default = (object) => {
  orElse(object, 'timeoutSeconds', 1);
  orElse(object, 'periodSeconds', 10);
  orElse(object, 'successThreshold', 1);
  orElse(object, 'failureThreshold', 3);
};

export const POD_DEFAULTS: Readonly<Record<string, Default>> = {
  'core.v1.Pod': pod,
  'core.v1.PodSpec': podSpec,
  'core.v1.Container': container,
  'core.v1.EphemeralContainer': container,
  'core.v1.ContainerPort': (port) => orElseText(port, 'protocol', 'TCP'),
  'core.v1.Probe': probe,
  'core.v1.GRPCAction': (action) => orElse(action, 'service', ''),
  'core.v1.HTTPGetAction': (action) => {
    orElseText(action, 'path', '/');
    orElseText(action, 'scheme', 'HTTP');
  },
  'core.v1.ObjectFieldSelector': (selector) => orElseText(selector, 'apiVersion', 'v1'),
};
