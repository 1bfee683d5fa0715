// From server-side apply back to the annotation: what managedFields say was ours is what was applied last.

import { isJsonObject } from '../../kit/json.ts';
import {
  decodeManaged,
  EMPTY_SET,
  encodeManaged,
  extractItems,
  lastAppliedOf,
  managedFieldsOf,
  nameOfId,
  union,
  withLastRecord,
  withManagedFields,
} from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';
import type { FormerApply } from '../../model/plan.ts';
import type { KindType } from '../../schema/index.ts';

/** `live` has all its managedFields. */
export function formerApplyOf(live: KubeObject, managers: readonly string[], kind: KindType): FormerApply {
  const managed = decodeManaged(managedFieldsOf(live));
  const entries = 'problem' in managed ? [] : [...managed.managers];
  const owned = entries.flatMap(([id, { set }]) => (isApplyOf(id, managers) ? set : [])).reduce(union, EMPTY_SET);
  const last = extractItems(withManagedFields(live, undefined), owned, { ...kind, withKeys: true });
  return { managers, lastApplied: isJsonObject(last) ? last : {} };
}

function isApplyOf(id: string, managers: readonly string[]): boolean {
  const { manager = '', operation, subresource } = nameOfId(id);
  return operation === 'Apply' && subresource === undefined && managers.includes(manager);
}

/** The object as if dynamic apply had written it last. A record that is there already is a later one: it counts. */
export function asIfDynamic(live: KubeObject, annotation: string, { managers, lastApplied }: FormerApply): KubeObject {
  const managed = decodeManaged(managedFieldsOf(live));
  const isRecorded = lastAppliedOf(live, annotation) !== undefined;
  const recorded = isRecorded ? live : withLastRecord(live, annotation, lastApplied);
  if ('problem' in managed) return recorded;
  const kept = new Map([...managed.managers].filter(([id]) => !isApplyOf(id, managers)));
  // An empty list says that nobody owns anything; none at all, that the server's own stays.
  return withManagedFields(recorded, encodeManaged({ ...managed, managers: kept }) ?? []) as KubeObject;
}
