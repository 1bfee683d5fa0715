// The parent's status: what the hook returned, whole, with observedGeneration. One write, or none when nothing differs.

import { type JsonObject, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Change } from '../../model/plan.ts';
import type { ResourceType } from '../../model/resource.ts';
import { type ChangeContext, guardsOn, makeChange } from '../change.ts';

export interface StatusInput {
  readonly parent: KubeObject;
  readonly parentType: ResourceType;
  readonly status: JsonObject;
  /** Absent: no hook says what it is. */
  readonly hookCall?: string | undefined;
  readonly context: ChangeContext;
}

export function planStatus({ parent, parentType, status, hookCall, context }: StatusInput): Change | undefined {
  const { generation } = parent.metadata;
  const desired = generation === undefined ? status : { ...status, observedGeneration: generation };
  if (jsonEqual(desired, parent['status'] ?? {})) return undefined;
  return makeChange(context, {
    action: 'status',
    reasons: hookCall === undefined ? [] : ['hook_returned'],
    type: parentType,
    wave: 'status',
    verb: 'update',
    subresource: 'status',
    intent: { kind: 'status', status: desired },
    before: parent,
    after: { ...parent, status: desired },
    guards: guardsOn(parent),
    hookCall,
  });
}
