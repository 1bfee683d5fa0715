// Which children are this parent's: the ControllerRef rules. Owned and matching: kept. Owned and no longer matching:
// released. Orphaned and matching: adopted. Objects of other controllers are nobody's business here.

import type { LabelSelector } from '../../model/definition.ts';
import { controllerOf, isDeleting, type KubeObject, type OwnerReference } from '../../model/object.ts';
import type { Change } from '../../model/plan.ts';
import { refOf } from '../../model/ref.ts';
import type { ChildGroup, ParentView } from '../../model/view.ts';
import { type ChangeContext, guardsOn, makeChange } from '../change.ts';
import { project } from '../project.ts';
import { rebase } from '../rebase.ts';
import { matchesSelector } from '../selectors.ts';

export interface Claims {
  /** The parent's children, as they are before any adoption is written. */
  readonly groups: readonly ChildGroup[];
  /** Adoptions and releases, in the order of the groups. */
  readonly changes: readonly Change[];
}

export function claimChildren(view: ParentView, selector: LabelSelector, context: ChangeContext): Claims {
  const changes: Change[] = [];
  const groups = view.children.map((group) => {
    const kept: KubeObject[] = [];
    for (const object of group.objects) {
      const verdict = judge(object, view.parent, selector);
      if (verdict === 'ours') kept.push(object);
      else if (verdict !== 'ignore') changes.push(claimChange(verdict, object, { view, group, context }));
    }
    return { ...group, objects: kept };
  });
  return { groups, changes };
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

/** The children when the claims are written: what a plan shows the hook before they are. */
export function foreseeClaims(view: ParentView, claims: Claims, selector: LabelSelector): readonly ChildGroup[] {
  const after = claims.changes.reduce(project, view);
  return after.children.map((group) => ({
    ...group,
    objects: group.objects.filter((object) => judge(object, view.parent, selector) === 'ours'),
  }));
}
