// One change as JSON: every field of the model's Change, in a fixed order, Secret values masked.

import type { Redactor } from '../../diff/index.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Change, FieldChange, Guard, Intent } from '../../model/plan.ts';
import type { Ref } from '../../model/ref.ts';
import type { ResourceType } from '../../model/resource.ts';
import { pathToJson, unknownPaths } from './paths.ts';

export function changeToJson(change: Change, redactor: Redactor): JsonObject {
  const { before, after, intent, fidelity } = change;
  return present({
    id: change.id,
    action: change.action,
    reasons: change.reasons,
    object: refToJson(change.object),
    type: typeToJson(change.type),
    subresource: change.subresource,
    actor: change.actor,
    controller: change.controller,
    hookCall: change.hookCall,
    step: change.step,
    wave: change.wave,
    verb: change.verb,
    fieldManager: change.fieldManager,
    force: change.force,
    propagation: change.propagation,
    guards: change.guards.map(guardToJson),
    dependsOn: change.dependsOn,
    destructive: change.destructive,
    fidelity: present({
      level: fidelity.level,
      why: fidelity.why === undefined ? undefined : redactor.text(fidelity.why),
    }),
    note: change.note === undefined ? undefined : redactor.text(change.note),
    fields: change.fields.map((field) => fieldToJson(redactor.fieldChange(change.object, field))),
    before: before && objectToJson(before, redactor),
    after: after && objectToJson(after, redactor),
    afterUnknown: unknownPaths(after).map(pathToJson),
    intent: intent && intentToJson(intent, redactor),
  });
}

function fieldToJson({ path, op, before, after }: FieldChange): JsonObject {
  return present({
    ...pathToJson(path),
    op,
    before: before === undefined ? undefined : sortedKeys(before),
    after: after === undefined ? undefined : sortedKeys(after),
  });
}

/** Masked, keys sorted; without managedFields, which is long and decides nothing. */
function objectToJson(object: KubeObject, redactor: Redactor): JsonValue {
  const { managedFields, ...metadata } = object.metadata;
  return sortedKeys(redactor.object({ ...object, metadata }));
}

function intentToJson(intent: Intent, redactor: Redactor): JsonObject {
  switch (intent.kind) {
    case 'create':
      return { kind: intent.kind, object: objectToJson(intent.object, redactor) };
    case 'merge':
      return { kind: intent.kind, desired: objectToJson(intent.desired, redactor), annotation: intent.annotation };
    case 'apply':
      return present({ kind: intent.kind, desired: objectToJson(intent.desired, redactor), exact: intent.exact });
    case 'migrate':
      return { kind: intent.kind, ...intent.migration };
    case 'adopt':
      return { kind: intent.kind, owner: sortedKeys(intent.owner) };
    case 'release':
      return { kind: intent.kind, ownerUid: intent.ownerUid };
    case 'status':
      return { kind: intent.kind, status: sortedKeys(redactor.value(intent.status)) };
    case 'decorate': {
      const { labels, annotations, status, finalizer } = intent;
      const shown = status === undefined ? undefined : sortedKeys(redactor.value(status));
      return present({ kind: intent.kind, labels, annotations, status: shown, finalizer });
    }
    case 'finalizer-add':
    case 'finalizer-remove':
      return { kind: intent.kind, finalizer: intent.finalizer };
    case 'delete':
      return { kind: intent.kind };
  }
}

function guardToJson(guard: Guard): JsonObject {
  switch (guard.kind) {
    case 'uid':
      return { kind: guard.kind, uid: guard.uid };
    case 'resourceVersion':
      return { kind: guard.kind, resourceVersion: guard.resourceVersion };
    case 'live':
      return { kind: guard.kind, ref: refToJson(guard.ref), uid: guard.uid, type: typeToJson(guard.type) };
    case 'result-of':
      return { kind: guard.kind, change: guard.change };
  }
}

export function refToJson({ apiVersion, kind, namespace, name, uid }: Ref): JsonObject {
  return present({ apiVersion, kind, namespace, name, uid });
}

function typeToJson({ group, version, kind, resource, namespaced }: ResourceType): JsonObject {
  return { group, version, kind, resource, namespaced };
}

/** Without the properties that are undefined. */
export function present(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function sortedKeys(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sortedKeys);
  if (!isJsonObject(value)) return value;
  const sorted: MutableJsonObject = {};
  for (const key of Object.keys(value).sort()) {
    const inner = value[key];
    if (inner !== undefined) setOwn(sorted, key, sortedKeys(inner));
  }
  return sorted;
}
