// Which children are this parent's: the ControllerRef rules. Owned and matching: kept. Owned and no longer matching:
// released. Orphaned and matching: adopted. Objects of other controllers are nobody's business here. The parent's revisions
// are claimed in the same way, but never released: whatever their labels, they are its own record of where its children are.

import type { LabelSelector } from '../../model/definition.ts';
import { controllerOf, isDeleting, type KubeObject, type OwnerReference, sortedByPlace } from '../../model/object.ts';
import type { Change } from '../../model/plan.ts';
import { refOf } from '../../model/ref.ts';
import type { ResourceType } from '../../model/resource.ts';
import type { ChildGroup, ParentView } from '../../model/view.ts';
import { type ChangeContext, guardsOn, makeChange } from '../change.ts';
import { projectObject } from '../project.ts';
import { rebase } from '../rebase.ts';
import { revisionLabels } from '../rollout/revision-type.ts';
import { matchesSelector } from '../selectors.ts';

export interface Claims {
  /** The parent's children when the claims are written: what a plan shows the hook before they are. */
  readonly groups: readonly ChildGroup[];
  /** Its ControllerRevisions, where the view has any to claim. */
  readonly revisions?: ChildGroup;
  /** Adoptions and releases, in the order of the groups; those of revisions last. */
  readonly changes: readonly Change[];
}

export function claimChildren(view: ParentView, selector: LabelSelector, context: ChangeContext): Claims {
  const changes: Change[] = [];
  const claimed = (group: ChildGroup, verdicts: readonly Judged[]): ChildGroup => {
    const place = { view, group, context };
    return { ...group, objects: verdicts.flatMap((one) => claimOne(one, place, changes) ?? []) };
  };
  const groups = view.children.map((group) => claimed(group, judged(group, view.parent, selector)));
  const { revisions } = view;
  if (!revisions) return { groups, changes };
  const verdicts = judged(revisions, view.parent, revisionSelector(selector, view.parentType));
  const kept = verdicts.map((one) => (one.verdict === 'release' ? { ...one, verdict: 'ours' as const } : one));
  return { groups, revisions: claimed(revisions, kept), changes };
}

/** The object as it is once it is claimed; undefined: it is not the parent's any more. */
function claimOne({ object, verdict }: Judged, place: ClaimPlace, changes: Change[]): KubeObject | undefined {
  if (verdict === 'ours') return object;
  const change = claimChange(verdict, object, place);
  changes.push(change);
  return verdict === 'adopt' ? projectObject(object, change) : undefined;
}

function revisionSelector({ matchLabels, matchExpressions }: LabelSelector, parentType: ResourceType): LabelSelector {
  return { matchLabels: { ...matchLabels, ...revisionLabels(parentType) }, matchExpressions };
}

interface Judged {
  readonly object: KubeObject;
  readonly verdict: Exclude<Verdict, 'ignore'>;
}

// Most of a view may be orphans of no interest: they are sorted out before anything else is done to them.
function judged({ objects }: ChildGroup, parent: KubeObject, selector: LabelSelector): readonly Judged[] {
  const ours: Judged[] = [];
  for (const object of objects) {
    const verdict = judge(object, parent, selector);
    if (verdict !== 'ignore') ours.push({ object, verdict });
  }
  return sortedByPlace(ours, ({ object }) => object);
}

type Verdict = 'ours' | 'adopt' | 'release' | 'ignore';

function judge(object: KubeObject, parent: KubeObject, selector: LabelSelector): Verdict {
  const owner = controllerOf(object);
  const matches = matchesSelector(selector, object.metadata.labels);
  if (owner) {
    if (owner.uid !== parent.metadata.uid) return 'ignore';
    if (matches) return 'ours';
    return isDeleting(parent) ? 'ignore' : 'release';
  }
  const sameScope = parent.metadata.namespace === undefined || object.metadata.namespace === parent.metadata.namespace;
  return matches && sameScope && !isDeleting(parent) && !isDeleting(object) ? 'adopt' : 'ignore';
}

interface ClaimPlace {
  readonly view: ParentView;
  readonly group: ChildGroup;
  readonly context: ChangeContext;
}

function claimChange(verdict: 'adopt' | 'release', before: KubeObject, { view, group, context }: ClaimPlace): Change {
  const owner = ownerReferenceTo(view.parent);
  const intent =
    verdict === 'adopt' ? ({ kind: 'adopt', owner } as const) : ({ kind: 'release', ownerUid: owner.uid } as const);
  const live = { kind: 'live', ref: refOf(view.parent), uid: owner.uid, type: view.parentType } as const;
  return makeChange(context, {
    action: verdict,
    reasons: [verdict === 'adopt' ? 'adopt' : 'not_owned'],
    type: group.type,
    wave: 'claim',
    verb: 'update',
    intent,
    before,
    after: rebase(intent, before),
    guards: verdict === 'adopt' ? [...guardsOn(before), live] : guardsOn(before),
    note:
      verdict === 'adopt'
        ? "it has no controller and matches the parent's selector"
        : "its labels no longer match the parent's selector",
  });
}

/** The reference that makes the parent an object's controller. */
export function ownerReferenceTo(parent: KubeObject): OwnerReference {
  return {
    apiVersion: parent.apiVersion,
    kind: parent.kind,
    name: parent.metadata.name ?? '',
    uid: parent.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
