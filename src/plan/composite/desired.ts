// From the hook's answer to what the children shall be: labels, selector check, one entry per object.

import type { CompositeDefinition, LabelSelector } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { formatRef, refOf } from '../../model/ref.ts';
import type { DesiredChild } from '../answer/answer-child.ts';
import { ownPart } from '../children/own-part.ts';
import type { AnsweredAbout, Desired } from '../parent/session.ts';
import { formatSelector, matchesSelector } from '../selectors.ts';

/** The label that generateSelector gives each child; the parent's UID. */
export const CONTROLLER_UID_LABEL = 'controller-uid';

interface DesiredContext extends AnsweredAbout {
  readonly definition: CompositeDefinition;
  readonly selector: LabelSelector;
}

export function desiredChildren(answered: readonly DesiredChild[], context: DesiredContext): Desired {
  const uid = context.parent.metadata.uid ?? '';
  const children = answered.map(({ type, object }) => {
    const own = ownPart(object, uid);
    return { type, object: context.definition.generateSelector ? withLabel(own, uid) : own };
  });
  const diagnostics = children.flatMap(({ object }, index) => mismatch(object, index, context) ?? []);
  return { children, diagnostics };
}

function withLabel(object: KubeObject, uid: string): KubeObject {
  const labels = object.metadata.labels ?? {};
  if (Object.hasOwn(labels, CONTROLLER_UID_LABEL)) return object;
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [CONTROLLER_UID_LABEL]: uid } } };
}

function mismatch(object: KubeObject, index: number, context: DesiredContext): Diagnostic | undefined {
  if (matchesSelector(context.selector, object.metadata.labels)) return undefined;
  const parent = formatRef(refOf(context.parent));
  return {
    severity: 'error',
    code: 'answer-selector-mismatch',
    summary: `CompositeController/${context.definition.name}: the ${context.hookName} hook's answer for ${parent}: the labels of ${formatRef(refOf(object))} do not match the parent's selector (${formatSelector(context.selector)})`,
    detail: 'The child would be created and never be recognised as a child of this parent.',
    hint: 'Give it these labels in the hook, or set spec.generateSelector: true in the definition.',
    subject: refOf(context.parent),
    path: `children[${index}].metadata.labels`,
  };
}
