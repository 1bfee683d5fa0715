// Where built-in kinds differ from each other: facts of their strategies in the server, as small tables.

import type { ResourceKind } from './resource-kind.ts';

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

const WITH_GENERATION = new Set([
  'pods',
  'podtemplates',
  'replicationcontrollers',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
  'ingresses.networking.k8s.io',
  'ingressclasses.networking.k8s.io',
  'networkpolicies.networking.k8s.io',
  'poddisruptionbudgets.policy',
  'endpointslices.discovery.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'priorityclasses.scheduling.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
]);

/** Have a generation, which stays 1 whatever is changed. */
const GENERATION_STAYS = new Set(['priorityclasses.scheduling.k8s.io']);

export function countsGenerations(kind: ResourceKind): boolean {
  return hasGeneration(kind) && !GENERATION_STAYS.has(kind.id);
}

/** Does the server count generations of this kind? Custom resources always do. */
export function hasGeneration(kind: ResourceKind): boolean {
  return kind.custom || WITH_GENERATION.has(kind.id);
}

const RETURNS_DELETED = new Set([
  'pods',
  'podtemplates',
  'services',
  'serviceaccounts',
  'persistentvolumes',
  'persistentvolumeclaims',
  'resourcequotas',
]);

/** Is a delete that took effect answered with the object (true) or with a Status (false)? */
export function returnsDeleted(kind: ResourceKind): boolean {
  return RETURNS_DELETED.has(kind.id);
}

const CREATED_BY_UPDATE = new Set([
  'services',
  'endpoints',
  'events',
  'events.events.k8s.io',
  'limitranges',
  'leases.coordination.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
]);

/** Does a PUT of an object that is not there create it? */
export function createdByUpdate(kind: ResourceKind): boolean {
  return CREATED_BY_UPDATE.has(kind.id);
}

const NEEDS_VERSION = new Set([
  'customresourcedefinitions.apiextensions.k8s.io',
  'poddisruptionbudgets.policy',
  'leases.coordination.k8s.io',
  'runtimeclasses.node.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'csistoragecapacities.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
]);

/** Kinds that refuse a PUT without metadata.resourceVersion. */
export function needsResourceVersion(kind: ResourceKind): boolean {
  return kind.custom || NEEDS_VERSION.has(kind.id);
}

export function defaultPropagation(kind: ResourceKind): Propagation {
  return kind.id === 'jobs.batch' || kind.id === 'replicationcontrollers' ? 'Orphan' : 'Background';
}

const STORAGE_PREFIX: Readonly<Record<string, string>> = {
  services: 'services/specs',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  'ingresses.networking.k8s.io': 'ingress',
};

/** The path that the server's own storage errors name. */
export function storagePath(kind: ResourceKind, key: string): string {
  const prefix = STORAGE_PREFIX[kind.id] ?? (kind.custom ? `${kind.group}/${kind.resource}` : kind.resource);
  return `/registry/${prefix}/${key}`;
}
