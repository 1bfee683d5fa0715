// PersistentVolumeClaim.

import { isJsonObject, type JsonObject, jsonEqual, type MutableJsonObject } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import type { Core } from '../../core.ts';
import { forbidden } from '../../http/status-error.ts';
import { withMetadata } from '../../meta/metadata.ts';
import { nanosOf } from '../../typed/quantity.ts';
import { goDiff } from '../go-diff.ts';
import { goStruct } from '../go-struct.ts';
import { fields, IMMUTABLE, optional, type Report, text } from '../report.ts';
import type { KindRules } from '../rules.ts';
import { checkClaimSpec } from './claim-spec.ts';

const CLAIMS = { group: '', resource: 'persistentvolumeclaims' };
const ONLY_BOUND =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
const SOURCE_KINDS = new Set(['PersistentVolumeClaim', 'VolumeSnapshot']);

const sizeOf = (claim: KubeObject): bigint =>
  nanosOf(fields(fields(fields(claim['spec'])['resources'])['requests'])['storage']);
const isBound = (claim: KubeObject): boolean => fields(claim['status'])['phase'] === 'Bound';

function create(_core: Core, object: KubeObject): KubeObject {
  const finalizers = object.metadata.finalizers ?? [];
  const protection = 'kubernetes.io/pvc-protection';
  const added = finalizers.includes(protection) ? finalizers : [...finalizers, protection];
  const claim = withMetadata(object, { finalizers: added });
  return { ...claim, spec: withSources(fields(claim['spec'])), status: { phase: 'Pending' } };
}

/** A source that nothing could fill from is dropped; dataSource and dataSourceRef are written alike. */
function withSources(spec: JsonObject): JsonObject {
  const source = optional(spec['dataSource']);
  const reference = optional(spec['dataSourceRef']);
  const usable = source && SOURCE_KINDS.has(text(source['kind'])) ? source : undefined;
  const { dataSource: _a, dataSourceRef: _b, ...rest } = spec;
  const result: MutableJsonObject = { ...rest };
  const kept = usable ?? reference;
  if (!kept) return result;
  if (!isJsonObject(reference) || text(reference['namespace']) === '') result['dataSource'] = usable ?? kept;
  result['dataSourceRef'] = reference ?? kept;
  return result;
}

/** A bound claim may grow where its class allows it. */
function update(core: Core, before: KubeObject, after: KubeObject): KubeObject {
  if (!isBound(before) || sizeOf(after) <= sizeOf(before)) return after;
  const name = text(fields(before['spec'])['storageClassName']);
  const found = core.store.collection({ id: 'storageclasses.storage.k8s.io' }).get(name)?.object;
  if (found?.['allowVolumeExpansion'] === true) return after;
  const why =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  throw forbidden(CLAIMS, after.metadata.name ?? '', why);
}

function checkUpdate(report: Report, before: KubeObject, after: KubeObject): void {
  checkClaimSpec(report, 'spec', fields(after['spec']));
  const old: MutableJsonObject = { ...fields(before['spec']) };
  const now: MutableJsonObject = { ...fields(after['spec']) };
  if (text(old['volumeName']) === '') delete old['volumeName'];
  if (old['volumeName'] === undefined) delete now['volumeName'];
  if (old['storageClassName'] === undefined) delete now['storageClassName'];
  if (isBound(after)) {
    const requests = { ...fields(fields(now['resources'])['requests']) };
    const storage = fields(fields(old['resources'])['requests'])['storage'];
    now['resources'] = { ...fields(now['resources']), requests: { ...requests, storage: storage ?? '0' } };
  }
  if (!jsonEqual(old, now)) {
    const difference = goDiff(shown(old), shown(now));
    report.forbidden('spec', `${ONLY_BOUND}\n${difference}`);
  }
  if (sizeOf(after) < sizeOf(before)) checkShrunk(report, after);
  if (!jsonEqual(fields(before['spec'])['volumeMode'], now['volumeMode']))
    report.invalid('volumeMode', now['volumeMode'], IMMUTABLE);
}

const shown = (spec: JsonObject): JsonObject => goStruct('core.PersistentVolumeClaimSpec', spec);

function checkShrunk(report: Report, after: KubeObject): void {
  const capacity = nanosOf(fields(fields(after['status'])['capacity'])['storage']);
  if (sizeOf(after) <= capacity)
    report.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity');
}

export const CLAIM: KindRules = {
  create,
  update,
  check: (report, object) => checkClaimSpec(report, 'spec', fields(object['spec'])),
  checkUpdate,
};
