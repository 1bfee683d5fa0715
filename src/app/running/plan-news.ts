// What of a plan is another than in the one before: the inputs, parents and problems that differ, as a plan of its own.

import { canonicalJson, type JsonValue } from '../../kit/json.ts';
import { type Change, changesOfParent, type ParentPlan, type Plan } from '../../model/plan.ts';
import { refKey } from '../../model/ref.ts';

/** undefined: nothing. Values of Secrets count: a plan that sets another one is another plan. */
export function newsOf(before: Plan, after: Plan): Plan | undefined {
  const known = new Set(before.parents.map(parentText));
  const parents = after.parents.filter((parent) => !known.has(parentText(parent)));
  const inputsBefore = new Set(before.inputs.map(changeText));
  const inputs = after.inputs.filter((input) => !inputsBefore.has(changeText(input)));
  const told = new Set(before.diagnostics.map((diagnostic) => text(diagnostic)));
  const diagnostics = after.diagnostics.filter((diagnostic) => !told.has(text(diagnostic)));
  const gone = goneParents(before, after);
  const same = parents.length + inputs.length + diagnostics.length + gone.length === 0;
  if (same && after.inputs.length === before.inputs.length && before.diagnostics.length === after.diagnostics.length)
    return undefined;
  return { ...after, parents, inputs, diagnostics };
}

/** Parents that had something to do, and are parents no more. */
function goneParents(before: Plan, after: Plan): readonly ParentPlan[] {
  const now = new Set(after.parents.map(parentKey));
  return before.parents.filter((parent) => parent.steps.length > 0 && !now.has(parentKey(parent)));
}

const parentKey = ({ controller, parent }: ParentPlan): string => `${controller} ${refKey(parent)}`;

function parentText(plan: ParentPlan): string {
  const { result, diagnostics } = plan;
  return text([parentKey(plan), changesOfParent(plan).map(changeText), result, diagnostics]);
}

/** What is done, not on which version of the object. */
const changeText = ({ id, action, reasons, fields, note, after, before }: Change): string =>
  text([id, action, reasons, fields, note ?? null, after?.metadata.name ?? null, before?.metadata.uid ?? null]);

const text = (value: unknown): string => canonicalJson(value as JsonValue);
