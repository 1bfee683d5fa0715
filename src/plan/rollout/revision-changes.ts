// What is written of the revisions, before any child moves: the intention is on record first.

import { isDeleting, type KubeObject } from '../../model/object.ts';
import type { Change } from '../../model/plan.ts';
import type { ResourceType } from '../../model/resource.ts';
import { type ChangeContext, guardsOn, makeChange } from '../change.ts';
import {
  type ChildKey,
  childrenField,
  formatChildKey,
  listedChildren,
  mergedOrder,
  sameChildren,
} from './revision-children.ts';
import type { Revisions } from './revisions.ts';

export interface RevisionsToWrite {
  readonly known: Revisions;
  /** The latest, in the cluster already or to be created. */
  readonly current: KubeObject;
  /** What each shall list: the latest, then the older ones in their order. */
  readonly listed: readonly (readonly ChildKey[])[];
  readonly type: ResourceType;
  readonly context: ChangeContext;
  readonly hookCall: string;
}

/**
 * The latest is there also when no child is at it; an older one goes with its last child. A child is listed anew before it
 * is struck out: one that no revision lists would count as new, and not wait for its turn.
 */
export function planRevisions({ known, current, listed, ...place }: RevisionsToWrite): Change[] {
  const [first = [], ...others] = listed;
  const latest = known.latest.object ? updated(current, first, place) : created(current, first, place);
  const older = known.older.map(({ object }, index) => {
    const wanted = others[index] ?? [];
    if (!object) return undefined;
    return wanted.length === 0 ? deleted(object, place) : updated(object, wanted, place);
  });
  const rest = [...older, ...known.empty.map((object) => deleted(object, place))].flatMap((change) => change ?? []);
  return latest ? [latest, ...rest.map((change) => ({ ...change, dependsOn: [latest.id] }))] : rest;
}

type Place = Pick<RevisionsToWrite, 'type' | 'context' | 'hookCall'>;

function created(revision: KubeObject, listed: readonly ChildKey[], { type, context, hookCall }: Place): Change {
  const after = withChildren(revision, listed);
  return makeChange(context, {
    action: 'create',
    reasons: ['revision_change'],
    type,
    wave: 'revision',
    verb: 'create',
    intent: { kind: 'create', object: after },
    after,
    hookCall,
  });
}

/** undefined: it lists these already. No intent: whoever else writes a revision meanwhile has it all judged anew. */
function updated(
  before: KubeObject,
  wanted: readonly ChildKey[],
  { type, context, hookCall }: Place,
): Change | undefined {
  const listed = listedChildren(before);
  if (sameChildren(listed, wanted)) return undefined;
  return makeChange(context, {
    action: 'update',
    reasons: ['revision_change'],
    type,
    wave: 'revision',
    verb: 'update',
    before,
    after: withChildren(before, mergedOrder(listed, wanted)),
    guards: guardsOn(before),
    hookCall,
    note: movesBetween(listed, wanted),
  });
}

function deleted(before: KubeObject, { type, context, hookCall }: Place): Change | undefined {
  if (isDeleting(before)) return undefined;
  return makeChange(context, {
    action: 'delete',
    reasons: ['revision_change'],
    type,
    wave: 'revision',
    verb: 'delete',
    intent: { kind: 'delete' },
    before,
    guards: guardsOn(before),
    hookCall,
    note: 'no child is at this revision any more',
  });
}

function withChildren(revision: KubeObject, keys: readonly ChildKey[]): KubeObject {
  const { children: _before, ...rest } = revision;
  const children = childrenField(keys);
  return { ...rest, ...(children.length > 0 ? { children } : {}) } as KubeObject;
}

/** "Pod web-1 comes to it; Pod web-0 goes from it" */
function movesBetween(listed: readonly ChildKey[], wanted: readonly ChildKey[]): string {
  const was = new Set(listed);
  const is = new Set(wanted);
  const moves = [
    { keys: wanted.filter((key) => !was.has(key)), one: 'comes to it', many: 'come to it' },
    { keys: listed.filter((key) => !is.has(key)), one: 'goes from it', many: 'go from it' },
  ];
  return moves
    .filter(({ keys }) => keys.length > 0)
    .map(({ keys, one, many }) => `${namesOf(keys)} ${keys.length === 1 ? one : many}`)
    .join('; ');
}

const NAMED = 3;

function namesOf(keys: readonly ChildKey[]): string {
  const named = keys.slice(0, NAMED).map(formatChildKey).join(', ');
  return keys.length > NAMED ? `${named} and ${keys.length - NAMED} more` : named;
}
