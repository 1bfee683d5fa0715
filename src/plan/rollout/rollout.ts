// One step of a rollout: which revision each child is at, whether the next one may move, and what that makes of the
// children, of the revisions and of the parent's status. The latest's answer says which children there are; an older
// revision's version of a child stays until it is that child's turn.

import type { KubeObject } from '../../model/object.ts';
import type { WaitingOn } from '../../model/plan.ts';
import { refOf } from '../../model/ref.ts';
import type { ChildGroup } from '../../model/view.ts';
import type { DesiredChild } from '../answer/answer-child.ts';
import type { ApplyMode } from '../apply-mode/apply-mode.ts';
import type { WantedChild } from '../children/plan-children.ts';
import { assignChildren, type Candidate } from './assign.ts';
import { onLatest, progressing, type UpdatedCondition, waiting } from './condition.ts';
import { type Obstacle, obstacleIn } from './happy.ts';
import { type ChildKey, childKey } from './revision-children.ts';
import type { RollingKinds } from './rolling-kinds.ts';

/** A revision with what the hook wants at it. */
export interface ConsultedRevision {
  readonly listed: readonly ChildKey[];
  readonly desired: readonly DesiredChild[];
  readonly hookCall: string;
}

export interface RolloutInput {
  readonly parent: KubeObject;
  /** The first is the latest. */
  readonly revisions: readonly [ConsultedRevision, ...ConsultedRevision[]];
  readonly latestName: string;
  /** The parent's children as they are. */
  readonly groups: readonly ChildGroup[];
  readonly kinds: RollingKinds;
  readonly mode: ApplyMode;
}

export interface Rollout {
  /** Each at the revision that it belongs to. Held: it is there, and its revision no longer wants it. */
  readonly children: readonly WantedChild[];
  /** What each revision shall list, in the order of the input; none: it goes, unless it is the latest. */
  readonly listed: readonly (readonly ChildKey[])[];
  readonly condition: UpdatedCondition;
  readonly waitingOn: readonly WaitingOn[];
}

export function planRollout(input: RolloutInput): Rollout {
  const { revisions, groups, parent, kinds, mode } = input;
  const observed = new Map(
    groups.flatMap(({ objects }) => objects.map((object) => [childKey(object, parent), object])),
  );
  const [first, ...rest] = revisions;
  const latest = candidateOf(first, input);
  const older = rest.map((revision) => candidateOf(revision, input));
  const assigned = assignChildren([latest, ...older], { observed, mode });
  const standing = { candidates: [latest, ...older], assigned, observed };
  const versions = revisions.map(({ desired }) => byKey(desired, parent));
  const { moved, ...state } = nextMove({ ...standing, latest, kinds, mode, latestName: input.latestName });
  if (moved !== undefined) assigned.set(moved, 0);
  return {
    children: first.desired.map((child) => atItsRevision(child, { input, versions, assigned, moved })),
    listed: revisions.map((_, index) => [...assigned].flatMap(([key, owner]) => (owner === index ? key : []))),
    ...state,
  };
}

function candidateOf({ listed, desired }: ConsultedRevision, { kinds, parent }: RolloutInput): Candidate {
  const rolling = desired.filter(({ object }) => kinds.ruleOf(object) !== undefined);
  return {
    listed: new Set(listed),
    wanted: new Map(rolling.map(({ object }) => [childKey(object, parent), object])),
  };
}

interface Standing {
  readonly candidates: readonly Candidate[];
  readonly latest: Candidate;
  readonly assigned: ReadonlyMap<ChildKey, number>;
  readonly observed: ReadonlyMap<ChildKey, KubeObject>;
  readonly kinds: RollingKinds;
  readonly mode: ApplyMode;
  readonly latestName: string;
}

interface Move extends Pick<Rollout, 'condition' | 'waitingOn'> {
  readonly moved?: ChildKey;
}

/** At most one child moves, and only when all that are at the latest revision are well. */
function nextMove(standing: Standing): Move {
  const next = nextInTurn(standing);
  if (!next) return { condition: onLatest(standing.latestName), waitingOn: [] };
  const found = obstacleAmong(standing);
  if (found) {
    const { object, obstacle } = found;
    return { condition: waiting(obstacle.message), waitingOn: [{ ref: refOf(object), reason: obstacle.reason }] };
  }
  const [moved, { kind, metadata }] = next;
  return { moved, condition: progressing(kind, metadata.name ?? ''), waitingOn: [] };
}

/**
 * In the order of the answer; but first of all one that its older revision would change in this very step (its move there
 * was cut off by a crash): two children would change at once, and this one twice.
 */
function nextInTurn({ latest, candidates, assigned, observed, mode }: Standing): [ChildKey, KubeObject] | undefined {
  const waitingTurn = [...latest.wanted].filter(([key]) => assigned.get(key) !== 0);
  const underway = waitingTurn.find(([key]) => {
    const version = candidates[assigned.get(key) ?? 0]?.wanted.get(key);
    const existing = observed.get(key);
    return version && existing && !mode.isAsWanted(existing, version);
  });
  return underway ?? waitingTurn[0];
}

function obstacleAmong({ latest, assigned, observed, kinds, mode }: Standing): Found | undefined {
  for (const [key, wanted] of latest.wanted) {
    const rule = kinds.ruleOf(wanted);
    if (!rule || assigned.get(key) !== 0) continue;
    const obstacle = obstacleIn(wanted, observed.get(key), { ...rule, mode });
    if (obstacle) return { object: observed.get(key) ?? wanted, obstacle };
  }
  return undefined;
}

interface Found {
  readonly object: KubeObject;
  readonly obstacle: Obstacle;
}

interface Placed {
  readonly input: RolloutInput;
  /** Of each revision, what it wants. */
  readonly versions: readonly ReadonlyMap<ChildKey, DesiredChild>[];
  readonly assigned: ReadonlyMap<ChildKey, number>;
  readonly moved: ChildKey | undefined;
}

const byKey = (children: readonly DesiredChild[], parent: KubeObject): ReadonlyMap<ChildKey, DesiredChild> =>
  new Map(children.map((child) => [childKey(child.object, parent), child]));

function atItsRevision(child: DesiredChild, { input, versions, assigned, moved }: Placed): WantedChild {
  const { revisions, parent } = input;
  const key = childKey(child.object, parent);
  const owner = assigned.get(key) ?? 0;
  const revision = revisions[owner] ?? revisions[0];
  const { hookCall } = revision;
  if (owner === 0) return { ...child, hookCall, ...(key === moved ? { moved: true } : {}) };
  const version = versions[owner]?.get(key);
  return version ? { ...version, hookCall } : { ...child, hookCall, held: true };
}
