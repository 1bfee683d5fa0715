// What a CompositeController does in its own way: children are claimed by the parent's selector, a rolling update has
// revisions, and the parent gets a status.

import type { CompositeDefinition } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { COMPOSITE_WORDS } from '../answer/hook-words.ts';
import { claimChildren } from '../claim/claim.ts';
import type { KindPlanner } from '../parent/session.ts';
import { planStatus } from '../status/plan-status.ts';
import { consultRevisions } from './consult-revisions.ts';
import { desiredChildren } from './desired.ts';
import { childSelectorOf } from './parent-selector.ts';

const NOT_MATCHING = "its labels do not match the parent's selector";
const NOT_OURS = {
  ofParent: `is released, as ${NOT_MATCHING}`,
  orphan: NOT_MATCHING,
  hint: "Delete or rename it, let the hook use another name, or remove its controller and give it labels that the parent's selector matches, so that it is adopted.",
};

export function compositePlanner(definition: CompositeDefinition, parent: KubeObject): KindPlanner | Diagnostic {
  const selector = childSelectorOf(definition, parent);
  if ('code' in selector) return selector;
  return {
    words: COMPOSITE_WORDS,
    notOurs: NOT_OURS,
    claim: (view, context) => claimChildren(view, selector, context),
    consult: (session, claims) =>
      consultRevisions({ ...session, definition, selector }, { ...claims, parent: session.view.parent }),
    desired: (answered, about) => desiredChildren(answered, { ...about, definition, selector }),
    parentWrites: ({ view, context }, { answer: { status = {} }, call }) => {
      const change = planStatus({ ...view, status, hookCall: call?.id, context });
      return change ? [change] : [];
    },
  };
}
