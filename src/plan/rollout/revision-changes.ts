// What is written of the revisions, before any child moves: the intention is on record first.

import type { KubeObject } from '../../model/object.ts';
import type { Change } from '../../model/plan.ts';
import type { ResourceType } from '../../model/resource.ts';
import { type ChangeContext, guardsOn, makeChange } from '../change.ts';
import { type ChildKey, childrenField, listedChildren, mergedOrder, sameChildren } from './revision-children.ts';

interface Place {
  readonly type: ResourceType;
  readonly context: ChangeContext;
  readonly hookCall: string;
}

/** The first revision for the parent's fields of now. It is there also when no child is at it. */
export function createRevision(revision: KubeObject, listed: readonly ChildKey[], place: Place): Change {
  const after = withChildren(revision, listed);
  return makeChange(place.context, {
    action: 'create',
    reasons: ['revision_change'],
    type: place.type,
    wave: 'revision',
    verb: 'create',
    intent: { kind: 'create', object: after },
    after,
    hookCall: place.hookCall,
  });
}

/** undefined: it lists these already. No intent: whoever else writes a revision meanwhile has it all judged anew. */
export function updateRevision(before: KubeObject, wanted: readonly ChildKey[], place: Place): Change | undefined {
  const listed = listedChildren(before);
  if (sameChildren(listed, wanted)) return undefined;
  return makeChange(place.context, {
    action: 'update',
    reasons: ['revision_change'],
    type: place.type,
    wave: 'revision',
    verb: 'update',
    before,
    after: withChildren(before, mergedOrder(listed, wanted)),
    guards: guardsOn(before),
    hookCall: place.hookCall,
    note: movesBetween(listed, wanted),
  });
}

export function deleteRevision(before: KubeObject, place: Place): Change {
  return makeChange(place.context, {
    action: 'delete',
    reasons: ['revision_change'],
    type: place.type,
    wave: 'revision',
    verb: 'delete',
    intent: { kind: 'delete' },
    before,
    guards: guardsOn(before),
    hookCall: place.hookCall,
    note: 'no child is at this revision any more',
  });
}

function withChildren(revision: KubeObject, keys: readonly ChildKey[]): KubeObject {
  const { children: _before, ...rest } = revision;
  const children = childrenField(keys);
  return { ...rest, ...(children.length > 0 ? { children } : {}) } as KubeObject;
}

function movesBetween(listed: readonly ChildKey[], wanted: readonly ChildKey[]): string {
  const come = wanted.filter((key) => !listed.includes(key)).length;
  const go = listed.filter((key) => !wanted.includes(key)).length;
  const words = [come > 0 ? `${come} more` : '', go > 0 ? `${go} less` : ''].filter((word) => word !== '');
  return `children at this revision: ${words.join(', ')}`;
}
