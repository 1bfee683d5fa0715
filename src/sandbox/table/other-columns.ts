// The columns of services, storage, access, policies and nodes.

import type { JsonObject, JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { AGE, CREATED_AT } from './age-column.ts';
import {
  at,
  type Column,
  column,
  count,
  few,
  items,
  labelsText,
  numberColumn,
  selectorText,
  text,
  textColumn,
  texts,
  wide,
} from './cells.ts';

function servicePorts(object: KubeObject): string {
  const ports = items(at(object, 'spec.ports')).map((port) => {
    const node = port['nodePort'] ? `:${port['nodePort']}` : '';
    return `${port['port']}${node}/${text(port['protocol'], 'TCP')}`;
  });
  return ports.length > 0 ? ports.join(',') : '<none>';
}

const loadBalancer = (object: KubeObject): readonly string[] =>
  items(at(object, 'status.loadBalancer.ingress')).map(({ ip, hostname }) => text(ip, text(hostname, '')));

function externalAddress(service: KubeObject): string {
  const given = texts(at(service, 'spec.externalIPs'));
  switch (at(service, 'spec.type')) {
    case 'ExternalName':
      return text(at(service, 'spec.externalName'));
    case 'LoadBalancer': {
      const all = [...loadBalancer(service), ...given];
      return all.length > 0 ? all.join(',') : '<pending>';
    }
    default:
      return given.length > 0 ? given.join(',') : '<none>';
  }
}

function ingressHosts(ingress: KubeObject): string {
  const hosts = items(at(ingress, 'spec.rules')).flatMap(({ host }) => (host ? [text(host)] : []));
  return few(hosts, 3, '*');
}

function slicePorts(slice: KubeObject): string {
  const ports = items(slice['ports']).map(({ port }) => text(port, '*'));
  return few(ports, 3, '<unset>');
}

const sliceAddresses = (slice: KubeObject): string =>
  few(
    items(slice['endpoints']).flatMap(({ addresses }) => texts(addresses)),
    3,
    '<unset>',
  );

const MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const accessModes = (modes: JsonValue | undefined): string =>
  texts(modes)
    .map((mode) => MODES[mode] ?? mode)
    .join(',');
const phase = (object: KubeObject): string =>
  object.metadata.deletionTimestamp === undefined ? text(at(object, 'status.phase'), '') : 'Terminating';
const isBound = (claim: KubeObject): boolean => text(at(claim, 'spec.volumeName'), '') !== '';
const volumeMode = wide('VolumeMode', (object) => text(at(object, 'spec.volumeMode'), '<unset>'));

function claimOf(volume: KubeObject): string {
  const claim = at(volume, 'spec.claimRef');
  return claim === undefined ? '' : `${text(at(claim, 'namespace'), '')}/${text(at(claim, 'name'), '')}`;
}

const subjects = (binding: KubeObject, kind: string): string =>
  items(binding['subjects'])
    .filter((subject) => subject['kind'] === kind)
    .map(({ name, namespace }) =>
      kind === 'ServiceAccount' ? `${text(namespace, '')}/${text(name, '')}` : text(name, ''),
    )
    .join(', ');

const BINDING: readonly Column[] = [
  column('Role', (object) => `${text(at(object, 'roleRef.kind'), '')}/${text(at(object, 'roleRef.name'), '')}`),
  AGE,
  wide('Users', (object) => subjects(object, 'User')),
  wide('Groups', (object) => subjects(object, 'Group')),
  wide('ServiceAccounts', (object) => subjects(object, 'ServiceAccount')),
];

function metricText(metric: JsonObject, current: JsonObject | undefined): string {
  const source = text(metric['type'], '');
  const field = `${source.charAt(0).toLowerCase()}${source.slice(1)}`;
  const [target, now] = [at(metric, `${field}.target`), at(current, `${field}.current`)];
  const name = source === 'Resource' || source === 'ContainerResource' ? `${text(at(metric, `${field}.name`))}: ` : '';
  if (at(target, 'averageUtilization') !== undefined) {
    const used = at(now, 'averageUtilization');
    return `${name}${used === undefined ? '<unknown>' : `${text(used)}%`}/${text(at(target, 'averageUtilization'))}%`;
  }
  const kind = at(target, 'averageValue') === undefined ? 'value' : 'averageValue';
  return `${name}${text(at(now, kind), '<unknown>')}/${text(at(target, kind))}${!name && kind === 'averageValue' && source !== 'Pods' ? ' (avg)' : ''}`;
}

function targets(autoscaler: KubeObject): string {
  const current = items(at(autoscaler, 'status.currentMetrics'));
  const all = items(at(autoscaler, 'spec.metrics')).map((metric, index) => metricText(metric, current[index]));
  return all.length === 0
    ? '<none>'
    : all.length > 2
      ? `${all.slice(0, 2).join(', ')} + ${all.length - 2} more...`
      : all.join(', ');
}

const quota = (object: KubeObject, ofLimits: boolean): string => {
  const hard = at(object, 'status.hard') as JsonObject | undefined;
  return Object.keys(hard ?? {})
    .sort()
    .filter((name) => name.startsWith('limits.') === ofLimits)
    .map(
      (name) =>
        `${name}: ${text((at(object, 'status.used') as JsonObject | undefined)?.[name], '0')}/${text(hard?.[name])}`,
    )
    .join(', ');
};

function nodeStatus(node: KubeObject): string {
  const ready = items(at(node, 'status.conditions')).find(({ type }) => type === 'Ready');
  const status = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return at(node, 'spec.unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(node: KubeObject): string {
  const roles = Object.entries(node.metadata.labels ?? {}).flatMap(([key, value]) =>
    key.startsWith('node-role.kubernetes.io/') ? [key.slice(24)] : key === 'kubernetes.io/role' ? [value] : [],
  );
  return (
    roles
      .filter((role) => role !== '')
      .sort()
      .join(',') || '<none>'
  );
}

const nodeAddress = (node: KubeObject, type: string): string =>
  text(items(at(node, 'status.addresses')).find((one) => one['type'] === type)?.['address']);
const nodeInfo = (name: string, field: string): Column =>
  wide(name, (object) => text(at(object, `status.nodeInfo.${field}`), '<unknown>'));

const EVENT: readonly Column[] = [
  textColumn('Type', 'type'),
  textColumn('Reason', 'reason'),
  column('Object', (object) => {
    const kind = text(at(object, 'involvedObject.kind'), '').toLowerCase();
    return `${kind}/${text(at(object, 'involvedObject.name'), '')}`;
  }),
  textColumn('Message', 'message', ''),
  AGE,
];

export const OTHER_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  configmaps: [column('Data', (object) => count(object['data']) + count(object['binaryData'])), AGE],
  secrets: [textColumn('Type', 'type'), column('Data', (object) => count(object['data'])), AGE],
  namespaces: [textColumn('Status', 'status.phase'), AGE],
  services: [
    textColumn('Type', 'spec.type'),
    textColumn('Cluster-IP', 'spec.clusterIP'),
    column('External-IP', externalAddress),
    column('Port(s)', servicePorts),
    AGE,
    wide('Selector', (object) => labelsText(at(object, 'spec.selector'))),
  ],
  persistentvolumeclaims: [
    column('Status', phase),
    textColumn('Volume', 'spec.volumeName', ''),
    column('Capacity', (object) => (isBound(object) ? text(at(object, 'status.capacity.storage'), '') : '')),
    column('Access Modes', (object) => (isBound(object) ? accessModes(at(object, 'status.accessModes')) : '')),
    textColumn('StorageClass', 'spec.storageClassName', ''),
    textColumn('VolumeAttributesClass', 'spec.volumeAttributesClassName', '<unset>'),
    AGE,
    volumeMode,
  ],
  persistentvolumes: [
    textColumn('Capacity', 'spec.capacity.storage', ''),
    column('Access Modes', (object) => accessModes(at(object, 'spec.accessModes'))),
    textColumn('Reclaim Policy', 'spec.persistentVolumeReclaimPolicy', ''),
    column('Status', phase),
    column('Claim', claimOf),
    textColumn('StorageClass', 'spec.storageClassName', ''),
    textColumn('VolumeAttributesClass', 'spec.volumeAttributesClassName', '<unset>'),
    textColumn('Reason', 'status.reason', ''),
    AGE,
    volumeMode,
  ],
  nodes: [
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    AGE,
    textColumn('Version', 'status.nodeInfo.kubeletVersion', ''),
    wide('Internal-IP', (object) => nodeAddress(object, 'InternalIP')),
    wide('External-IP', (object) => nodeAddress(object, 'ExternalIP')),
    nodeInfo('OS-Image', 'osImage'),
    nodeInfo('Kernel-Version', 'kernelVersion'),
    nodeInfo('Container-Runtime', 'containerRuntimeVersion'),
  ],
  resourcequotas: [
    column('Request', (object) => quota(object, false)),
    column('Limit', (object) => quota(object, true)),
    AGE,
  ],
  limitranges: [CREATED_AT],
  events: EVENT,
  'ingresses.networking.k8s.io': [
    textColumn('Class', 'spec.ingressClassName'),
    column('Hosts', ingressHosts),
    column('Address', (object) => loadBalancer(object).join(',')),
    column('Ports', (object) => (items(at(object, 'spec.tls')).length > 0 ? '80, 443' : '80')),
    AGE,
  ],
  'ingressclasses.networking.k8s.io': [
    textColumn('Controller', 'spec.controller'),
    column('Parameters', (object) => {
      const { kind, apiGroup, name } = (at(object, 'spec.parameters') ?? {}) as JsonObject;
      return kind === undefined ? '<none>' : `${text(kind)}${apiGroup ? `.${text(apiGroup)}` : ''}/${text(name)}`;
    }),
    AGE,
  ],
  'networkpolicies.networking.k8s.io': [
    column('Pod-Selector', (object) => selectorText(at(object, 'spec.podSelector'))),
    AGE,
  ],
  'endpointslices.discovery.k8s.io': [
    textColumn('AddressType', 'addressType'),
    column('Ports', slicePorts),
    column('Endpoints', sliceAddresses),
    AGE,
  ],
  'leases.coordination.k8s.io': [textColumn('Holder', 'spec.holderIdentity', ''), AGE],
  'roles.rbac.authorization.k8s.io': [CREATED_AT],
  'clusterroles.rbac.authorization.k8s.io': [CREATED_AT],
  'rolebindings.rbac.authorization.k8s.io': BINDING,
  'clusterrolebindings.rbac.authorization.k8s.io': BINDING,
  'horizontalpodautoscalers.autoscaling': [
    column(
      'Reference',
      (object) => `${text(at(object, 'spec.scaleTargetRef.kind'))}/${text(at(object, 'spec.scaleTargetRef.name'))}`,
    ),
    column('Targets', targets),
    textColumn('MinPods', 'spec.minReplicas', '<unset>'),
    numberColumn('MaxPods', 'spec.maxReplicas'),
    numberColumn('Replicas', 'status.currentReplicas'),
    AGE,
  ],
  'poddisruptionbudgets.policy': [
    textColumn('Min Available', 'spec.minAvailable', 'N/A'),
    textColumn('Max Unavailable', 'spec.maxUnavailable', 'N/A'),
    numberColumn('Allowed Disruptions', 'status.disruptionsAllowed'),
    AGE,
  ],
  'storageclasses.storage.k8s.io': [
    textColumn('Provisioner', 'provisioner'),
    textColumn('ReclaimPolicy', 'reclaimPolicy', ''),
    textColumn('VolumeBindingMode', 'volumeBindingMode', ''),
    column('AllowVolumeExpansion', (object) => object['allowVolumeExpansion'] === true),
    AGE,
  ],
  'priorityclasses.scheduling.k8s.io': [
    numberColumn('Value', 'value'),
    column('Global-Default', (object) => object['globalDefault'] === true, { type: 'boolean' }),
    AGE,
    textColumn('PreemptionPolicy', 'preemptionPolicy', ''),
  ],
};
