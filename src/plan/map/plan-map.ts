// What a MapController does in its own way: outputs are known by owner and key, every input is a question of its own, and
// the parent's status counts.

import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { definitionId, type MapDefinition } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Change } from '../../model/plan.ts';
import { keyOf, refKey } from '../../model/ref.ts';
import type { ChildGroup, ParentView } from '../../model/view.ts';
import { MAP_WORDS } from '../answer/hook-words.ts';
import { ownPart } from '../children/own-part.ts';
import type { KindPlanner, Session } from '../parent/session.ts';
import { projectObject } from '../project.ts';
import { planStatus } from '../status/plan-status.ts';
import { consultMap } from './consult-map.ts';
import { inputSelectorOf, inputsOf } from './inputs.ts';
import { MAP_KEY_ANNOTATION } from './map-key.ts';
import { InputKeys, outputsOf } from './outputs.ts';
import { statusCounts } from './status-counts.ts';

const NOT_OURS = {
  ofParent: `belongs to the same parent, but this controller did not make it (it has no annotation ${MAP_KEY_ANNOTATION} of ours)`,
  orphan: 'outputs are not adopted',
  hint: 'Delete or rename it, or let the hook use another name.',
};

export function mapPlanner(definition: MapDefinition, view: ParentView): KindPlanner | Diagnostic {
  const selector = inputSelectorOf(definitionId(definition), view.parent);
  if ('code' in selector) return selector;
  const inputs = inputsOf(view.inputs ?? [], view.parent, selector);
  const keys = new InputKeys(definition, inputs);
  return {
    words: MAP_WORDS,
    notOurs: NOT_OURS,
    claim: (claimed) => ({ groups: outputsOf(claimed, keys), changes: [] }),
    consult: (session, { groups }) => consultMap({ ...session, definition, keys }, groups),
    desired: (answered, { parent }) => ({
      children: answered.map(({ type, object }) => ({ type, object: ownPart(object, parent.metadata.uid ?? '') })),
      diagnostics: [],
    }),
    parentWrites: (session, { groups, children }) => countsWritten(session, inputs, afterwards(groups, children)),
  };
}

/** What others write into the status stays. */
function countsWritten(
  { view, context }: Session,
  inputs: readonly ChildGroup[],
  outputs: readonly ChildGroup[],
): Change[] {
  const { parent, parentType } = view;
  const before = isJsonObject(parent['status']) ? parent['status'] : {};
  const status: JsonObject = { ...before, ...statusCounts(inputs, outputs) };
  const change = planStatus({ parent, parentType, status, context });
  return change ? [change] : [];
}

/** The outputs when the changes are carried out, so that one write of the status is enough. */
function afterwards(groups: readonly ChildGroup[], changes: readonly Change[]): ChildGroup[] {
  const byKey = new Map(changes.map((change) => [refKey(change.object), change]));
  const created = changes.filter(({ action }) => action === 'create');
  return groups.map(({ type, objects }) => ({
    type,
    objects: [
      ...objects.flatMap((object) => {
        const change = byKey.get(keyOf(object));
        // What is made anew is missing for a moment that nobody needs to read about.
        return change && change.action !== 'recreate' ? (projectObject(object, change) ?? []) : object;
      }),
      ...created.flatMap((change) => (change.type === type ? (projectObject(undefined, change) ?? []) : [])),
    ],
  }));
}
