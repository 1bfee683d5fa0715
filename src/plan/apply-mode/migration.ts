// From one way of knowing what is ours to the other. Dynamic apply and kubectl's client-side apply keep it in an annotation,
// and the server books what they write as updates; server-side apply keeps it in managedFields. A field is never owned
// twice by one of us, and moving over is one write.

import {
  claimedFields,
  decodeManaged,
  encodeManaged,
  entryOf,
  fieldsV1Of,
  lastAppliedOf,
  managedFieldsOf,
  managerId,
  nameOfId,
  parseFieldsV1,
  withManagedFields,
} from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Migration } from '../../model/plan.ts';
import type { KindType } from '../../schema/index.ts';

export interface MigrationSource {
  readonly fieldManager: string;
  /** Whose updates they were. */
  readonly from: readonly string[];
  readonly annotation: string;
  readonly kind: KindType;
  readonly hasStatus: boolean;
}

/** undefined: there is nothing to move over. */
export function migrationFor(observed: KubeObject, source: MigrationSource): Migration | undefined {
  const { fieldManager, from, annotation, kind, hasStatus } = source;
  const last = lastAppliedOf(observed, annotation);
  if (last === undefined || entryOf(observed, fieldManager)) return undefined;
  const metadata = { ...(last['metadata'] as KubeObject['metadata']), ...ownersOf(observed) };
  const applied = { ...last, metadata } as KubeObject;
  return { fieldManager, from, annotation, fields: fieldsV1Of(claimedFields(applied, kind, hasStatus)) };
}

/** Dynamic apply adds the parent to the owners without a word in the annotation. */
function ownersOf({ metadata }: KubeObject): Pick<KubeObject['metadata'], 'ownerReferences'> {
  const owners = (metadata.ownerReferences ?? []).filter(({ controller }) => controller === true);
  return owners.length > 0 ? { ownerReferences: owners } : {};
}

/** The object to be written. */
export function migrated(object: KubeObject, { fieldManager, from, annotation, fields }: Migration): KubeObject {
  const managed = decodeManaged(managedFieldsOf(object));
  const managers = new Map('problem' in managed ? [] : managed.managers);
  for (const id of managers.keys()) {
    const { manager = '', operation, subresource } = nameOfId(id);
    if (operation === 'Update' && subresource === undefined && from.includes(manager)) managers.delete(id);
  }
  const { apiVersion } = object;
  const id = managerId({ manager: fieldManager, operation: 'Apply', apiVersion });
  managers.set(id, { apiVersion, applied: true, set: parseFieldsV1(fields) });
  const times = 'problem' in managed ? new Map<string, string>() : managed.times;
  const entries = encodeManaged({ managers, times, entries: new Map() });
  return withManagedFields(withoutAnnotation(object, annotation), entries) as KubeObject;
}

function withoutAnnotation(object: KubeObject, annotation: string): KubeObject {
  const { annotations = {}, ...metadata } = object.metadata;
  const { [annotation]: _dropped, ...others } = annotations;
  const kept = Object.keys(others).length > 0 ? { ...metadata, annotations: others } : metadata;
  return { ...object, metadata: kept };
}
