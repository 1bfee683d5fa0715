// Defaults of services, endpoints, network policies, access, limits, namespaces and the smaller kinds.

import {
  type Default,
  type Fields,
  fieldsAt,
  fieldsIn,
  isFilled,
  optionalFields,
  orElse,
  orElseText,
} from './fields.ts';

const RBAC = 'rbac.authorization.k8s.io';
const CLIENT_IP_SECONDS = 10_800;

const service: Default = (object) => {
  const spec = fieldsAt(object, 'spec');
  affinity(spec);
  orElseText(spec, 'type', 'ClusterIP');
  for (const port of fieldsIn(spec['ports'])) {
    orElseText(port, 'protocol', 'TCP');
    const target = port['targetPort'];
    if (target === undefined || target === 0 || target === '') port['targetPort'] = port['port'] ?? 0;
  }
  const { type } = spec;
  const external =
    type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && isFilled(spec['externalIPs']));
  if (external) orElseText(spec, 'externalTrafficPolicy', 'Cluster');
  if (type !== 'ExternalName' && /^(NodePort|LoadBalancer|ClusterIP)$/.test(String(type)))
    orElse(spec, 'internalTrafficPolicy', 'Cluster');
  if (type === 'LoadBalancer') orElse(spec, 'allocateLoadBalancerNodePorts', true);
};

function affinity(spec: Fields): void {
  orElseText(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] !== 'ClientIP') return;
  const clientIP = optionalFields(optionalFields(spec['sessionAffinityConfig'])?.['clientIP']);
  if (clientIP?.['timeoutSeconds'] === undefined) {
    spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: CLIENT_IP_SECONDS } };
  }
}

const limitRangeItem: Default = (item) => {
  if (item['type'] !== 'Container') return;
  const defaults = { ...optionalFields(item['max']), ...optionalFields(item['default']) };
  const requests = { ...optionalFields(item['min']), ...defaults, ...optionalFields(item['defaultRequest']) };
  if (isFilled(defaults)) item['default'] = defaults;
  if (isFilled(requests)) item['defaultRequest'] = requests;
};

const networkPolicy: Default = (object) => {
  const spec = fieldsAt(object, 'spec');
  if (isFilled(spec['policyTypes'])) return;
  spec['policyTypes'] = isFilled(spec['egress']) ? ['Ingress', 'Egress'] : ['Ingress'];
};

const binding: Default = (object) => orElseText(fieldsAt(object, 'roleRef'), 'apiGroup', RBAC);

const namespace: Default = (object) => {
  const metadata = fieldsAt(object, 'metadata');
  const { name } = metadata;
  if (typeof name === 'string' && name !== '') fieldsAt(metadata, 'labels')['kubernetes.io/metadata.name'] = name;
  orElseText(fieldsAt(object, 'status'), 'phase', 'Active');
};

export const OTHER_DEFAULTS: Readonly<Record<string, Default>> = {
  'core.v1.Service': service,
  'core.v1.EndpointPort': (port) => orElseText(port, 'protocol', 'TCP'),
  'discovery.v1.EndpointPort': (port) => {
    orElse(port, 'name', '');
    orElse(port, 'protocol', 'TCP');
  },
  'core.v1.Secret': (object) => orElseText(object, 'type', 'Opaque'),
  'core.v1.Namespace': namespace,
  'core.v1.LimitRangeItem': limitRangeItem,
  'core.v1.NodeStatus': (status) => {
    const capacity = optionalFields(status['capacity']);
    if (capacity) orElse(status, 'allocatable', { ...capacity });
  },
  'networking.v1.NetworkPolicy': networkPolicy,
  'networking.v1.NetworkPolicyPort': (port) => orElse(port, 'protocol', 'TCP'),
  'networking.v1.IngressClassParametersReference': (reference) => orElse(reference, 'scope', 'Cluster'),
  'rbac.v1.RoleBinding': binding,
  'rbac.v1.ClusterRoleBinding': binding,
  'rbac.v1.Subject': (subject) => {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') orElseText(subject, 'apiGroup', RBAC);
  },
  'scheduling.v1.PriorityClass': (object) => orElse(object, 'preemptionPolicy', 'PreemptLowerPriority'),
};
