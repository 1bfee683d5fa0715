// Makes changes: ids, guards and field differences in one place, so that every planner's changes look alike.

import { diffObjects } from '../diff/index.ts';
import type { JsonValue } from '../kit/json.ts';
import { holdsMaskedUnknown, holdsUnknown, UNKNOWN } from '../kit/unknown.ts';
import { LAST_APPLIED_ANNOTATION } from '../merge/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { Change, Fidelity, Guard, Intent, Verb } from '../model/plan.ts';
import { type Ref, refKey, refOf } from '../model/ref.ts';
import type { ResourceType } from '../model/resource.ts';
import type { Action, Reason, WaveName } from '../model/vocabulary.ts';
import { withoutMapKey } from './map/map-key.ts';

export interface ChangeDraft {
  readonly action: Action;
  readonly reasons: readonly Reason[];
  readonly type: ResourceType;
  readonly wave: WaveName;
  readonly before?: KubeObject | undefined;
  readonly after?: KubeObject | undefined;
  readonly verb?: Verb;
  readonly intent?: Intent;
  readonly subresource?: 'status';
  readonly guards?: readonly Guard[];
  readonly dependsOn?: readonly string[];
  readonly hookCall?: string | undefined;
  readonly note?: string;
  readonly force?: boolean;
  /** Absent: told from what is written. */
  readonly fidelity?: Fidelity;
}

export interface ChangeContext {
  readonly controller?: string;
  readonly fieldManager: string;
  readonly step: number;
}

export function makeChange(context: ChangeContext, draft: ChangeDraft): Change {
  const { before, after, guards, dependsOn, hookCall, ...rest } = draft;
  const subject = before ?? after;
  const object: Ref = subject ? withoutUnknownUid(refOf(subject)) : { apiVersion: '', kind: draft.type.kind, name: '' };
  return {
    id: changeId(context, draft, object),
    ...rest,
    object,
    actor: 'metactl',
    ...(context.controller === undefined ? {} : { controller: context.controller }),
    ...(hookCall === undefined ? {} : { hookCall }),
    step: context.step,
    fieldManager: context.fieldManager,
    force: draft.force ?? false,
    ...(draft.verb === 'delete' ? { propagation: 'Background' as const } : {}),
    guards: guards ?? [],
    dependsOn: dependsOn ?? [],
    destructive: draft.action === 'delete' ? 'deletes' : draft.action === 'recreate' ? 'replaces' : 'no',
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
    fields: diffObjects(before, after),
    fidelity: draft.fidelity ?? fidelityOf(draft),
  };
}

function changeId(context: ChangeContext, draft: ChangeDraft, object: Ref): string {
  const place = `${context.step}/${draft.wave}/${refKey(object)}`;
  const suffix = draft.subresource ? `/${draft.subresource}` : draft.intent?.kind === 'migrate' ? '/migrate' : '';
  return context.controller === undefined ? `${place}${suffix}` : `${context.controller}/${place}${suffix}`;
}

function withoutUnknownUid(ref: Ref): Ref {
  const { uid, ...rest } = ref;
  return uid === undefined || uid === UNKNOWN ? rest : ref;
}

// Dynamic apply is predicted by our own merge: the server's defaults and admission may add to it.
function fidelityOf(draft: ChangeDraft): Fidelity {
  if (draft.verb === 'delete' && draft.action === 'delete') return { level: 'server' };
  if (!holdsUnknown(draft.after)) return { level: 'client' };
  if (holdsMaskedUnknown(draft.after))
    return { level: 'unknown', why: 'depends on Secret values that the hook was not shown' };
  if (holdsUnknown(withoutIdentity(draft.after)))
    return { level: 'unknown', why: 'holds values that are known after apply' };
  return { level: 'client' };
}

/**
 * Without the UIDs of the object and its owners, and of the input that it is made of: not known before they are created, but
 * nobody doubts them.
 */
function withoutIdentity(object: KubeObject | undefined): JsonValue {
  if (!object) return null;
  const {
    uid: _uid,
    resourceVersion: _rv,
    creationTimestamp: _created,
    ownerReferences: _owners,
    ...metadata
  } = object.metadata;
  const { annotations, ...rest } = withoutMapKey(metadata);
  // What was applied last says again what stands in the object.
  const { [LAST_APPLIED_ANNOTATION]: _record, ...others } = annotations ?? {};
  return { ...object, metadata: { ...rest, annotations: others } };
}

/** uid and resourceVersion of what the change was computed on. */
export function guardsOn(object: KubeObject): Guard[] {
  const { uid, resourceVersion } = object.metadata;
  return [
    ...(uid && uid !== UNKNOWN ? [{ kind: 'uid', uid } as const] : []),
    ...(resourceVersion && resourceVersion !== UNKNOWN ? [{ kind: 'resourceVersion', resourceVersion } as const] : []),
  ];
}
