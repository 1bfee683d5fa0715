// Fields that an endpoint takes from the live object whatever is sent: who sends them does not come to own them.

import { type FieldPath, type FieldSet, setOfPaths } from '../../merge/index.ts';
import { apiVersionOf, hasStatus, type ResourceKind } from '../registry/resource-kind.ts';

const SPEC: FieldPath = ['f:spec'];
const STATUS: FieldPath = ['f:status'];
const METADATA: FieldPath = ['f:metadata'];

/** Built-in kinds whose status endpoint leaves metadata alone; custom resources all do. */
const STATUS_KEEPS_METADATA = new Set([
  'customresourcedefinitions.apiextensions.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'apiservices.apiregistration.k8s.io',
  'servicecidrs.networking.k8s.io',
  'resourceclaims.resource.k8s.io',
  'volumeattachments.storage.k8s.io',
]);

const STATUS_KEEPS: Readonly<Record<string, readonly FieldPath[]>> = {
  'deployments.apps': [['f:metadata', 'f:labels']],
  pods: [
    ['f:metadata', 'f:deletionTimestamp'],
    ['f:metadata', 'f:ownerReferences'],
  ],
  'certificatesigningrequests.certificates.k8s.io': [['f:status', 'f:conditions']],
};

/** By apiVersion; undefined: the endpoint changes whatever it is sent. */
export function resetFields(
  kind: ResourceKind,
  subresource: string | undefined,
): ReadonlyMap<string, FieldSet> | undefined {
  if (!hasStatus(kind) || (subresource !== undefined && subresource !== 'status')) return undefined;
  const set = setOfPaths(subresource === 'status' ? statusKeeps(kind) : mainKeeps(kind));
  return new Map(kind.versions.map(({ name }) => [apiVersionOf(kind, name), set]));
}

const mainKeeps = ({ id }: ResourceKind): readonly FieldPath[] =>
  id === 'certificatesigningrequests.certificates.k8s.io' ? [SPEC, STATUS] : [STATUS];

function statusKeeps({ id, custom }: ResourceKind): readonly FieldPath[] {
  if (custom || STATUS_KEEPS_METADATA.has(id)) return [SPEC, METADATA];
  return [SPEC, ...(STATUS_KEEPS[id] ?? [])];
}
